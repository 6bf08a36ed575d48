"""The parts of a hand in progress besides its tricks: the deal and further progress."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.rules.core.cards import Card, Cards
from bot.rules.core.sentences import Note, Seat
from bot.rules.core.trick import Combo


class Dealt(NamedTuple):
    """The deal of a hand.

    step: 1 anticlockwise, -1 clockwise (C1). cut: the card of the cut (5.4). draws: the cards drawn by the seats for
    the deal (C7.2). chips: of each seat before this hand (C44.5). extra: the card in the middle (C39). luck: the seed
    for shuffling a refilled stock, secret like the stock. lead: the starter determined by an earlier hand, None if the
    lowest card decides (C4). facts: the public facts, if constant during the hand.
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


class KnownCard(NamedTuple):
    """A card known in another player's hand. to: the seat that knows it, None for all."""

    holder: int
    card: Card
    to: int | None = None


class HandProgress(NamedTuple):
    """The progress of a hand besides its tricks.

    starter: the seat that made or makes the first play. low: the lowest dealt card, if its holder started. taker: the
    seat with the extra card. giving: the seat that waits for a card from the seat on turn (C40). told: the latest
    private notes, by seat. out: the seats that went out, in order. specials: special combinations played and not beaten
    (C37.1). final: the winner's last combination. charged: the seat that pays for all (8.4). reshuffles: the number of
    refills of the stock.
    """

    starter: int
    low: Card | None = None
    taker: int | None = None
    giving: int | None = None
    private_notes: tuple[tuple[Note, ...], ...] = ()
    out: tuple[int, ...] = ()
    specials: tuple[tuple[int, Combo], ...] = ()
    final: Combo | None = None
    charged: int | None = None
    reshuffles: int = 0


def first_facts(dealt: Dealt) -> tuple[tuple[str, Any], ...]:
    """Return the facts that are public in every game: the dealer and the cut."""
    return (("dealer", Seat(dealt.dealer)), *((("cut", dealt.cut),) if dealt.cut else ()))
