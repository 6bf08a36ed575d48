"""Menus that may be open on the viewer's device while the bot redraws a message.

No redraw removes one: some clients get stuck after an edit that removes an open select (discord-api-docs #5512, #4828).
So each menu stays under its custom id, with the options still valid, and a last option that leads back to the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import discord
from discord import ui

from bot.domain.ids import TableId
from bot.show.kit.custom_ids import InvalidCustomId, Press, Verb
from bot.show.kit.layout import MAX_COMPONENTS, MAX_OPTIONS, TEXT_LIMIT, option, screen, small, walk_components
from bot.show.kit.words import Words

Menus: TypeAlias = Mapping[str, tuple[str, ...]]  # custom_id -> the values of the options

NO_MENUS: Menus = {}
TOGETHER = 2  # components of a menu: the row and the select


def menus_of_view(view: ui.LayoutView) -> Menus:
    """Return the menus of a screen."""
    return {menu.custom_id: _values(menu.options) for menu in view.walk_children() if isinstance(menu, ui.Select)}


def menus_of_message(message: discord.Message) -> Menus:
    """Return the menus of a received message."""
    return {
        part.custom_id: _values(part.options)
        for part in walk_components(message.components)
        if isinstance(part, discord.SelectMenu)
    }


def room(before: Menus) -> int:
    """Return the number of components to reserve for the old menus of a message."""
    return TOGETHER * len(before) + 1


def chosen_way_back(values: Iterable[str]) -> str | None:
    """Return the custom id of the option back to the cards, if chosen in a select."""
    return next((value for value in values if _leads_back(value)), None)


def keep_menus(view: ui.LayoutView, before: Menus, table: TableId, w: Words) -> ui.LayoutView:
    """Return a redraw that keeps every old menu under its custom id, with a way back.

    before: the menus of the message so far. A text marks the first menu with new options. If a message is too small,
    the last rows of buttons are left out: each menu leads back to them.
    """
    (frame,) = view.children
    assert isinstance(frame, ui.Container)
    assert isinstance(frame.accent_colour, discord.Colour)
    gone = [custom_id for custom_id in before if custom_id not in menus_of_view(view)]
    blocks = [*_with_way_back(frame.children, before, table, w)]
    blocks += [_changed(w), *(_emptied(custom_id, table, w) for custom_id in gone)] if gone else []
    while sum(map(_parts, blocks)) + 1 > MAX_COMPONENTS and (row := _last_buttons(blocks)) is not None:
        blocks.remove(row)
    return screen(frame.accent_colour.value, *_short_enough(blocks, w))


def _with_way_back(blocks: Iterable[ui.Item[Any]], before: Menus, table: TableId, w: Words) -> Iterator[ui.Item[Any]]:
    """Yield blocks with a way back in each menu, and a text before the first changed menu."""
    said = False
    for block in blocks:
        for menu in _selects(block.children) if isinstance(block, ui.ActionRow) else ():
            now = _values(menu.options)
            if before.get(menu.custom_id, now) != now and not said:
                said = True
                yield _changed(w)
            menu.options = [*menu.options[: MAX_OPTIONS - 1], _way_back(table, w)]
        yield block


def _emptied(custom_id: str, table: TableId, w: Words) -> ui.Item[Any]:
    menu = ui.Select[Any](custom_id=custom_id, placeholder=w("Back to my cards"), options=[_way_back(table, w)])
    return ui.ActionRow(menu)


def _way_back(table: TableId, w: Words) -> discord.SelectOption:
    return option(w("Back to my cards"), str(Press(table, Verb.REFRESH)))


def _changed(w: Words) -> ui.TextDisplay[Any]:
    return ui.TextDisplay(small(w("Your options here have changed.")))


def _short_enough(blocks: list[ui.Item[Any]], w: Words) -> list[ui.Item[Any]]:
    """Return the blocks, without texts that mark changes if all texts together are too long."""
    texts = [block.content for block in blocks if isinstance(block, ui.TextDisplay)]
    if sum(map(len, texts)) <= TEXT_LIMIT:
        return blocks
    line = _changed(w).content
    return [block for block in blocks if not (isinstance(block, ui.TextDisplay) and block.content == line)]


def _last_buttons(blocks: list[ui.Item[Any]]) -> ui.Item[Any] | None:
    rows = [block for block in blocks if isinstance(block, ui.ActionRow) and isinstance(block.children[0], ui.Button)]
    return rows[-1] if rows else None


def _parts(block: ui.Item[Any]) -> int:
    """Return how many components a block has."""
    return 1 + len(list(block.walk_children())) if isinstance(block, ui.ActionRow | ui.Section) else 1


def _leads_back(value: str) -> bool:
    try:
        return Press.read(value).verb is Verb.REFRESH
    except InvalidCustomId:
        return False


def _values(options: Iterable[discord.SelectOption]) -> tuple[str, ...]:
    """Return the values of options, without the option back to the cards."""
    return tuple(each.value for each in options if not _leads_back(each.value))


def _selects(items: Iterable[ui.Item[Any]]) -> Iterator[ui.Select[Any]]:
    return (item for item in items if isinstance(item, ui.Select))
