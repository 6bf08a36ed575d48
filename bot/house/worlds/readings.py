"""How seats play an imagined world of a game in which hands are laid down in combinations: as the plain ones do.

What a plain player finds out anew at every turn is found once for a world: in what each hand can be laid down, and how
likely what is to stay on top. Knows the games that are thought of so. Refuses to know what a hand is worth: see them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeAlias, overload

from bot.house import a_bao_calling, plain
from bot.house.a_bao import ABaoReading
from bot.house.laying import Laying
from bot.house.reading import nearest
from bot.house.tien_len import TienLenReading
from bot.rules.actions import Action, Choose, Name, Play
from bot.rules.asks import ChooseAsk, NameAsk, PlayAsk
from bot.rules.cards import Cards, lacking, without
from bot.rules.game import Plays, View
from bot.rules.trick import Combo

CALLS = 2  # that are tried: each takes the rest of the bidding, which is slow

Key: TypeAlias = tuple[str, int, int]


@dataclass(slots=True)
class Found:
    """What a seat has found out: how likely each combination is to stay on top, and in what its hand is laid down."""

    standings: dict[Key, float] = field(default_factory=dict)
    laying: Laying | None = None


class Remembering:
    """A reading that finds nothing twice. found: what it has found."""

    __slots__ = ()
    found: Found

    def standing(self, combo: Combo) -> float:
        """Return from 0 to 1 how likely the combination is to stay on top, a guess."""
        key = combo.kind, len(combo.cards), combo.strength
        known = self.found.standings.get(key)
        if known is None:
            known = self.found.standings[key] = super().standing(combo)  # type: ignore[misc]
        return known

    def laying(self, hand: Cards) -> Laying:
        """Return in what a hand could be laid down."""
        if self.found.laying is None:
            self.found.laying = super().laying(hand)  # type: ignore[misc]
            self.found.laying.brief = True
        return self.found.laying

    def later(self, view: View) -> Self:
        """Return the same at a later turn of its seat."""
        return replace(self, view=view, fewest=nearest(view))  # type: ignore[type-var]


@dataclass(frozen=True, slots=True)
class ABaoQuick(Remembering, ABaoReading):
    """Tàihé A Bāo."""

    found: Found = field(default_factory=Found)


@dataclass(frozen=True, slots=True)
class TienLenQuick(Remembering, TienLenReading):
    """Tiến Lên."""

    found: Found = field(default_factory=Found)

    def parts(self, laying: Laying) -> Sequence[Combo]:
        """Return in what the hand is best laid down, of its own cards."""
        return [own(combo, laying, self.view) for combo in laying.best(self.view.hand).parts]


Quick: TypeAlias = ABaoQuick | TienLenQuick
QUICK: Mapping[str, Callable[[View], Quick]] = {
    "a_bao": ABaoQuick.of, "tien_len": TienLenQuick.of,
}  # fmt: skip


class Read:
    """A world, in which each seat keeps what it has found out since the world began."""

    def __init__(self, world: Any) -> None:
        self._world = world
        self._seats: dict[int, Any] = {}

    def outcome(self, action: Action, seat: int) -> float:
        """Return by how much a seat comes out better than the table where it does this now."""
        view = self._world.view(seat)
        if not isinstance(view.ask, PlayAsk):
            self._seats.clear()  # bids change hands
        elif seat not in self._seats:
            self._read(view).laying(view.hand)  # all of it, before something else is played each time
        game = self._world.act(seat, action)
        while game.result is None:
            game = self._after(game)
        stands = game.rules.ranking((game.result,))
        own: int = stands[seat]
        return float(sum(stands) / len(stands) - own)

    def _after(self, game: Any) -> Any:
        """Return the game after what one of those does for whom it waits."""
        seat = min(game.awaited)
        view = game.view(seat)
        if not isinstance(view.ask, PlayAsk):
            return game.act(seat, plain.choose(view))
        combo = self.chosen(view)
        return game.played(seat, combo) if combo else game.passed(seat)

    def chosen(self, view: View) -> Combo | None:
        """Return what the seat on turn plays, None where it passes."""
        last = view.rules.classify(view.hand)
        if last and plain.goes_out(view):
            return last
        if view.trick.top is None:
            read = self._read(view)
            return own(read.lead(Lazily(view.plays)), read.laying(view.hand), view)
        plays = list(view.plays)
        combo: Combo | None = self._read(view).follow(plays) if plays else None
        return combo

    def _read(self, view: View) -> Any:
        known = self._seats.get(view.seat or 0)
        read = self._seats[view.seat or 0] = known.later(view) if known else QUICK[view.rules.game](view)
        return read


class Lazily(Sequence[Combo]):
    """What can be played, found when somebody asks."""

    def __init__(self, plays: Plays) -> None:
        self._plays = plays

    @cached_property
    def _all(self) -> list[Combo]:
        return list(self._plays)

    @overload
    def __getitem__(self, at: int) -> Combo: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Combo]: ...
    def __getitem__(self, at: int | slice) -> Combo | Sequence[Combo]:
        return self._all[at]

    def __len__(self) -> int:
        return len(self._all)


def own(combo: Combo, laying: Laying, view: View) -> Combo:
    """Return this of the cards that a seat still has: others of their kinds may have been played."""
    if not lacking(view.hand, combo.cards):
        return combo
    found = view.rules.classify(laying.own(combo, view.hand))
    assert found
    return found


def worlds(view: View) -> Callable[[random.Random], Read]:
    """Return how worlds are made that a seat can imagine."""
    return lambda rng: Read(view.rules.imagine(view, rng))


def choices(view: View) -> list[Action]:
    """Return what a seat can play, what leaves the best hand first; nothing where it is asked for anything else."""
    if not isinstance(view.ask, PlayAsk):
        return []
    read = QUICK[view.rules.game](view)
    laying = read.laying(view.hand)
    cost = {combo: laying.best(without(view.hand, combo.cards)).cost for combo in view.plays}
    return [Play(combo.cards) for combo in sorted(cost, key=cost.__getitem__)]


def bids(view: View) -> list[Action]:
    """Return what a seat can say in the bidding of Tàihé A Bāo, of calls those that help the hand most, or play."""
    match view.ask:
        case ChooseAsk(answers=answers):
            return [Choose((answer.code,)) for answer in answers]
        case NameAsk() as ask:
            return [Name(card) for card in a_bao_calling.wanted(view, ask)[:CALLS]]
    return choices(view)
