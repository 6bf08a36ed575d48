"""Which games house players try out in worlds they can imagine, and how each is tried out.

Knows the games by name. Refuses to know how anything is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from bot.ai.engine.search import Round, Search, World, never
from bot.ai.games.big_little_a_player import Numbering
from bot.ai.games.climbing import ABaoClimbing, Climbing
from bot.rules.core.actions import Action, Pass
from bot.rules.core.asks import NameAsk, PlayAsk
from bot.rules.core.game import Rules, View


class Trying(NamedTuple):
    """How much is tried of what can be played, and of what can be said before."""

    plays: tuple[Round, ...]
    bids: tuple[Round, ...]


GLANCES = Trying((Round(6, 10), Round(3, 20)), (Round(4, 12), Round(2, 12)))  # what good does
THOROUGH = Trying((Round(10, 24), Round(5, 60), Round(3, 120)), (Round(4, 24), Round(2, 60)))  # and strong
COMPARED = sum(each.worlds for each in THOROUGH.plays)  # worlds in which one thing is held against another


class Way(Protocol):
    """How a game is tried out: what a seat sees of it, and can do."""

    def world(self, rng: random.Random) -> World:
        """Return some whole hand that the seat can imagine."""
        ...

    def bids(self) -> Sequence[Action]:
        """Return what can be said before the play, as far as that is tried out."""
        ...

    def plays(self) -> Sequence[Action]:
        """Return what can be played but to pass, what looks best first."""
        ...


WAYS: Mapping[str, Callable[[View], Way]] = {
    "big_little_a": Numbering,
    "tien_len": Climbing,
    "big_a": Climbing,
    "a_bao": ABaoClimbing,
}


def supports(rules: Rules) -> bool:
    """Tell whether a game is tried out so."""
    return rules.game in WAYS


def tried(
    view: View, planned: Action, trying: Trying, rng: random.Random | None, late: Callable[[], bool] = never
) -> Action:
    """Return what somebody does who plans this, unless something else surely comes out better in imagined worlds."""
    way, ask = WAYS[view.rules.game](view), view.ask
    playing = isinstance(ask, PlayAsk)
    others = () if view.seat not in view.awaited else way.plays() if playing else way.bids()
    passing = [Pass()] if isinstance(ask, PlayAsk | NameAsk) and ask.may_pass else []
    every = list(dict.fromkeys([planned, *others[:1], *passing, *others]))
    rounds = trying.plays if playing else trying.bids
    return _search(view, way, rng).best(every, rounds, late) if others else planned


def gained(view: View, better: Action, done: Action, rng: random.Random) -> float | None:
    """Return by how many points one play comes out better than another, None where that is not tried out.

    The worlds are those of ``tried`` with the same dice.
    """
    if not (supports(view.rules) and isinstance(view.ask, PlayAsk) and view.seat in view.awaited):
        return None
    return _search(view, WAYS[view.rules.game](view), rng).compare(better, done, COMPARED)


def _search(view: View, way: Way, rng: random.Random | None) -> Search:
    return Search(view.seat or 0, way.world, rng or random.Random(0))
