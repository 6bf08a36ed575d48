"""Turns: who is asked next in a trick, when it is over, who leads the next one, and what nobody may do out of turn.

Knows seats, moves and the choices that a game makes about them. Refuses to know what cards are, and why anybody plays
or passes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from bot.rules.core.actions import Action, Pass, Play
from bot.rules.core.asks import Ask, PlayAsk
from bot.rules.core.cards import Cards
from bot.rules.core.game import Plays, Result, View
from bot.rules.core.sentences import Illegal, Seat
from bot.rules.core.trick import Combo, Trick

Able: TypeAlias = Sequence[object]  # by seat, true for whoever can be asked: the hands themselves will mostly do

MAY_PASS, MUST_LEAD = PlayAsk(may_pass=True), PlayAsk(may_pass=False)
_NOBODY: frozenset[int] = frozenset()


class Articles(NamedTuple):
    """What is cited. turn: whose turn it is. lead: who leads has to play. choice: at one's turn one plays or passes."""

    turn: str
    lead: str
    choice: str


@dataclass(frozen=True, slots=True)
class Turns:
    """How turns go round among so many players, by these articles.

    step: 1 where the next seat is the one with the next number, -1 where it is the one before. holds: what a pass
    holds for: "play", until the next play; "trick", until the next lead; "once": every move does that, so that
    everybody has one turn. beats_own: whether who played last may go on alone when nobody else is left in the trick.
    comes_back: whether who has passed may come in out of turn, and is in the trick again then.
    plays_on: whether a hand goes on when somebody has gone out, until only one can still be asked.
    """

    players: int
    articles: Articles
    step: int = 1
    holds: Literal["play", "trick", "once"] = "play"
    beats_own: bool = False
    comes_back: bool = True
    plays_on: bool = False

    def out(self, trick: Trick) -> frozenset[int]:
        """Return who is out of the trick. A leader who could only pass is not: the trick begins with the first play."""
        return frozenset(self._locked(trick))

    def _locked(self, trick: Trick) -> Collection[int]:
        if self.holds == "once":
            return [move.seat for move in trick.moves]
        if trick.owner is None:
            return _NOBODY
        if self.holds == "trick":
            return _passed(trick)
        return [move.seat for move in trick.moves[-trick.passes :]] if trick.passes else _NOBODY

    def left(self, trick: Trick) -> frozenset[int]:
        """Return who is out of the trick to its end, whatever is played on it."""
        return _NOBODY if self.holds == "play" else self.out(trick)

    def following(self, trick: Trick, seat: int, able: Able) -> int | None:
        """Return who is asked after this seat has moved; None where the trick is over."""
        out, owner = self._locked(trick), None if self.beats_own else trick.owner
        for other in _after(self.players, self.step)[seat]:
            if able[other] and other != owner and other not in out:
                return other
        return None

    def answering(self, trick: Trick, seat: int, able: Able) -> int | None:
        """Return which other seat would be asked if this seat played now; None where no other could answer."""
        other = self.following(trick._replace(owner=seat, passes=0), seat, able)
        return None if other == seat else other

    def after_pass(self, trick: Trick, seat: int, able: Able) -> int:
        """Return who would act if this seat passed now: who is asked then, or who leads once the trick is over."""
        other = self.following(trick.passed(seat), seat, able)
        if other is not None:
            return other
        return self.heir(seat if trick.owner is None else trick.owner, able)

    def going_on(
        self, trick: Trick, seat: int, able: Able, idle: Callable[[int, Trick], bool]
    ) -> tuple[Trick, int | None]:
        """Return the trick and who is asked after this seat, those having passed who are idle: it needs no asking."""
        while (other := self.following(trick, seat, able)) is not None and idle(other, trick):
            trick, seat = trick.passed(other), other
        return trick, other

    def heir(self, seat: int, able: Able) -> int:
        """Return who leads instead of this seat: itself where it can be asked, else the next who can."""
        return next(other for other in self.round(seat) if able[other])

    def round(self, seat: int) -> Iterator[int]:
        """Yield all seats in turn, this one first."""
        return ((seat + self.step * ahead) % self.players for ahead in range(self.players))

    def interrupters(self, trick: Trick, ready: AbstractSet[int]) -> frozenset[int]:
        """Return who of those that are ready may come in, in turn or not: nobody beats an own play out of turn."""
        if trick.owner is None:
            return _NOBODY
        return frozenset(ready - {trick.owner} - (_NOBODY if self.comes_back else self.out(trick)))

    def ended(self, able: Able) -> bool:
        """Tell whether a hand is over in which somebody has gone out."""
        return not self.plays_on or sum(map(bool, able)) < 2


@cache
def _after(players: int, step: int) -> tuple[tuple[int, ...], ...]:
    """Return for each seat who is asked after it, itself last."""
    seats = range(players)
    return tuple(tuple((seat + step * ahead) % players for ahead in range(1, players + 1)) for seat in seats)


def _passed(trick: Trick) -> frozenset[int]:
    """Return whose last move in the trick is a pass, as far as passes still hold."""
    out, begun = set[int](), trick.since > 0
    for move in trick.moves[trick.since :]:
        if move.combo is not None:
            begun = True
            out.discard(move.seat)
        elif begun:
            out.add(move.seat)
    return frozenset(out)


# What is done in turn


class Hand(Protocol):
    """A hand in which tricks are played."""

    @property
    def rules(self) -> Any:
        """The rules of the game."""
        ...

    @property
    def result(self) -> Result | None:
        """How the hand ended, or None while it goes on."""
        ...

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The cards of each seat."""
        ...

    @property
    def trick(self) -> Trick:
        """What lies there."""
        ...

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished ones."""
        ...

    @property
    def turn(self) -> int:
        """Who is asked."""
        ...

    @property
    def turns(self) -> Turns:
        """How turns go now."""
        ...

    @property
    def awaited(self) -> frozenset[int]:
        """Who is asked; nobody when the hand is over."""
        ...

    @property
    def to_act(self) -> frozenset[int]:
        """The same, and who may come in besides."""
        ...

    def ask(self, seat: int) -> Ask | None:
        """Return what this seat, which may act, is asked now."""
        ...

    def plays_of(self, seat: int) -> Plays:
        """Return what a seat that may act can play."""
        ...

    def why_no_pass(self, seat: int) -> Illegal | None:
        """Return why the seat on turn may not pass, or None."""
        ...

    def played(self, seat: int, combo: Combo) -> Any:
        """Return the hand after this play."""
        ...

    def passed(self, seat: int) -> Any:
        """Return the hand after a pass."""
        ...


H = TypeVar("H", bound=Hand)


def check_turn(hand: Hand, seat: int) -> None:
    """Raise Illegal where a seat cannot do anything, because the hand is over or others are asked."""
    if hand.result is not None:
        raise Illegal(hand.rules.end_article, "This hand is over.")
    if seat not in hand.to_act:
        raise _not_its_turn(hand)


def play_or_pass(hand: H, seat: int, action: Action) -> H:
    """Return the hand after a play or a pass. Raises Illegal, and then nothing has changed."""
    check_turn(hand, seat)
    after: H
    match action:
        case Play():
            after = hand.played(seat, hand.plays_of(seat).verify(action.cards))
        case Pass():
            if refused := hand.why_no_pass(seat) if seat == hand.turn else _not_its_turn(hand):
                raise refused
            after = hand.passed(seat)
        case _:
            raise Illegal(hand.turns.articles.choice, "At your turn you play or pass.")
    return after


def asked(hand: Hand) -> PlayAsk:
    """Return what the seat on turn is asked where nobody is asked but to play."""
    return MAY_PASS if hand.trick.top else MUST_LEAD


def seen(hand: Hand, seat: int | None, facts: Iterable[tuple[str, Any]], **rest: Any) -> View:
    """Return what a seat, or with None any onlooker, may know of a hand in which tricks are played.

    facts: what else is public. rest: what the game itself says of ``known``, ``told``, ``must``, ``rules``, ``teams``,
    and of ``out`` where a seat can be out of a trick without a pass.
    """
    passed = any(move.seat == seat and move.combo is None for move in hand.trick.moves)
    out = passed and seat in hand.turns.left(hand.trick)
    own: dict[str, Any] = {"rules": hand.rules, "must": None, "known": (), "told": (), "out": out}
    to_act = hand.to_act
    awaited = to_act if len(to_act) < 2 else hand.awaited
    return View(
        seat=seat,
        hand=() if seat is None else hand.hands[seat],
        counts=tuple(map(len, hand.hands)),
        to_act=to_act,
        awaited=awaited,
        ask=hand.ask(seat) if seat is not None and seat in to_act else None,
        facts=tuple(facts),
        trick=hand.trick,
        tricks=hand.tricks,
        result=hand.result,
        **own | rest,
    )


def _not_its_turn(hand: Hand) -> Illegal:
    return Illegal(hand.turns.articles.turn, "It is {seat}'s turn.", seat=Seat(hand.turn))


def has_to_lead(hand: Hand) -> Illegal | None:
    """Return why the seat on turn may not pass where it leads; None where something lies there."""
    if hand.trick.top is not None:
        return None
    return Illegal(hand.turns.articles.lead, "You lead, so you have to play something.")
