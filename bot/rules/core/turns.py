"""Turns in a trick and around the table: next seat, next leader, actions out of turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from bot.rules.core.asks import Action, Ask, Pass, Play, PlayAsk
from bot.rules.core.cards import Cards
from bot.rules.core.game import Plays, Result, Rules, View
from bot.rules.core.sentences import Illegal, Seat
from bot.rules.core.trick import Combo, Trick

Able: TypeAlias = Sequence[object]  # by seat, true if the seat can be asked; often simply the hands

MAY_PASS, MUST_LEAD = PlayAsk(may_pass=True), PlayAsk(may_pass=False)
_NOBODY: frozenset[int] = frozenset()


class Articles(NamedTuple):
    """The articles cited in refusals.

    turn: whose turn. lead: the leader must play. choice: at one's turn, play or pass.
    """

    turn: str
    lead: str
    choice: str


@dataclass(frozen=True, slots=True)
class Turns:
    """How turns pass among a number of players, by these articles.

    step: 1 if turns pass to the next number, -1 if to the previous. holds: the validity of a pass: "play", until the
    next play; "trick", until the next lead; "once": every move ends the seat's part in the trick, so each seat has one
    turn. beats_own: whether the owner of the top play may beat it when no other seat remains in the trick.
    may_return_after_pass: whether a seat that passed may play out of turn and is then in the trick again. plays_on:
    whether the hand continues after a player went out, until only one seat can still be asked.
    """

    players: int
    articles: Articles
    _: KW_ONLY
    step: int = 1
    holds: Literal["play", "trick", "once"] = "play"
    beats_own: bool = False
    may_return_after_pass: bool = True
    plays_on: bool = False

    def out(self, trick: Trick) -> frozenset[int]:
        """Return the seats out of the trick.

        A leader who could only pass is not out: the trick begins with the first play.
        """
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
        """Return the seats out of the trick until its end, regardless of further plays."""
        return _NOBODY if self.holds == "play" else self.out(trick)

    def following(self, trick: Trick, seat: int, able: Able) -> int | None:
        """Return the seat asked after this seat's move; None when the trick is over."""
        out, owner = self._locked(trick), None if self.beats_own else trick.owner
        for other in _after(self.players, self.step)[seat]:
            if able[other] and other != owner and other not in out:
                return other
        return None

    def answering(self, trick: Trick, seat: int, able: Able) -> int | None:
        """Return the other seat that would be asked after a play of this seat.

        None if no other seat could answer.
        """
        other = self.following(trick._replace(owner=seat, passes=0), seat, able)
        return None if other == seat else other

    def after_pass(self, trick: Trick, seat: int, able: Able) -> int:
        """Return the seat that would act after a pass of this seat, or else the next leader."""
        other = self.following(trick.passed(seat), seat, able)
        if other is not None:
            return other
        return self.heir(seat if trick.owner is None else trick.owner, able)

    def advance(
        self, trick: Trick, seat: int, able: Able, idle: Callable[[int, Trick], bool]
    ) -> tuple[Trick, int | None]:
        """Return the trick and the seat asked after this seat, None if the trick is over.

        Idle seats pass automatically. idle: tells whether a seat needs no question.
        """
        while (other := self.following(trick, seat, able)) is not None and idle(other, trick):
            trick, seat = trick.passed(other), other
        return trick, other

    def heir(self, seat: int, able: Able) -> int:
        """Return the leader in place of this seat.

        The leader is the first seat able to be asked, starting with the seat itself.
        """
        return next(other for other in self.round(seat) if able[other])

    def round(self, seat: int) -> Iterator[int]:
        """Yield all seats in turn, this one first."""
        return ((seat + self.step * ahead) % self.players for ahead in range(self.players))

    def interrupters(self, trick: Trick, ready: AbstractSet[int]) -> frozenset[int]:
        """Return the ready seats that may play, in or out of turn.

        No seat beats its own play out of turn.
        """
        if trick.owner is None:
            return _NOBODY
        return frozenset(ready - {trick.owner} - (_NOBODY if self.may_return_after_pass else self.out(trick)))

    def ended(self, able: Able) -> bool:
        """Tell whether a hand is over after a player went out."""
        return not self.plays_on or sum(map(bool, able)) < 2


@cache
def _after(players: int, step: int) -> tuple[tuple[int, ...], ...]:
    """Return for each seat the seats in turn after it, itself last."""
    seats = range(players)
    return tuple(tuple((seat + step * ahead) % players for ahead in range(1, players + 1)) for seat in seats)


def _passed(trick: Trick) -> frozenset[int]:
    """Return the seats whose last move in the trick is a pass still valid."""
    out, begun = set[int](), trick.since > 0
    for move in trick.moves[trick.since :]:
        if move.combo is not None:
            begun = True
            out.discard(move.seat)
        elif begun:
            out.add(move.seat)
    return frozenset(out)


# Actions in turn


class TrickHand(Protocol):
    """A hand in which tricks are played."""

    @property
    def rules(self) -> Any:
        """The rules of the game."""
        ...

    @property
    def result(self) -> Result | None:
        """How the hand ended, None during the hand."""
        ...

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The cards of each seat."""
        ...

    @property
    def trick(self) -> Trick:
        """The current trick."""
        ...

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks."""
        ...

    @property
    def turn(self) -> int:
        """The seat on turn."""
        ...

    @property
    def turns(self) -> Turns:
        """How turns pass at present."""
        ...

    @property
    def awaited(self) -> frozenset[int]:
        """The seat on turn; empty when the hand is over."""
        ...

    @property
    def to_act(self) -> frozenset[int]:
        """The seat on turn and the seats that may play out of turn."""
        ...

    def ask(self, seat: int) -> Ask | None:
        """Return the question to a seat that may act."""
        ...

    def plays_of(self, seat: int) -> Plays:
        """Return the legal plays of a seat that may act."""
        ...

    def why_no_pass(self, seat: int) -> Illegal | None:
        """Return the reason why the seat on turn may not pass, or None."""
        ...

    def played(self, seat: int, combo: Combo) -> Any:
        """Return the hand after this play."""
        ...

    def passed(self, seat: int) -> Any:
        """Return the hand after a pass."""
        ...


H = TypeVar("H", bound=TrickHand)


def check_turn(hand: TrickHand, seat: int) -> None:
    """Raise Illegal after the end of the hand, or while other seats are asked."""
    if hand.result is not None:
        raise Illegal(hand.rules.end_article, "This hand is over.")
    if seat not in hand.to_act:
        raise _not_its_turn(hand)


def play_or_pass(hand: H, seat: int, action: Action) -> H:
    """Return the hand after a play or a pass. Raises Illegal for a forbidden action."""
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
            raise Illegal(hand.turns.articles.choice, "On your turn, you play or pass.")
    return after


def play_ask(hand: TrickHand) -> PlayAsk:
    """Return the question to the seat on turn in a game whose only question is to play."""
    return MAY_PASS if hand.trick.top else MUST_LEAD


def trick_view(hand: TrickHand, seat: int | None, facts: Iterable[tuple[str, Any]], **rest: Any) -> View:
    """Return the view of a seat (None for a spectator) of a hand with tricks.

    facts: further public facts. rest: the game's own values of ``known``, ``private_notes``, ``must``, ``rules``,
    ``teams``, and of ``is_out_of_trick`` in games where a seat can be out of a trick without a pass.
    """
    passed = any(move.seat == seat and move.combo is None for move in hand.trick.moves)
    out = passed and seat in hand.turns.left(hand.trick)
    own: dict[str, Any] = {"rules": hand.rules, "must": None, "known": (), "private_notes": (), "is_out_of_trick": out}
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


def _not_its_turn(hand: TrickHand) -> Illegal:
    return Illegal(hand.turns.articles.turn, "It's {seat}'s turn.", seat=Seat(hand.turn))


def lead_refusal(hand: TrickHand) -> Illegal | None:
    """Return the reason why a leader may not pass; None if the trick has a top play."""
    if hand.trick.top is not None:
        return None
    return Illegal(hand.turns.articles.lead, "You lead, so you have to play something.")


def order_of_turns(rules: Rules, hand: int) -> tuple[int, ...]:
    """Return all seats in turn order, seat 0 first. hand: its number, from 1."""
    return _all_round(rules.step(hand), rules.players)


@cache
def _all_round(step: int, players: int) -> tuple[int, ...]:
    return tuple(step * ahead % players for ahead in range(players))
