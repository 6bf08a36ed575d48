"""Which games strong house players try out by the rules themselves, and how each is tried out.

Knows the games by name. Refuses to know how anything is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.house.worlds import numbers
from bot.house.worlds.search import Round, Search, Worlds, never
from bot.rules.actions import Action, Pass, Play
from bot.rules.asks import PlayAsk
from bot.rules.game import Rules, View
from bot.rules.trick import Combo

COMPARED = 80  # worlds in which one thing is held against another


class Way(NamedTuple):
    """How a game is tried out.

    worlds: how they are made for a view. plays: what can be played, what looks best first.
    """

    worlds: Callable[[View], Worlds]
    plays: Callable[[View], Sequence[Combo]]
    rounds: tuple[Round, ...]


WAYS: Mapping[str, Way] = {
    "big_little_a": Way(numbers.worlds, numbers.choices, (Round(8, 24), Round(4, 48), Round(2, 80))),
}


def supports(rules: Rules) -> bool:
    """Tell whether a game is tried out so."""
    return rules.game in WAYS


def strong(view: View, good: Action, rng: random.Random | None, late: Callable[[], bool] = never) -> Action:
    """Return what a good one does, unless something else surely comes out better in the worlds a seat can imagine."""
    if not _tried(view):
        return good
    way = WAYS[view.rules.game]
    passing = [Pass()] if isinstance(view.ask, PlayAsk) and view.ask.may_pass else []
    plays = [Play(combo.cards) for combo in way.plays(view)]
    choices = list(dict.fromkeys([good, *plays[:1], *passing, *plays]))
    return _search(view, rng).best(choices, way.rounds, late)


def gained(
    view: View, better: Action, done: Action, rng: random.Random | None, late: Callable[[], bool] = never
) -> float | None:
    """Return by how many points one thing comes out better than another, None where that is not tried out."""
    return _search(view, rng).compare(better, done, COMPARED, late) if _tried(view) else None


def _tried(view: View) -> bool:
    return supports(view.rules) and isinstance(view.ask, PlayAsk) and view.seat in view.awaited and bool(view.plays)


def _search(view: View, rng: random.Random | None) -> Search:
    return Search(view.seat or 0, WAYS[view.rules.game].worlds(view), rng or random.Random(0))
