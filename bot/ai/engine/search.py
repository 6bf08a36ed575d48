"""The decision of a seat: actions to try, imagined hands to try them in, and the choice."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from statistics import fmean
from typing import Any, NamedTuple, Protocol, TypeAlias

from bot.ai.engine.codes import Codes, bits
from bot.ai.engine.hand import ClimbingHand
from bot.ai.engine.players import ClimbingPlayer, Judge, Weights
from bot.ai.engine.rollout import Rollout
from bot.rules.core.asks import Action, NameAsk, Pass, Play, PlayAsk
from bot.rules.core.game import Teams, View
from bot.rules.core.sentences import Illegal

DOUBT = 1.5  # standard errors by which a cautious player wants another action to be better than the first
HOPE = 1.0  # standard errors by which an action has to be worse before a cautious player gives it up
MIN_HANDS = 4  # fewer imagined hands have no standard error


class SearchRound(NamedTuple):
    """The number of promising actions, and of further imagined hands to try them in."""

    actions: int
    hands: int


Rounds: TypeAlias = tuple[SearchRound, ...]


class ImaginedHand(Protocol):
    """A whole hand, with all cards, that the seat can imagine."""

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how many points the seat comes out better than the table after this action."""
        ...


TimeCheck: TypeAlias = Callable[[], bool]  # tells whether the time is up
Imagine: TypeAlias = Callable[[random.Random], ImaginedHand]


def no_time_limit() -> bool:
    """Return that time is left: the default of ``is_time_up``."""
    return False


class ActionTally:
    """The gains of an action over the imagined hands so far."""

    def __init__(self) -> None:
        self.total = self._squares = 0.0
        self._count = 0

    def add(self, gain: float) -> None:
        """Count the gain in one more imagined hand."""
        self.total += gain
        self._squares += gain * gain
        self._count += 1

    @property
    def sure(self) -> float:
        """The mean gain less what may be chance."""
        return self.total / self._count - DOUBT * self._error if self._count >= MIN_HANDS else 0.0

    @property
    def is_hopeless(self) -> bool:
        """Whether the gain is surely negative, so that further trials are a waste."""
        return self._count >= MIN_HANDS and self.total / self._count + HOPE * self._error < 0

    @property
    def _error(self) -> float:
        """The standard error of the mean."""
        mean = self.total / self._count
        return math.sqrt(max(0.0, self._squares / self._count - mean * mean) / self._count)


class Search:
    """A search for the best action of a seat.

    imagine: makes an imagined hand. cautious: whether gains are measured against the first action, preferred unless
    another action is surely better; without caution, the highest total wins.
    """

    def __init__(self, seat: int, imagine: Imagine, rng: random.Random, *, cautious: bool = True) -> None:
        self._seat, self._imagine, self._rng, self._cautious = seat, imagine, rng, cautious
        self.tried = 0

    def best(self, actions: Sequence[Action], rounds: Rounds, is_time_up: TimeCheck = no_time_limit) -> Action:
        """Return the best action.

        actions: the most promising first. is_time_up: tells when the time is over; one imagined hand is always tried.
        """
        tallies = {action: ActionTally() for action in actions}
        for count, hands in rounds:
            tallies = {action: tallies[action] for action in self._promising(tallies, count)}
            for _ in range(hands if len(tallies) > 1 else 0):
                if self.tried and is_time_up():
                    break
                gains = self._try(tallies)
                least = gains[actions[0]] if self._cautious else 0.0
                for action, tally in tallies.items():
                    tally.add(gains[action] - least)
        return max(tallies, key=lambda action: tallies[action].sure if self._cautious else tallies[action].total)

    def trials(self, actions: Collection[Action]) -> Iterator[Mapping[Action, float]]:
        """Yield the outcome of each action, one imagined hand after the other."""
        while True:
            yield self._try(actions)

    def compare(self, better: Action, done: Action, hands: int) -> float:
        """Return the average gain in points of one action over another, in imagined hands.

        hands: the number of imagined hands.
        """
        return fmean(gains[better] - gains[done] for gains in islice(self.trials((better, done)), hands))

    def _promising(self, tallies: Mapping[Action, ActionTally], count: int) -> Iterator[Action]:
        """Yield the first action, if this search is cautious, and so many of the best others."""
        actions = list(tallies)
        if self._cautious:
            yield actions[0]
            actions = [action for action in actions[1:] if not tallies[action].is_hopeless]
        yield from sorted(actions, key=lambda action: tallies[action].total, reverse=True)[:count]

    def _try(self, actions: Collection[Action]) -> Mapping[Action, float]:
        """Return the outcome of each action in one more imagined hand."""
        hand = self._imagine(self._rng)
        self.tried += 1
        return {action: hand.outcome(action, self._seat) for action in actions}


class Position(Protocol):
    """A decision of a seat, as the search needs it."""

    def imagine(self, rng: random.Random) -> ImaginedHand:
        """Return a whole hand that the seat can imagine."""
        ...

    def candidates(self, planned: Action) -> list[Action]:
        """Return the actions to try, the most promising first.

        planned: by a player who tries nothing out.
        """
        ...


def ordered(view: View, planned: Action, others: Sequence[Action]) -> list[Action]:
    """Return the planned action, the most promising other one, to pass, and the rest."""
    others = others if view.seat in view.awaited else ()
    passing = [Pass()] if others and isinstance(view.ask, PlayAsk | NameAsk) and view.ask.may_pass else []
    return list(dict.fromkeys([planned, *others[:1], *passing, *others]))


class SeatModel(NamedTuple):
    """How a seat values combinations in imagined hands.

    reading: of a View, tells the stay chance of a combination.
    """

    reading: Callable[[View], Any]
    weights: Weights


class Packing(NamedTuple):
    """How a climbing game is packed.

    codes: the combinations under its rules. hand: packs a hand of its rules. alone, allied: the models of seats
    without allies, and with allies.
    """

    codes: Callable[[Any], Codes]
    hand: Callable[[Any], ClimbingHand]
    alone: SeatModel
    allied: SeatModel


def seat_model(reading: Callable[[View], Any], style: Any, **more: float) -> SeatModel:
    """Return the model of a seat that plays in a style.

    more: weights that the style lacks, or that differ.
    """
    shared = {name: getattr(style, name) for name in Weights._fields if hasattr(style, name)}
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
        """Return the estimates of a seat with these allies, given as bits.

        Made once for all imagined hands.
        """
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
        stay_chance = {key: reading.stay_chance(sample) for key, sample in self.codes.samples.items()}
        return Judge(self.codes, [stay_chance[key] for key in self.codes.keys], thinks.weights)

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
        """Return the plays, the one with the best rest first.

        Equivalent plays appear once.
        """
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
