"""Which games strong house players try out by the rules themselves, and how each is tried out.

Knows the games by name. Refuses to know how anything is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.house.packed.search import Round, never
from bot.house.worlds import numbers, readings
from bot.house.worlds.search import Search, Worlds
from bot.rules.actions import Action, Pass
from bot.rules.asks import NameAsk, PlayAsk
from bot.rules.game import Rules, View

COMPARED = 80  # worlds in which one thing is held against another


class Way(NamedTuple):
    """How a game is tried out.

    worlds: how they are made for a view. choices: what can be done but to pass, what looks best first; nothing where
    that is not tried.
    """

    worlds: Callable[[View], Worlds]
    choices: Callable[[View], Sequence[Action]]
    rounds: tuple[Round, ...]


WAYS: Mapping[str, Way] = {
    "big_little_a": Way(numbers.worlds, numbers.choices, (Round(8, 24), Round(4, 48), Round(2, 80))),
    "tien_len": Way(readings.worlds, readings.choices, (Round(8, 8), Round(4, 12), Round(2, 16))),
    "a_bao": Way(readings.worlds, readings.bids, (Round(4, 8), Round(2, 8), Round(1, 8))),
}


def supports(rules: Rules) -> bool:
    """Tell whether a game is tried out so."""
    return rules.game in WAYS


def strong(view: View, good: Action, rng: random.Random | None, late: Callable[[], bool] = never) -> Action:
    """Return what a good one does, unless something else surely comes out better in the worlds a seat can imagine."""
    way = WAYS[view.rules.game]
    others = way.choices(view) if view.seat in view.awaited else ()
    passing = [Pass()] if isinstance(view.ask, PlayAsk | NameAsk) and view.ask.may_pass else []
    choices = list(dict.fromkeys([good, *others[:1], *passing, *others]))
    return _search(view, rng).best(choices, way.rounds, late) if others else good


def gained(
    view: View, better: Action, done: Action, rng: random.Random | None, late: Callable[[], bool] = never
) -> float | None:
    """Return by how many points one play comes out better than another, None where that is not tried out."""
    tried = supports(view.rules) and isinstance(view.ask, PlayAsk) and view.seat in view.awaited
    return _search(view, rng).compare(better, done, COMPARED, late) if tried else None


def _search(view: View, rng: random.Random | None) -> Search:
    return Search(view.seat or 0, WAYS[view.rules.game].worlds(view), rng or random.Random(0))
