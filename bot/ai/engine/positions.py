"""The decision of a seat: the actions to try, and imagined hands to try them in.

ClimbingPosition serves every game whose hand is a ClimbingHand; each game says in a Packing how it is packed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from bot.ai.engine.codes import Codes, bits
from bot.ai.engine.hand import ClimbingHand
from bot.ai.engine.plans import Judge, Weights
from bot.ai.engine.players import ClimbingPlayer
from bot.ai.engine.rollout import Rollout
from bot.ai.engine.search import ImaginedHand
from bot.rules.core.actions import Action, Pass, Play
from bot.rules.core.asks import NameAsk, PlayAsk
from bot.rules.core.game import Teams, View
from bot.rules.core.sentences import Illegal


class Position(Protocol):
    """A decision of a seat, as the search needs it."""

    def imagine(self, rng: random.Random) -> ImaginedHand:
        """Return a whole hand that the seat can imagine."""
        ...

    def candidates(self, planned: Action) -> list[Action]:
        """Return the actions to try, the most promising first. planned: by a player who tries nothing out."""
        ...


def ordered(view: View, planned: Action, others: Sequence[Action]) -> list[Action]:
    """Return the planned action, the most promising other one, to pass, and the rest."""
    others = others if view.seat in view.awaited else ()
    passing = [Pass()] if others and isinstance(view.ask, PlayAsk | NameAsk) and view.ask.may_pass else []
    return list(dict.fromkeys([planned, *others[:1], *passing, *others]))


class SeatModel(NamedTuple):
    """How a seat values combinations in imagined hands. reading: of a View, tells the standing of a combination."""

    reading: Callable[[View], Any]
    weights: Weights


class Packing(NamedTuple):
    """How a climbing game is packed.

    codes: the combinations under its rules. hand: packs a hand of its rules. alone, allied: how seats
    think that have no allies, or some.
    """

    codes: Callable[[Any], Codes]
    hand: Callable[[Any], ClimbingHand]
    alone: SeatModel
    allied: SeatModel


def thinking(reading: Callable[[View], Any], taste: Any, **more: float) -> SeatModel:
    """Return the thinking of a taste. more: weights that the taste lacks, or that differ."""
    shared = {name: getattr(taste, name) for name in Weights._fields if hasattr(taste, name)}
    return SeatModel(reading, Weights(**shared | more))


class ClimbingPosition:
    """A decision in a climbing game."""

    def __init__(self, view: View, packing: Packing) -> None:
        self._view, self._packing = view, packing
        self._judges = dict[tuple[bool, bool], Judge]()

    @cached_property
    def codes(self) -> Codes:
        """The combinations of the game."""
        return self._packing.codes(self._view.rules)

    def judge(self, seat: int, allies: int) -> Judge:
        """Return what a seat with these allies, given as bits, thinks; made once for all imagined hands."""
        key = seat == self._view.seat, bool(allies)
        found = self._judges.get(key)
        if found is None:
            found = self._judges[key] = self._judge(seat, allies)
        return found

    def _judge(self, seat: int, allies: int) -> Judge:
        view, thinks = self._view, self._packing.allied if allies else self._packing.alone
        side = Teams(frozenset(bits(allies | 1 << seat)), frozenset())
        hand = view.hand if seat == view.seat else ()
        reading = thinks.reading(replace(view, seat=seat, hand=hand, own_teams=side))
        standing = {key: reading.standing(sample) for key, sample in self.codes.samples.items()}
        return Judge(self.codes, [standing[key] for key in self.codes.keys], thinks.weights)

    def imagine(self, rng: random.Random) -> ImaginedHand:
        """Return a whole hand that the seat can imagine."""
        return self.rollout(self._view.rules.imagine(self._view, rng))

    def rollout(self, game: Any) -> Rollout:
        """Return a roll-out of a hand of the rules; each seat thinks as this seat expects."""
        hand = self._packing.hand(game)
        judges = [self.judge(seat, hand.allies(seat)) for seat in range(len(hand.hands))]
        return Rollout(hand, [ClimbingPlayer(judge, hand, seat) for seat, judge in enumerate(judges)])

    def candidates(self, planned: Action) -> list[Action]:
        """Return the actions to try."""
        return ordered(self._view, planned, self.others())

    def others(self) -> Sequence[Action]:
        """Return the plays, the one with the best rest first; of plays that are alike in all that matters one."""
        return [*self._plays()] if isinstance(self._view.ask, PlayAsk) else ()

    def _plays(self) -> Iterator[Action]:
        view, codes = self._view, self.codes
        hand = self._packing.hand(view.rules.imagine(view, random.Random(0)))
        mine, judge = hand.hands[hand.turn], self.judge(hand.turn, hand.allies(hand.turn))
        rests = ((code, codes.left(mine, code)) for code in bits(hand.legal()))
        cost = {code: judge.plan(rest).cost for code, rest in rests}
        for code in sorted(cost, key=cost.__getitem__):
            try:
                yield Play(view.plays.verify(codes.cards(codes.takes[code], view.hand)).cards)
            except Illegal:
                continue  # a rule that the packed hand leaves out
