"""A hand of The Big and the Little A in small numbers, to be tried out often: so many cards of each power.

The readable rules stay the judge: a law plays hands in both, step by step. Knows a whole hand. Refuses to know what is
wise, and what jokers alone are called: they are the highest there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.ai.games.big_little_a_worth import BIG, LITTLE, PLACES, counted
from bot.rules.big_little_a.play import BigLittleAGame, leads_a_round
from bot.rules.big_little_a.score import in_hand, in_pile
from bot.rules.big_little_a.table import WAIT, Held
from bot.rules.big_little_a.tables import BIG_A, JOKER, LITTLE_A, LOWEST, NUMBERS, POWER

NOBODY: Final = -1
JOKERS: Final = POWER[JOKER]
OF_POWER: Final = (JOKER, *NUMBERS, JOKER, LITTLE_A, BIG_A)  # by power, from 1


class PackedNumbers:
    """A hand in progress.

    hands: so many cards of each power, by seat; sizes: how many in all. turn: who is asked. round: which one it is.
    lying: A cards in the middle. since: in which round each A card was taken that somebody holds. size, strength,
    owner: of what lies on top, size 0 before a lead. moves: so many in this round; passes: since the last play. led: by
    power the A card that was led in this round, else 0. trick: the cards that lie in it. pile, pile_points: who has
    taken the little-a trick, and what it costs. prices, pile_prices: of a card of each power in a hand and in there.
    once: whether everybody has one turn in a round.
    """

    __slots__ = (
        "hands",
        "led",
        "lying",
        "moves",
        "once",
        "over",
        "owner",
        "passes",
        "pile",
        "pile_points",
        "pile_prices",
        "prices",
        "round",
        "since",
        "size",
        "sizes",
        "strength",
        "trick",
        "turn",
    )

    def __init__(self) -> None:
        self.once = self.over = False
        self.turn = self.round = self.lying = self.size = self.strength = self.moves = self.passes = self.led = 0
        self.owner = self.pile = NOBODY
        self.pile_points = 0
        self.hands, self.sizes, self.trick = list[list[int]](), list[int](), list[int]()
        self.since = dict[int, int]()
        self.prices: Sequence[int] = ()
        self.pile_prices: Sequence[int] = ()

    @classmethod
    def of(cls, game: BigLittleAGame) -> PackedNumbers:
        """Return a hand as it stands."""
        here, options, top = cls(), game.rules.options, game.trick.top
        here.hands, here.sizes = [counted(hand) for hand in game.hands], [len(hand) for hand in game.hands]
        here.turn, here.round, here.lying = game.turn, game.round, len(game.middle.lying)
        here.prices = [0, *(in_hand(card, options) for card in OF_POWER[1:])]
        here.pile_prices = [0, *(in_pile(card, options) for card in OF_POWER[1:])]
        here.once = options.round_mode == "one_turn_each"
        here.over = game.result is not None
        for power, held in ((LITTLE, game.middle.little), (BIG, game.middle.big)):
            if isinstance(held, Held):
                here.since[power] = held.round
        if game.middle.pile:
            here.pile = game.middle.pile.seat
            here.pile_points = sum(here.pile_prices[POWER[card]] for card in game.middle.pile.cards)
        if top and game.trick.owner is not None:
            here.owner, here.size, here.strength = game.trick.owner, len(top.cards), top.strength
            here.moves, here.passes = len(game.trick.moves), game.trick.passes
            here.trick = [POWER[card] for card in game.trick.cards]
            here.led = here.trick[0] if leads_a_round(game.trick) else 0
        return here

    def copy(self) -> PackedNumbers:
        """Return the same once more, to go on with from here."""
        other = PackedNumbers()
        other.once, other.over, other.turn, other.round, other.lying = (
            self.once,
            self.over,
            self.turn,
            self.round,
            self.lying,
        )
        other.size, other.strength, other.moves, other.passes = self.size, self.strength, self.moves, self.passes
        other.led, other.owner, other.pile, other.pile_points = self.led, self.owner, self.pile, self.pile_points
        other.hands, other.sizes, other.trick = [hand[:] for hand in self.hands], self.sizes[:], self.trick[:]
        other.since, other.prices, other.pile_prices = self.since.copy(), self.prices, self.pile_prices
        return other

    # What may be done

    def free(self, power: int) -> bool:
        """Tell whether an A card that the seat on turn holds can be led (5.8)."""
        return self.round >= self.since.get(power, 0) + WAIT

    # What is done

    def play(self, cards: Sequence[int], strength: int) -> None:
        """Play cards, given by their powers, that are as high as that in this round."""
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
        """Pass, or do nothing where there is nothing to do."""
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


def in_a_round(power: int) -> int:
    """Return how high a card is in an A round (4.3, 6.1)."""
    return LOWEST if power == JOKERS else power


assert len(OF_POWER) == PLACES
