"""A hand of a climbing game in small integers, quick to play and to copy.

It changes in place and holds all hands. The readable rules stay the authority: tests/laws/test_packed_tricks.py plays
hands in both, step by step. Each game adds its own rules in a subclass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from bot.ai.engine.codes import FIELD, STATE, Codes
from bot.rules.core.cards import Cards
from bot.rules.core.trick import Trick
from bot.rules.core.turns import Turns

NOBODY: Final = -1
NOTHING: Final = -1  # a code


@dataclass(slots=True, init=False, eq=False)
class ClimbingHand(ABC):
    """A hand in progress.

    hands: the cards of each seat; counts: how many; held: all combinations in them. turn: who is asked. top: the code
    that lies there, NOTHING in a lead; owner: whose it is. out: who is out of the trick, a bit for each seat. gone: who
    has no cards left, first first. able: the seats with a right to act in this hand, one bit each. over: whether it has
    ended. after: for each seat who comes after it, itself last. locks: whether a pass holds till the next lead.
    """

    penalties: ClassVar = False
    codes: Codes
    after: Sequence[Sequence[int]]
    hands: list[int]
    counts: list[int]
    held: list[int]
    gone: list[int]
    turn: int
    top: int
    owner: int
    out: int
    able: int
    over: bool
    locks: bool

    def __init__(self, codes: Codes, game: Any) -> None:
        self.codes = codes
        turns: Turns = game.turns
        seats = range(turns.players)
        self.after = [[(seat + turns.step * ahead) % len(seats) for ahead in (*seats[1:], 0)] for seat in seats]
        self.locks = turns.holds == "trick"
        self.hands = [codes.hand(hand) for hand in game.hands]
        self.counts = [len(hand) for hand in game.hands]
        self.held = [codes.held(hand) for hand in self.hands]
        trick: Trick = game.trick
        self.turn = game.turn
        self.top = codes.code_of(codes.hand(trick.top.cards)) if trick.top else NOTHING
        self.owner = NOBODY if trick.owner is None else trick.owner
        self.out = sum(1 << seat for seat in turns.out(trick))
        self.gone, self.over = [], False
        self.able = sum(1 << seat for seat in seats if self.counts[seat])

    def copy(self) -> Self:
        """Return the same once more, to go on with from here."""
        other = object.__new__(type(self))
        other.codes, other.after, other.locks = self.codes, self.after, self.locks
        other.hands, other.counts, other.held = self.hands[:], self.counts[:], self.held[:]
        other.turn, other.top, other.owner, other.out = self.turn, self.top, self.owner, self.out
        other.gone, other.able, other.over = self.gone[:], self.able, self.over
        return other

    # What a game adds

    def allies(self, seat: int) -> int:  # most games have no partners
        """Return the allies of a seat, as bits."""
        return 0

    @abstractmethod
    def _played(self, seat: int, code: int, before: int) -> None:
        """Record a play on the code that was on top before."""

    def _ends(self, seat: int) -> bool:
        """Tell whether the hand is over after this seat went out."""
        return True

    def _heir(self, seat: int) -> int:
        """Return the seat that leads instead of a seat without cards."""
        heir: int = next(other for other in self.after[seat] if self.able >> other & 1)
        return heir

    def _lead(self, seat: int) -> None:
        """Have this seat lead."""
        self.turn = seat

    @abstractmethod
    def points(self) -> Sequence[float]:
        """Return the points of each seat, once it is over; many are good."""

    # What may be done

    def legal(self) -> int:
        """Return what the seat on turn may play, as bits."""
        held = self.held[self.turn]
        return held if self.top == NOTHING else held & self.codes.over[self.top]

    # What is done

    def play(self, code: int) -> None:
        """Play what is legal for the seat on turn."""
        seat, fits = self.turn, self.codes.fits
        hand, held = self.hands[seat], self.held[seat]
        for slot, need in self.codes.takes[code]:
            at = slot * FIELD
            state = hand >> at & STATE
            left = need.after[state]
            hand += (left - state) << at
            held &= fits[slot][left]
        self.hands[seat], self.held[seat] = hand, held
        self.counts[seat] -= self.codes.sizes[code]
        self.lay(code)

    def play_cards(self, cards: Cards) -> int:
        """Play these very cards, and return their code."""
        seat, codes = self.turn, self.codes
        hand = codes.hand(cards)
        code = codes.code_of(hand)
        self.hands[seat] -= hand
        self.held[seat] = codes.held(self.hands[seat])
        self.counts[seat] -= codes.sizes[code]
        self.lay(code)
        return code

    def lay(self, code: int) -> None:
        """Lay on top what the seat on turn has taken out of its hand."""
        seat, before = self.turn, self.top
        self._played(seat, code, before)
        self.top, self.owner = code, seat
        if not self.locks:
            self.out = 0
        if not self.counts[seat]:
            self.gone.append(seat)
            self.able &= ~(1 << seat)
            if self._ends(seat):
                self.over = True
                return
        self._next(seat)

    def skip(self) -> None:
        """Pass, where the seat on turn may."""
        self.out |= 1 << self.turn
        self._next(self.turn)

    def _next(self, seat: int) -> None:
        """Find the next seat on turn; without one the trick ends and its owner, or an heir, leads."""
        owner, few, asked = self.owner, self.codes.idle[self.top], self.able & ~self.out
        for other in self.after[seat]:
            if other != owner and asked >> other & 1:
                if self.counts[other] >= few:
                    self.turn = other
                    return
                self.out |= 1 << other
        self._lead(owner if self.able >> owner & 1 else self._heir(owner))
        self.top, self.owner, self.out = NOTHING, NOBODY, 0
