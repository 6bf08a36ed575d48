"""5. The location of the two A cards, publicly known cards, and both as public facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.domain.message_ids import N_
from bot.rules.big_little_a.groups import A_CARDS, BIG_A, LITTLE_A, POWER
from bot.rules.big_little_a.score import Pile
from bot.rules.core.cards import Card, Cards, without
from bot.rules.core.game import Drawn
from bot.rules.core.sentences import Of, Seat, by_seat

Fact = tuple[str, Any]

FACTS = {
    "round": N_("Round {value}."),
    "a_round": N_("A-round: everyone plays one card, and the highest takes all."),
    "starter": N_("{value} leads first."),
    "middle": N_("In the middle: {value}."),
    "little": N_("{value} has the little a."),
    "big": N_("{value} has the Big A."),
    "little_since": N_("Taken in round {value}."),
    "big_since": N_("Taken in round {value}."),
    "little_from": N_("The little a can be led from round {value}."),
    "big_from": N_("The Big A can be led from round {value}."),
    "pile": N_("The little-a pile: {value}."),
    "lead": N_("{value} leads, because the player who took the cards only has an A card, which can't be led yet."),
    "held": N_("Everyone knows that {value}."),
}
DRAWN: Mapping[str, Drawn] = {
    "middle": "lying",
    "little": LITTLE_A,
    "big": BIG_A,
    "little_since": "detail",
    "big_since": "detail",
}
LEAD_DELAY_ROUNDS = 2  # the number of rounds from taking an A card to its first possible lead (5.8)


class ACardHolder(NamedTuple):
    """An A card in a hand. round: the round in which the card was taken."""

    seat: int
    round: int

    @property
    def free(self) -> int:
        """The first round in which the card can be led."""
        return self.round + LEAD_DELAY_ROUNDS


class ACardState(NamedTuple):
    """The location of the two A cards.

    lying: in the middle. little, big: the holder of each, or None. pile: the little-a trick, once taken. known: other
    cards with publicly known holders, one entry for each copy.
    """

    lying: Cards = A_CARDS
    little: ACardHolder | None = None
    big: ACardHolder | None = None
    pile: Pile | None = None
    known: tuple[tuple[int, Card], ...] = ()

    def held(self, card: Card) -> ACardHolder | None:
        """Return the holder of an A card, or None."""
        return self.little if card is LITTLE_A else self.big

    def barred(self, now: int) -> Card | None:
        """Return the A card that cannot be led in this round; at most one at a time (5.8, 5.9)."""
        return next((card for card in A_CARDS if (held := self.held(card)) and now < held.free), None)

    def seen(self) -> tuple[tuple[int, Card], ...]:
        """Return every card with a publicly known holder, seat by seat and weakest first."""
        mean = ((held.seat, card) for card in A_CARDS if (held := self.held(card)))
        return tuple(sorted((*self.known, *mean), key=lambda pair: (pair[0], POWER[pair[1]])))

    def handed_out(self, seat: int, now: int) -> ACardState:
        """Return the state after the winner of a round took the next A card (5.1, 5.2)."""
        taken = ACardHolder(seat, now)
        if self.lying == A_CARDS:
            return self._replace(lying=(BIG_A,), little=taken)
        return self._replace(lying=(), big=taken)

    def led(self, card: Card) -> ACardState:
        """Return the state after the lead of an A card."""
        return self._replace(little=None) if card is LITTLE_A else self._replace(big=None)

    def after(self, seat: int, played: Cards) -> ACardState:
        """Return the state after a play.

        Of equal cards the known ones are counted as played first.
        """
        if not self.known:
            return self
        left = list(self.known)
        for card in played:
            if (seat, card) in left:
                left.remove((seat, card))
        return self._replace(known=tuple(left))

    def taken_up(self, seat: int, cards: Cards, now: int) -> ACardState:
        """Return the state after a seat took a Big-A trick into its hand (6.11, 6.12)."""
        others = ((seat, card) for card in without(cards, (BIG_A,)))
        return self._replace(big=ACardHolder(seat, now), known=(*self.known, *others))

    def facts(self, now: int) -> Iterator[Fact]:
        """Yield the public facts in this round."""
        if self.lying:
            yield "middle", self.lying
        for name, held in (("little", self.little), ("big", self.big)):
            if held:
                yield name, Seat(held.seat)
                yield f"{name}_since", held.round
            if held and now < held.free:
                yield f"{name}_from", held.free
        if self.pile:
            yield "pile", (Of(Seat(self.pile.seat), self.pile.cards),)
        if self.known:
            known = sorted(self.known, key=lambda pair: (pair[0], POWER[pair[1]]))
            yield "held", by_seat(known)
