"""The components of every screen, framed in a Discord message, and the width of text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, Final, TypeAlias
from unicodedata import category, east_asian_width

import discord
from discord import ButtonStyle, ChannelType, Message, SelectDefaultValue, SelectDefaultValueType, SelectOption, ui

from bot.domain.ids import TableId
from bot.scene import PublicScene
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.words import MessageText, Words

TEXT_LIMIT = 4000  # characters in all texts of a message
LABEL, OPTION, PLACEHOLDER = 80, 100, 150
MAX_OPTIONS = 25  # of one select
READ = ("content", "description", "label")  # the visible texts of a component, in Discord's names
BUTTONS_PER_ROW = 5  # buttons
MAX_COMPONENTS = 40  # components of a message, by Discord's count
DOTS = "⋯"  # the label of the button that opens the menu
WATCH = "▶️"  # in front of the label of a replay

Row: TypeAlias = "ui.ActionRow[Any]"
Block: TypeAlias = "str | Row | ui.Section[Any] | ui.Separator[Any] | ui.File[Any] | ui.MediaGallery[Any] | None"

line: Final = ui.Separator[Any]  # a thin line between two parts of a screen


class Accent(IntEnum):
    """The colour at the edge of a screen, by subject."""

    LOBBY = 0x5865F2
    PLAYING = 0x2E8B57
    BETWEEN = 0xC9922E
    OVER = 0x8E5BB5
    CLOSED = 0x7A7F87
    YOURS = 0x2F9BD8
    BOOK = 0x6D7B8D


class _Screen(ui.LayoutView):
    """A stopped view that caches its components."""

    _written: list[dict[str, Any]] | None = None

    def to_components(self) -> list[dict[str, Any]]:
        """Return the components to send; built once."""
        if self._written is None:
            self._written = super().to_components()  # type: ignore[no-untyped-call]
        return self._written

    def is_finished(self) -> bool:
        """True, even without an event loop."""
        return True


@dataclass(frozen=True, slots=True, repr=False)
class PrivateScreen:
    """A screen for one viewer; not a view, so no method that sends views accepts it.

    files: the name and content of each file, shown on the screen by ``attached``, or by ``pictured`` for a picture.
    """

    secret: ui.LayoutView
    files: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class PrivateFile:
    """A plain text for one reader, with a picture or another file below: its name and bytes.

    also: a second file.
    """

    text: str
    picture: tuple[str, bytes]
    also: tuple[str, bytes] | None = None


@dataclass(frozen=True, slots=True, repr=False)
class PublicScreen:
    """A screen for everybody, drawn from public facts alone."""

    drawn: ui.LayoutView

    @classmethod
    def of(cls, scene: PublicScene, draw: Callable[[PublicScene, Words], ui.LayoutView], w: Words) -> PublicScreen:
        """Return the screen drawn from a table's public scene."""
        return cls(draw(scene, w))


@dataclass(frozen=True, slots=True)
class PublicRow:
    """A row of buttons below a public text, drawn from public facts alone."""

    drawn: ui.View

    @classmethod
    def of(cls, *buttons: ui.Button[Any]) -> PublicRow:
        """Return a row of these buttons."""
        drawn = ui.View(timeout=None)
        for each in buttons:
            drawn.add_item(each)
        drawn.stop()  # so that discord.py does not store the view
        return cls(drawn)


def digest(view: ui.LayoutView) -> int:
    """Return a hash of a view's content.

    Equal screens have equal hashes, and a hash does not reveal the content.
    """
    return hash(repr(view.to_components()))  # type: ignore[no-untyped-call]


def is_screen(message: Message, view: ui.LayoutView) -> bool:
    """Tell whether a message shows a view.

    Compares custom ids, or texts for a view without custom ids.
    """
    own = _addresses(view.to_components())  # type: ignore[no-untyped-call]
    return own == _addresses([part.to_dict() for part in message.components]) if own else has_same_texts(view, message)


def _addresses(part: Any) -> list[str]:
    if isinstance(part, list):
        return [address for one in part for address in _addresses(one)]
    if not isinstance(part, dict):
        return []
    own = [part["custom_id"]] if "custom_id" in part else []
    return own + [address for value in part.values() for address in _addresses(value)]


def walk_components(components: Iterable[Any]) -> Iterator[Any]:
    """Yield the components of a received message, nested ones included."""
    for component in components:
        yield component
        yield from walk_components(getattr(component, "children", ()))
        if (accessory := getattr(component, "accessory", None)) is not None:
            yield accessory


def has_same_texts(view: ui.LayoutView, message: Message) -> bool:
    """Tell whether a message shows exactly the texts of a view."""
    own = view.to_components()  # type: ignore[no-untyped-call]
    return list(_read(own)) == list(_read([part.to_dict() for part in message.components]))


def begins_with(message: Message, text: str) -> bool:
    """Tell whether the first text of a message begins with this text."""
    return next(_read([part.to_dict() for part in message.components]), "").startswith(text)


def _read(part: Any) -> Iterator[str]:
    """Yield the visible texts of components in Discord's JSON form."""
    if isinstance(part, list):
        for one in part:
            yield from _read(one)
    elif isinstance(part, dict):
        for name in sorted(part):
            yield from [part[name].strip()] if name in READ and part[name] else _read(part[name])


@lru_cache(maxsize=4096)
def cut(text: str, length: int) -> str:
    """Return the text, shortened to this length with an ellipsis."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def button(
    label: str,
    target: Press | Browse | str,
    style: ButtonStyle = ButtonStyle.secondary,
    *,
    disabled: bool = False,
    emoji: str | discord.PartialEmoji | None = None,
) -> ui.Button[Any]:
    """Return a button; with a URL as target, a link."""
    if isinstance(target, str):
        return ui.Button(label=cut(label, LABEL), url=target)
    return ui.Button(label=cut(label, LABEL), custom_id=str(target), style=style, disabled=disabled, emoji=emoji)


def row(*buttons: ui.Button[Any] | None) -> Row | None:
    """Return a row of at most five buttons, skipping None; None without buttons."""
    there = [given for given in buttons if given]
    return ui.ActionRow(*there) if there else None


def select(
    target: Press | Browse, placeholder: str, options: Sequence[SelectOption], *, least: int = 1, most: int = 1
) -> Row | None:
    """Return a row with a select of 1 to 25 options; None without options."""
    if not options:
        return None
    return ui.ActionRow(
        ui.Select(
            custom_id=str(target),
            placeholder=cut(placeholder, PLACEHOLDER),
            options=list(options),
            min_values=least,
            max_values=most,
        )
    )


def titled_select(target: Press | Browse, title: str, options: Sequence[SelectOption], w: Words) -> Row | None:
    """Return a select whose chosen option shows the title too: "Length: 5 hands".

    Returns None for fewer than two options.
    """
    if len(options) < 2:
        return None
    for each in options:
        if each.default:
            each.label = cut(w("{title}: {value}", title=MessageText(title), value=MessageText(each.label)), OPTION)
    return select(target, title, options)


def channel_select(target: Browse, placeholder: str, chosen: Iterable[int], kinds: Iterable[ChannelType]) -> Row:
    """Return a row with a select of any number of a server's channels. chosen: their ids."""
    defaults = [SelectDefaultValue(id=channel, type=SelectDefaultValueType.channel) for channel in chosen]
    return ui.ActionRow(
        ui.ChannelSelect(
            custom_id=str(target),
            placeholder=cut(placeholder, PLACEHOLDER),
            channel_types=list(kinds),
            default_values=defaults,
            min_values=0,
            max_values=MAX_OPTIONS,
        )
    )


def user_select(target: Press | Browse, placeholder: str, most: int = 1) -> Row:
    """Return a row with a select of members of a server."""
    return ui.ActionRow(
        ui.UserSelect(custom_id=str(target), placeholder=cut(placeholder, PLACEHOLDER), min_values=1, max_values=most)
    )


def role_select(target: Press | Browse, placeholder: str, chosen: int | None) -> Row:
    """Return a row with a select of at most one role of a server."""
    defaults = [SelectDefaultValue(id=chosen, type=SelectDefaultValueType.role)] if chosen else []
    return ui.ActionRow(
        ui.RoleSelect(
            custom_id=str(target),
            placeholder=cut(placeholder, PLACEHOLDER),
            default_values=defaults,
            min_values=0,
            max_values=1,
        )
    )


def option(
    label: str, value: str, description: str = "", *, emoji: discord.PartialEmoji | None = None, default: bool = False
) -> SelectOption:
    """Return an option of a select, its texts cut to Discord's limits."""
    text = cut(description, OPTION) or None
    return SelectOption(label=cut(label, OPTION), value=value, description=text, emoji=emoji, default=default)


def attached(name: str) -> ui.File[Any]:
    """Return the component that shows an attached file."""
    return ui.File(f"attachment://{name}")


def pictured(name: str, text: str) -> ui.MediaGallery[Any]:
    """Return the component that shows an attached picture. text: the picture in words."""
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=text))


def text_with_button(text: str, button: ui.Button[Any]) -> ui.Section[Any]:
    """Return a text with a button at its right."""
    return ui.Section(text, accessory=button)


def count_components(blocks: Iterable[Block]) -> int:
    """Return how many components these blocks have by Discord's count, without their frame."""
    count = 0
    for block in blocks:
        if block:
            count += 1 if isinstance(block, str) else 1 + len(getattr(block, "children", ()))
    return count


def lines(*texts: str | None) -> str | None:
    """Return the non-empty texts, one on each line; None without any."""
    return "\n".join(filter(None, texts)) or None


def small(sentence: str) -> str:
    """Return text in Discord's small print."""
    return "\n".join(f"-# {text}" for text in sentence.splitlines())


def screen(accent: int, *blocks: Block | ui.Item[Any]) -> ui.LayoutView:
    """Return a message of these blocks in one frame; empty blocks are left out."""
    items: list[ui.Item[Any]] = [
        ui.TextDisplay(block) if isinstance(block, str) else block for block in blocks if block
    ]
    view = _Screen(timeout=None)
    view.add_item(ui.Container(*_tidy(items), accent_colour=discord.Colour(accent)))
    view.stop()
    return view


def private(accent: Accent, *blocks: Block) -> PrivateScreen:
    """Return a screen of these blocks for one viewer."""
    return PrivateScreen(screen(accent, *blocks))


def _tidy(items: Iterable[ui.Item[Any]]) -> list[ui.Item[Any]]:
    """Return the items without separators at the beginning, the end or twice in a row."""
    kept: list[ui.Item[Any]] = []
    for item in items:
        if not isinstance(item, ui.Separator) or (kept and not isinstance(kept[-1], ui.Separator)):
            kept.append(item)
    return kept[:-1] if kept and isinstance(kept[-1], ui.Separator) else kept


def fitted(draw: Callable[[Words], ui.LayoutView], w: Words) -> ui.LayoutView:
    """Return the screen drawn with these words, or with plain symbols if that is too long."""
    view = draw(w)
    return view if view.content_length() <= TEXT_LIMIT else draw(w.plain())


EMOJI = re.compile(r"<a?:\w+:\d+>")  # one of the bot's own in a message
EMPTY_LINE = "\u200b"
HIDDEN_EMOJI = "\U0001f0cf"  # stands for one of them while text is measured
UNSEEN = ("Mn", "Me", "Cf")  # combining marks and format characters


@lru_cache(maxsize=4096)
def columns(text: str) -> int:
    """Return the width of text in columns."""
    return sum(0 if category(sign) in UNSEEN else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


@lru_cache(maxsize=4096)
def brief(text: str, most: float, measure: Callable[[str], float] = columns) -> str:
    """Return text on one line of at most this width, shortened with an ellipsis.

    measure: by default in columns.
    """
    line = " ".join(text.split())
    if measure(line) <= most:
        return line
    return f"{line[: _fitting(line, most, measure, '…')].rstrip()}…"


def _fitting(text: str, width: float, measure: Callable[[str], float], end: str = "") -> int:
    """Return how many characters of a text fit into a width, together with ``end``."""
    return bisect_right(range(1, len(text) + 1), width, key=lambda taken: measure(text[:taken] + end))


def wrapped(text: str, width: float, most: int | None = None, measure: Callable[[str], float] = columns) -> list[str]:
    """Return text on lines of this width.

    most: of lines; the last one is shortened. measure: by default in columns.
    """
    lines, rest, emoji = list[str](), EMOJI.sub(HIDDEN_EMOJI, " ".join(text.split())), iter(EMOJI.findall(text))
    while measure(rest) > width and (most is None or len(lines) < most - 1):
        most_of_it = max(_fitting(rest, width, measure), 1)
        end = next((end for end in range(most_of_it, 0, -1) if _may_end(rest, end)), most_of_it)
        lines.append(rest[:end])
        rest = rest[end:].lstrip()
    return [
        "".join(next(emoji, sign) if sign == HIDDEN_EMOJI else sign for sign in line)
        for line in (*lines, brief(rest, width, measure))
    ]


def _may_end(text: str, at: int) -> bool:
    """Tell whether a line may break here.

    A line breaks before a space, or between Chinese characters, but never before punctuation.
    """
    before, after = text[at - 1], text[at]
    return after == " " or (_wide(before) and _wide(after) and not category(after).startswith("P"))


def _wide(sign: str) -> bool:
    return east_asian_width(sign) in "WF"


def watch_button(table: TableId, w: Words) -> ui.Button[Any]:
    """Return the button that opens the replay of a match."""
    return button(w("Replay"), Press(table, Verb.WATCH), emoji=WATCH)


def back_to_hand(table: TableId, w: Words) -> ui.Button[Any]:
    """Return the button that shows the private hand of a table again."""
    return button(w("Back to my cards"), Press(table, Verb.REFRESH), ButtonStyle.primary)
