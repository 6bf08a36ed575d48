"""Which games strong house players try out by the rules themselves, and how each is tried out.

Knows the games by name. Refuses to know how anything is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.house.packed.search import Round, never
from bot.house.worlds import numbers, tried
from bot.house.worlds.search import Search, Worlds
from bot.rules.actions import Action, Pass
from bot.rules.asks import NameAsk, PlayAsk
from bot.rules.game import Rules, View

COMPARED = 80  # worlds in which one thing is held against another
GLANCES = (Round(6, 10), Round(3, 20))  # what good tries
THOROUGH = (Round(10, 24), Round(5, 60), Round(3, 120))  # and what strong does
BIDDING = (Round(4, 8), Round(2, 8), Round(1, 8))  # each takes the rest of the bidding, which is slow


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
    "tien_len": Way(tried.worlds, tried.plays),
    "big_a": Way(tried.worlds, tried.plays),
    "a_bao": Way(tried.worlds, tried.plays, tried.bids),
}


def supports(rules: Rules) -> bool:
    """Tell whether a game is tried out so."""
    return rules.game in WAYS


def glanced(view: View, planned: Action, rng: random.Random | None, late: Callable[[], bool] = never) -> Action:
    """Return what somebody does who plans this, unless another play comes out better in few worlds."""
    return _tried(view, planned, WAYS[view.rules.game].plays, GLANCES, rng, late)


def thorough(view: View, planned: Action, rng: random.Random | None, late: Callable[[], bool] = never) -> Action:
    """Return the same of many worlds, and of what can be said before the play."""
    way = WAYS[view.rules.game]
    if isinstance(view.ask, PlayAsk):
        return _tried(view, planned, way.plays, THOROUGH, rng, late)
    return _tried(view, planned, way.bids, BIDDING, rng, late) if way.bids else planned


def _tried(
    view: View,
    planned: Action,
    choices: Callable[[View], Sequence[Action]],
    rounds: Sequence[Round],
    rng: random.Random | None,
    late: Callable[[], bool],
) -> Action:
    others = choices(view) if view.seat in view.awaited else ()
    passing = [Pass()] if isinstance(view.ask, PlayAsk | NameAsk) and view.ask.may_pass else []
    every = list(dict.fromkeys([planned, *others[:1], *passing, *others]))
    return _search(view, rng).best(every, rounds, late) if others else planned


def gained(
    view: View, better: Action, done: Action, rng: random.Random | None, late: Callable[[], bool] = never
) -> float | None:
    """Return by how many points one play comes out better than another, None where that is not tried out."""
    tried = supports(view.rules) and isinstance(view.ask, PlayAsk) and view.seat in view.awaited
    return _search(view, rng).compare(better, done, COMPARED, late) if tried else None


def _search(view: View, rng: random.Random | None) -> Search:
    return Search(view.seat or 0, WAYS[view.rules.game].worlds(view), rng or random.Random(0))
