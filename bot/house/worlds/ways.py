"""Which games house players try out in worlds they can imagine, and how each is tried out.

Knows the games by name. Refuses to know how anything is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.house.packed.search import Round, never
from bot.house.worlds import climbing, numbers
from bot.house.worlds.search import Search, Worlds
from bot.rules.actions import Action, Pass
from bot.rules.asks import NameAsk, PlayAsk
from bot.rules.game import Rules, View

COMPARED = 80  # worlds in which one thing is held against another


class Trying(NamedTuple):
    """How much is tried of what can be played, and of what can be said before."""

    plays: tuple[Round, ...]
    bids: tuple[Round, ...]


GLANCES = Trying((Round(6, 10), Round(3, 20)), (Round(4, 12), Round(2, 12)))  # what good does
THOROUGH = Trying((Round(10, 24), Round(5, 60), Round(3, 120)), (Round(4, 24), Round(2, 60)))  # and strong


class Way(NamedTuple):
    """How a game is tried out.

    worlds: how they are made for a view. plays: what can be played, what looks best first. bids: the same for what can
    be said before, where that is tried.
    """

    worlds: Callable[[View], Worlds]
    plays: Callable[[View], Sequence[Action]]
    bids: Callable[[View], Sequence[Action]] | None = None


WAYS: Mapping[str, Way] = {
    "big_little_a": Way(numbers.worlds, numbers.choices),
    "tien_len": Way(climbing.worlds, climbing.plays),
    "big_a": Way(climbing.worlds, climbing.plays),
    "a_bao": Way(climbing.worlds, climbing.plays, climbing.bids),
}


def supports(rules: Rules) -> bool:
    """Tell whether a game is tried out so."""
    return rules.game in WAYS


def tried(
    view: View, planned: Action, trying: Trying, rng: random.Random | None, late: Callable[[], bool] = never
) -> Action:
    """Return what somebody does who plans this, unless something else surely comes out better in imagined worlds."""
    way = WAYS[view.rules.game]
    playing = isinstance(view.ask, PlayAsk)
    choices = way.plays if playing else way.bids
    others = choices(view) if choices and view.seat in view.awaited else ()
    passing = [Pass()] if isinstance(view.ask, PlayAsk | NameAsk) and view.ask.may_pass else []
    every = list(dict.fromkeys([planned, *others[:1], *passing, *others]))
    rounds = trying.plays if playing else trying.bids
    return _search(view, rng).best(every, rounds, late) if others else planned


def gained(
    view: View, better: Action, done: Action, rng: random.Random | None, late: Callable[[], bool] = never
) -> float | None:
    """Return by how many points one play comes out better than another, None where that is not tried out."""
    can = supports(view.rules) and isinstance(view.ask, PlayAsk) and view.seat in view.awaited
    return _search(view, rng).compare(better, done, COMPARED, late) if can else None


def _search(view: View, rng: random.Random | None) -> Search:
    return Search(view.seat or 0, WAYS[view.rules.game].worlds(view), rng or random.Random(0))
