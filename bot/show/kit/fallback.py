"""The fallback of a finished screen: cards as text, plain components, worded pictures.

The fallback rewrites the components of a view instead of drawing the screen again, so every screen has a fallback. No
emoji stays on a component. Custom ids, styles and default options stay: after a restart, selected cards are read from
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, TypeAlias

from discord import ComponentType, ui

from bot.rules.core.cards import Card, every_card
from bot.show.kit.card_art import emoji_name
from bot.show.kit.card_symbols import symbol, underlined
from bot.show.kit.layout import PublicScreen

Component: TypeAlias = dict[str, Any]

EMOJI: Final = re.compile(r"(?:<:\w+:\d+>)+")  # adjacent emoji become one piece of code, as in a hand as text
NAME: Final = re.compile(r"<:(\w+):\d+>")
GALLERY, FILE, TEXT = ComponentType.media_gallery.value, ComponentType.file.value, ComponentType.text_display.value
UPLOADED = "attachment://"


class _Rewritten(ui.LayoutView):
    """A view that sends these components."""

    def __init__(self, components: list[Component]) -> None:
        super().__init__(timeout=None)
        self._components = components
        self.stop()

    def is_finished(self) -> bool:
        """True: discord.py does not store the view."""
        return True

    def has_components_v2(self) -> bool:
        """True, as for every screen."""
        return True

    def to_components(self) -> list[Component]:
        """Return the components to send."""
        return self._components


def in_text(view: ui.LayoutView) -> ui.LayoutView:
    """Return a view with cards as text, and no emoji on components."""
    return _Rewritten([_worded(part) for part in _components(view)])


def public_in_text(shown: PublicScreen) -> PublicScreen:
    """Return a public screen with its cards as text."""
    return PublicScreen(in_text(shown.drawn))


def without_files(view: ui.LayoutView, lost: str) -> ui.LayoutView:
    """Return a view with pictures in words, and a sentence in place of each file."""
    return _Rewritten([_without_files(part, lost) for part in _components(view)])


def shows_file(view: ui.LayoutView) -> bool:
    """Tell whether a view shows a file other than a picture."""
    return any(part.get("type") == FILE for part in _parts(_components(view)))


def _components(view: ui.LayoutView) -> list[Component]:
    made: list[Component] = view.to_components()  # type: ignore[no-untyped-call]
    return made


def _parts(components: Any) -> Iterator[Component]:
    """Yield every part of components, options of selects included."""
    if isinstance(components, list):
        for one in components:
            yield from _parts(one)
    elif isinstance(components, dict):
        yield components
        for value in components.values():
            yield from _parts(value)


def _worded(part: Any) -> Any:
    """Return a part of a message with cards as text and no emoji.

    A card's button gets the card as its label.
    """
    if isinstance(part, list):
        return [_worded(one) for one in part]
    if not isinstance(part, dict):
        return part
    made: Component = {key: _worded(value) for key, value in part.items()}
    if isinstance(part.get("content"), str):
        made["content"] = EMOJI.sub(_code, part["content"])
    if part.get("emoji"):
        del made["emoji"]
        made["label"] = part.get("label") or _label(part["emoji"]["name"])
    return made


def _without_files(part: Component, lost: str) -> Component:
    """Return a component with pictures in words, and this sentence in place of a file."""
    if part.get("type") == FILE:
        return {"type": TEXT, "content": lost}
    if part.get("type") == GALLERY and _is_uploaded(part):
        return {"type": TEXT, "content": "\n".join(item.get("description") or lost for item in part["items"])}
    return part | {key: [_without_files(one, lost) for one in part[key]] for key in ("components",) if key in part}


def _is_uploaded(gallery: Component) -> bool:
    return any(item["media"]["url"].startswith(UPLOADED) for item in gallery["items"])


def _code(found: re.Match[str]) -> str:
    """Return adjacent emoji as one piece of inline code."""
    return f"`{' '.join(_symbol(name) for name in NAME.findall(found[0]))}`"


def _label(name: str) -> str:
    """Return the label of a button in place of its emoji."""
    known = _cards().get(name)
    if known is None:
        return name
    card, picked = known
    return underlined(symbol(card)) if picked else symbol(card)


def _symbol(name: str) -> str:
    known = _cards().get(name)
    return symbol(known[0]) if known else name


@cache
def _cards() -> dict[str, tuple[Card, bool]]:
    """Return the card of each emoji name, and whether the emoji shows a selected card."""
    return {
        emoji_name(str(card), picked=picked, four=four): (card, picked)
        for card in every_card()
        for four in (False, True)
        for picked in (False, True)
    }
