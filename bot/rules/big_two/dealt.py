"""The parts of a hand in progress that its tricks do not tell.

Knows how a hand was dealt and what has happened beside the tricks. Refuses to know what may be played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.rules.core.cards import Card, Cards
from bot.rules.core.sentences import Note, Seat
from bot.rules.core.trick import Combo


class Dealt(NamedTuple):
    """How a hand was dealt.

    step: 1 anticlockwise, -1 clockwise (C1). cut: the card shown (5.4). draws: drawn by each
    seat for the deal (C7.2). chips: of each seat before this hand (C44.5). extra: the card in the middle (C39). luck:
    what the stock is shuffled by when it is made anew, secret like the stock. lead: who starts because of an earlier
    hand, None where the lowest card does (C4). facts: all that is public, where that does not change.
    """

    dealer: int
    step: int = 1
    cut: Card | None = None
    draws: Cards = ()
    chips: tuple[int, ...] = ()
    extra: Card | None = None
    luck: int = 0
    lead: int | None = None
    facts: tuple[tuple[str, Any], ...] = ()


class Shown(NamedTuple):
    """A card in a hand of which others know. to: who knows, None for everybody."""

    holder: int
    card: Card
    to: int | None = None


class Progress(NamedTuple):
    """What happens beside the tricks.

    starter: who made or makes the first play. low: the lowest card dealt, where its holder started. taker: who has the
    extra card. giving: who waits for a card of the seat whose turn it is (C40). told: what each seat was told last.
    out: who has gone out. specials: played and not beaten (C37.1). final: the winner's last combination. charged: who
    pays for all (8.4). reshuffles: so often the stock was made anew.
    """

    starter: int
    low: Card | None = None
    taker: int | None = None
    giving: int | None = None
    told: tuple[tuple[Note, ...], ...] = ()
    out: tuple[int, ...] = ()
    specials: tuple[tuple[int, Combo], ...] = ()
    final: Combo | None = None
    charged: int | None = None
    reshuffles: int = 0


def first_facts(dealt: Dealt) -> tuple[tuple[str, Any], ...]:
    """Return what is public in every game: who dealt, and the cut."""
    return (("dealer", Seat(dealt.dealer)), *((("cut", dealt.cut),) if dealt.cut else ()))
