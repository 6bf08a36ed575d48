"""One-tap plays: how many fit into a row on a narrow phone, and what their buttons say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from discord import PartialEmoji, ui

from bot.rules.core.asks import Play, PlayAsk
from bot.rules.core.game import View
from bot.rules.core.trick import Combo
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import BUTTONS_PER_ROW, DOTS, button
from bot.show.kit.play_names import button_name, short_button_name
from bot.show.kit.row_width import GAP, NARROW, label_width, room_beside
from bot.show.kit.words import Words

MAX_OFFERS = 4
ROOM = NARROW - label_width(DOTS)  # pixels beside the menu button


class OfferLabel(NamedTuple):
    """What a one-tap play shows: its name and, if it has several cards, an emoji.

    The emoji is that of the highest card.
    """

    name: str
    picture: PartialEmoji | None = None

    @property
    def width(self) -> float:
        """The approximate width of the button in pixels, with the gap beside it."""
        return label_width(self.name, picture=bool(self.picture)) + GAP


Labels: TypeAlias = tuple[OfferLabel, OfferLabel]  # a long and a short one of a play


def ready(scene: Scene, view: View) -> list[Combo]:
    """Return the plays to offer, by number: in a lesson the coach's play is the first of them."""
    plays = view.plays.ready(MAX_OFFERS)
    advised = scene.coach.action if scene.coach else None
    first = view.rules.classify(advised.cards) if isinstance(advised, Play) else None
    return [first, *(play for play in plays if play.cards != first.cards)][:MAX_OFFERS] if first else plays


def offered(view: View, plays: Sequence[Combo], w: Words, room: float = ROOM) -> list[tuple[int, OfferLabel]]:
    """Return the offered plays that fit into a row, as pairs of number and label.

    Short labels without emoji make room for as many plays as possible; the rest of the row has room for the emoji of
    all of them or of none, and then lengthens labels. Of plays with equal labels only the first is offered.
    room: the pixels for all buttons, each with a gap.
    """
    if not isinstance(view.ask, PlayAsk):
        return []
    pictured, plain = (list(_labels(view, plays, words)) for words in (w, w.plain()))
    places = _fitting(plain, room)
    shown = [[(place, labels[place]) for place in places] for labels in (pictured, plain)]
    narrow = next((labels for labels in shown if _least_width(labels) <= room), shown[-1])
    return list(_lengthened(narrow, [play.kind for play in plays], room - _least_width(narrow)))


def _fitting(labels: Iterable[Labels], room: float) -> list[int]:
    """Return the numbers of the plays whose short labels fit; always the first."""
    places, known = list[int](), set[OfferLabel]()
    for place, (long, short) in enumerate(labels):
        if not places or (short.width <= room and not {long, short} & known):
            places.append(place)
            known |= {long, short}
            room -= short.width
    return places


def _least_width(fitting: Iterable[tuple[int, Labels]]) -> float:
    """Return the width of these plays with their short labels."""
    return sum(short.width for _, (_, short) in fitting)


def _lengthened(
    fitting: Sequence[tuple[int, Labels]], kinds: Sequence[str], room: float
) -> Iterator[tuple[int, OfferLabel]]:
    """Yield each play with its long label if all of its kind have room, else a short one.

    kinds: of all plays, by number.
    """
    lengthened = set[str]()
    for kind in dict.fromkeys(kinds[place] for place, _ in fitting):
        more = sum(long.width - short.width for place, (long, short) in fitting if kinds[place] == kind)
        if more <= room:
            lengthened.add(kind)
            room -= more
    for place, (long, short) in fitting:
        yield place, long if kinds[place] in lengthened else short


def _labels(view: View, plays: Sequence[Combo], w: Words) -> Iterator[Labels]:
    """Yield a long and a short label for each play.

    Both say what the play is: "pair of 5s", "two 5s". Where ranks do not tell plays apart, with the suit of the head.
    The two are equal if the long one is not longer.
    """
    heads = {(button_name(play, w), play.head) for play in (*plays, view.trick.top) if play}
    names = Counter(name for name, _ in heads)
    for play in plays:
        picture = w.faces.pictures.get(play.head) if play.cards[1:] else None  # a single card's name is the card
        suits = not picture and names[button_name(play, w)] > 1
        bomb = phrases.is_bomb(play, view.trick.top, view.rules)
        told = (name(play, w, suits=suits) for name in (button_name, short_button_name))
        long, short = (OfferLabel(phrases.bomb_named(said, w) if bomb else said, picture) for said in told)
        yield long, min(long, short, key=lambda label: label.width)


def offer_buttons(
    scene: Scene, view: View, w: Words, most: int, *, beside: Collection[ui.Button[Any] | None]
) -> Iterator[ui.Button[Any]]:
    """Yield a button for each offered play, valid for this moment.

    beside: the other buttons of the row.
    """
    most = min(most, BUTTONS_PER_ROW - sum(map(bool, beside)))
    for place, label in offered(view, ready(scene, view)[:most], w, room_beside(beside) + GAP):
        press = Press(scene.where.table, Verb.OFFER, at=scene.moment, part=place)
        yield button(label.name, press, emoji=label.picture)
