"""One-tap plays: how many fit into a row on a narrow phone, and what their buttons say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from discord import PartialEmoji, ui

from bot.rules.core.asks import PlayAsk
from bot.rules.core.game import View
from bot.rules.core.trick import Combo
from bot.scene import Scene
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import BUTTONS_PER_ROW, DOTS, button
from bot.show.kit.play_names import button_name, plate_name
from bot.show.kit.row_width import GAP, NARROW, label_width, room_beside
from bot.show.kit.words import Words

MAX_OFFERS = 4
ROOM = NARROW - label_width(DOTS)  # pixels beside the menu button


class OfferLabel(NamedTuple):
    """What a one-tap play shows: its name and the emoji of its highest card, if any."""

    name: str
    picture: PartialEmoji | None = None

    @property
    def width(self) -> float:
        """The approximate width of the button in pixels, with the gap beside it."""
        return label_width(self.name, picture=bool(self.picture)) + GAP


def offered(view: View, w: Words, most: int = MAX_OFFERS, room: float = ROOM) -> list[tuple[int, OfferLabel]]:
    """Return the offered plays that fit into a row, as pairs of number and label.

    Short labels make room for as many plays as possible; the rest of the row lengthens the first labels. Of plays with
    equal labels only the first is offered. room: the pixels for all buttons, each with a gap.
    """
    if not isinstance(view.ask, PlayAsk):
        return []
    fitting = list[tuple[int, tuple[OfferLabel, OfferLabel]]]()
    for place, (long, short) in enumerate(_labels(view, view.plays.ready(most), w)):
        known = [label for _, labels in fitting for label in labels]
        if not fitting or (short.width <= room and long not in known and short not in known):
            fitting.append((place, (long, short)))
            room -= short.width
    return list(_lengthened(fitting, room))


def _lengthened(
    fitting: Sequence[tuple[int, tuple[OfferLabel, OfferLabel]]], room: float
) -> Iterator[tuple[int, OfferLabel]]:
    """Yield each play with its long label if room allows, else with the short one."""
    for place, (long, short) in fitting:
        fits = long.width - short.width <= room
        room -= long.width - short.width if fits else 0
        yield place, long if fits else short


def _labels(view: View, plays: Sequence[Combo], w: Words) -> Iterator[tuple[OfferLabel, OfferLabel]]:
    """Yield a long and a short label for each play.

    Where ranks do not tell plays apart, with the suit of the head. The two are equal if the long one is not longer.
    """
    heads = {(button_name(play, w), play.head) for play in (*plays, view.trick.top) if play}
    names = Counter(name for name, _ in heads)
    for play in plays:
        picture = w.faces.pictures.get(play.head)
        suits = not picture and names[button_name(play, w)] > 1
        long, short = (OfferLabel(name(play, w, suits=suits), picture) for name in (button_name, plate_name))
        yield long, min(long, short, key=lambda label: label.width)


def offer_buttons(
    scene: Scene, view: View, w: Words, most: int, *, beside: Collection[ui.Button[Any] | None]
) -> Iterator[ui.Button[Any]]:
    """Yield a button for each offered play, valid for this moment.

    beside: the other buttons of the row.
    """
    most = min(most, BUTTONS_PER_ROW - sum(map(bool, beside)))
    for place, label in offered(view, w, most, room_beside(beside) + GAP):
        press = Press(scene.where.table, Verb.OFFER, at=scene.moment, part=place)
        yield button(label.name, press, emoji=label.picture)
