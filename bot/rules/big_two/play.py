"""6. The play: one hand of Big Two in progress.

Knows whose turn it is and what may be played now. Refuses to know scores and the next hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bot.rules.big_two.groups import Groups
from bot.rules.big_two.refuse import no_combination, not_held, not_higher
from bot.rules.big_two.score import Breach, breach, offender, score
from bot.rules.cards import Card, Cards, lacking, without
from bot.rules.game import Action, Combo, Illegal, Pass, Play, PlayAsk, Result, Seat, View
from bot.rules.trick import EMPTY, Trick

if TYPE_CHECKING:
    from bot.rules.big_two.rules import BigTwo

PLAYERS = 4  # 1.1
_TURNS = tuple(frozenset({seat}) for seat in range(PLAYERS))
_NOBODY: frozenset[int] = frozenset()


@dataclass(slots=True)
class BigTwoPlays:
    """What a hand can play on ``top`` (None: as a lead), containing the card ``must`` if one is given."""

    groups: Groups
    hand: Cards = field(repr=False)
    top: Combo | None
    must: Card | None

    def __iter__(self) -> Iterator[Combo]:
        found = self.groups.over(self.hand, self.top)
        return found if self.must is None else (combo for combo in found if self.must in combo.cards)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def first(self, count: int) -> list[Combo]:
        """Return the weakest plays, at most ``count`` of them, without making the others."""
        return list(islice(self, count))

    def verify(self, played: Cards) -> Combo:
        """Return the combination these cards make here, or raise Illegal with the article that forbids it."""
        if missing := lacking(self.hand, played):
            raise not_held(self.hand, missing)
        combo = self.groups.classify(played)
        if combo is None:
            raise no_combination(self.groups.sort(played))
        if self.must is not None and self.must not in combo.cards:
            raise Illegal("6.1", "The first play of the hand has to contain {card}.", card=self.must)
        if self.top is not None and not self.groups.beats(combo, self.top):
            raise not_higher(combo, self.top)
        return combo


class BigTwoGame(NamedTuple):
    """A hand in progress. hands: each seat's cards, weakest first. turn: who acts. cut: the card shown (5.4)."""

    rules: BigTwo
    hands: tuple[Cards, ...]
    turn: int
    dealer: int
    cut: Card
    must: Card | None
    trick: Trick = EMPTY
    tricks: tuple[Trick, ...] = ()
    last_breach: Breach | None = None
    result: Result | None = None

    def __repr__(self) -> str:
        """Say how far the hand has come; no card that is still held, for this may stand in a log."""
        return f"<BigTwoGame turn={self.turn} counts={tuple(map(len, self.hands))} tricks={len(self.tricks)}>"

    @property
    def to_act(self) -> frozenset[int]:
        """The seat whose turn it is; nobody when the hand is over."""
        return _TURNS[self.turn] if self.result is None else _NOBODY

    def view(self, seat: int | None) -> View:
        """Return what this seat, or with None any onlooker, may know (6.9: all card counts are public)."""
        asked = self.result is None and seat == self.turn
        return View(
            rules=self.rules,
            seat=seat,
            hand=() if seat is None else self.hands[seat],
            counts=tuple(map(len, self.hands)),
            to_act=self.to_act,
            ask=PlayAsk(may_pass=self.trick.top is not None) if asked else None,
            must=self.must,
            facts=(("dealer", Seat(self.dealer)), ("cut", self.cut)),
            trick=self.trick,
            tricks=self.tricks,
            result=self.result,
        )

    def act(self, seat: int, action: Action) -> BigTwoGame:
        """Return the game that follows. Raises Illegal, and then nothing has changed."""
        if self.result is not None:
            raise Illegal("6.10", "This hand is over.")
        if seat != self.turn:
            raise Illegal("6.2", "It is {seat}'s turn.", seat=Seat(self.turn))
        if isinstance(action, Play):
            return self._play(self.plays.verify(action.cards))
        if isinstance(action, Pass):
            return self._pass()
        raise Illegal("6.3", "At your turn you play or pass.")

    @property
    def plays(self) -> BigTwoPlays:
        """What the player whose turn it is may play."""
        return BigTwoPlays(self.rules.groups, self.hands[self.turn], self.trick.top, self.must)

    def _play(self, combo: Combo) -> BigTwoGame:
        seat, hand = self.turn, without(self.hands[self.turn], combo.cards)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        trick = self.trick.played(seat, combo)
        if not hand:
            return self._replace(hands=hands, trick=trick, must=None, result=self._score(hands, combo))
        return self._next(self._after(), hands, trick, self.tricks, self._breach(combo))

    def _pass(self) -> BigTwoGame:
        owner = self.trick.owner
        if owner is None:
            raise Illegal("6.7", "You lead, so you have to play something.")
        trick = self.trick.passed(self.turn)
        if trick.passes == len(self.hands) - 1:  # 6.6
            return self._next(owner, self.hands, EMPTY, (*self.tricks, trick), self._breach(None))
        return self._next(self._after(), self.hands, trick, self.tricks, self._breach(None))

    def _next(
        self, turn: int, hands: tuple[Cards, ...], trick: Trick, tricks: tuple[Trick, ...], last: Breach | None
    ) -> BigTwoGame:
        """Return the same hand some steps on."""
        return BigTwoGame(self.rules, hands, turn, self.dealer, self.cut, None, trick, tricks, last)

    def _after(self) -> int:
        return (self.turn + 1) % len(self.hands)

    def _breach(self, played: Combo | None) -> Breach | None:
        if len(self.hands[self._after()]) != 1:  # 8.1
            return None
        return breach(self.rules.groups, self.turn, self.hands[self.turn], self.trick.top, played)

    def _score(self, left: tuple[Cards, ...], winning: Combo) -> Result:
        charged = offender(self.rules.groups, self.rules.options, self.last_breach, winning)
        return score(self.rules.options, self.turn, left, charged)
