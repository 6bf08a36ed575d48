"""A hand of The Big and the Little A in small integers: the number of cards of each power.

The readable rules stay the authority: tests/laws/test_packed_numbers.py plays hands in both, step by step. Bare jokers
count as the highest number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import ClassVar, Final, Self

from bot.ai.games.big_little_a_worth import BIG, LITTLE, PLACES, Part, counted
from bot.rules.big_little_a.groups import BIG_A, JOKER, LITTLE_A, LOWEST, NUMBERS, POWER
from bot.rules.big_little_a.play import BigLittleAGame, leads_a_round
from bot.rules.big_little_a.score import penalty_in_hand, penalty_in_pile
from bot.rules.big_little_a.state import LEAD_DELAY_ROUNDS, ACardHolder
from bot.rules.core.cards import Cards

NOBODY: Final = -1
JOKERS: Final = POWER[JOKER]
OF_POWER: Final = (JOKER, *NUMBERS, JOKER, LITTLE_A, BIG_A)  # by power, from 1


@dataclass(slots=True)
class BigLittleAHand:
    """A hand in progress.

    hands: so many cards of each power, by seat; sizes: how many in all. turn: who is asked. round: which one it is.
    lying: A cards in the middle. since: the round in which each held A card was taken. size, strength, owner: of what
    lies on top, size 0 before a lead. moves: so many in this round; passes: since the last play. led: the A card led in
    this round, by power, else 0. trick: the cards that lie in it. pile, pile_points: the seat with the little-a trick,
    and the cost of the trick. prices, pile_prices: of a card of each power in a hand and in there. once: whether
    everybody has one turn in a round.
    """

    penalties: ClassVar = True
    hands: list[list[int]]
    sizes: list[int]
    trick: list[int]
    since: dict[int, int]
    prices: Sequence[int]
    pile_prices: Sequence[int]
    once: bool
    over: bool
    turn: int
    round: int
    lying: int
    size: int
    strength: int
    moves: int
    passes: int
    led: int
    owner: int
    pile: int
    pile_points: int

    @classmethod
    def of(cls, game: BigLittleAGame) -> Self:
        """Return a hand of the rules as it stands."""
        options, middle, trick = game.rules.options, game.middle, game.trick
        top = trick.top if trick.owner is not None else None
        lying = [POWER[card] for card in trick.cards] if top else []
        taken = ((LITTLE, middle.little), (BIG, middle.big))
        pile_prices = [0, *(penalty_in_pile(card, options) for card in OF_POWER[1:])]
        return cls(
            hands=[counted(hand) for hand in game.hands],
            sizes=[len(hand) for hand in game.hands],
            trick=lying,
            since={power: held.round for power, held in taken if isinstance(held, ACardHolder)},
            prices=[0, *(penalty_in_hand(card, options) for card in OF_POWER[1:])],
            pile_prices=pile_prices,
            once=options.round_mode == "one_turn_each",
            over=game.result is not None,
            turn=game.turn,
            round=game.round,
            lying=len(middle.lying),
            size=len(top.cards) if top else 0,
            strength=top.strength if top else 0,
            moves=len(trick.moves) if top else 0,
            passes=trick.passes if top else 0,
            led=lying[0] if top and leads_a_round(trick) else 0,
            owner=trick.owner if trick.owner is not None else NOBODY,
            pile=middle.pile.seat if middle.pile else NOBODY,
            pile_points=sum(pile_prices[POWER[card]] for card in middle.pile.cards) if middle.pile else 0,
        )

    def copy(self) -> BigLittleAHand:
        """Return an independent copy."""
        other = BigLittleAHand(*_values(self))
        other.hands, other.sizes = [hand[:] for hand in self.hands], self.sizes[:]
        other.trick, other.since = self.trick[:], self.since.copy()
        return other

    # What may be done

    def free(self, power: int) -> bool:
        """Tell whether an A card that the seat on turn holds can be led (5.8)."""
        return self.round >= self.since.get(power, 0) + LEAD_DELAY_ROUNDS

    # What is done

    def play(self, part: Part) -> None:
        """Play so many cards of one power."""
        size, power = part
        self.lay([power] * size, in_a_round(power) if self.led else power)

    def play_cards(self, cards: Cards) -> Part:
        """Play these very cards, and return their number and power."""
        powers = [POWER[card] for card in cards]
        named = next((power for power in powers if power < JOKERS), powers[0])
        self.lay(powers, in_a_round(named) if self.led else named)
        return len(powers), named

    def lay(self, cards: Sequence[int], strength: int) -> None:
        """Play cards, given by their powers. strength: how high the cards are in this round."""
        seat = self.turn
        hand = self.hands[seat]
        for power in cards:
            hand[power] -= 1
        self.sizes[seat] -= len(cards)
        if not self.size:
            if cards[0] >= LITTLE:
                self.led, strength = cards[0], 0
                self.since.pop(self.led, None)
            self.owner, self.size, self.strength = seat, len(cards), strength
        elif strength > self.strength:
            self.owner, self.strength = seat, strength
        self.trick += cards
        self.passes = 0
        self._next()

    def skip(self) -> None:
        """Pass for the seat on turn."""
        self.passes += 1
        self._next()

    def _next(self) -> None:
        """3.2-3.5, 6.2, O7: find who is asked, or end the round."""
        self.moves += 1
        seats = len(self.hands)
        done = self.moves >= seats if self.once or self.led else self.passes >= seats - 1
        if done:
            self._close()
        else:
            self.turn = (self.turn + 1) % seats

    def _close(self) -> None:
        """3.6, 5, 6.9-6.12: what becomes of the trick and the A cards, and who leads."""
        winner = self.owner
        hand = self.hands[winner]
        if self.led == LITTLE:
            self.pile, self.pile_points = winner, sum(self.pile_prices[power] for power in self.trick)
        elif self.led:
            for power in self.trick:
                hand[power] += 1
            self.sizes[winner] += len(self.trick)
            self.since[BIG] = self.round
        elif self.lying:
            taken = LITTLE if self.lying > 1 else BIG
            hand[taken] += 1
            self.sizes[winner] += 1
            self.lying -= 1
            self.since[taken] = self.round
        self.turn, self.size, self.strength, self.owner = winner, 0, 0, NOBODY
        self.moves = self.passes = self.led = 0
        self.trick = []
        if not all(self.sizes):
            self.over = True
            return
        self.round += 1
        while self._barred(self.turn):
            self.turn = (self.turn + 1) % len(self.hands)

    def _barred(self, seat: int) -> bool:
        """5.11: tell whether a hand is nothing but an A card that cannot be led yet."""
        hand = self.hands[seat]
        return self.sizes[seat] == 1 and any(hand[power] and not self.free(power) for power in (LITTLE, BIG))

    # What it comes to

    def points(self) -> list[int]:
        """Return the penalty points of each seat, once it is over (8)."""
        found = [sum(map(int.__mul__, hand, self.prices)) for hand in self.hands]
        if self.pile != NOBODY:
            found[self.pile] += self.pile_points
        return found


_values = attrgetter(*(field.name for field in fields(BigLittleAHand)))


def in_a_round(power: int) -> int:
    """Return how high a card is in an A round (4.3, 6.1)."""
    return LOWEST if power == JOKERS else power


assert len(OF_POWER) == PLACES
