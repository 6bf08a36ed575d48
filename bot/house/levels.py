"""The levels of house players: whoever sits at a table chooses how well the house plays there.

Knows which games are played at which levels, and which mind plays each. Refuses to know what makes a play good.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from bot.ground.level import Level
from bot.house import big_two, plain
from bot.house.mended import MENDED
from bot.house.packed.law import supports
from bot.house.packed.search import ROUNDS, never
from bot.house.worlds import ways
from bot.rules.actions import Action, Pass, Play
from bot.rules.asks import PlayAsk
from bot.rules.game import Rules, View

TWO = (Level.KIND, Level.GOOD)
THREE = (*TWO, Level.STRONG)
OVERLOOKED = 0.2  # the share of plays that kind does not see


def offered(rules: Rules) -> tuple[Level, ...]:
    """Return the levels that differ in a game by these rules, the easiest first."""
    return THREE if supports(rules) or ways.supports(rules) else TWO


def at(level: Level, rules: Rules) -> Level:
    """Return the level at which a house player plays by these rules whom somebody wants at this one: none is better."""
    if level == Level.PLAIN:
        return level
    known = offered(rules)
    return level if level in known else known[-1]


def choose(
    level: Level, view: View, rng: random.Random | None = None, late: Callable[[], bool] = never
) -> Action | None:
    """Return what a house player of this level does where its seat is asked; always the same for the same dice.

    None where it need not do anything and rather does not. late: tells a strong one when to come to an end.
    """
    if level == Level.PLAIN:
        return plain.choose(view, rng)
    if supports(view.rules) and isinstance(view.ask, PlayAsk) and view.plays and not plain.goes_out(view):
        return _in_big_two(level, view, rng, late)
    if level == Level.KIND:
        return plain.choose(view, rng, overlooked=OVERLOOKED)
    planned = by_plan(view, rng)
    if planned is None or not ways.supports(view.rules) or planned == Play(view.hand):
        return planned
    trying = ways.GLANCES if level == Level.GOOD else ways.THOROUGH
    return ways.tried(view, planned, trying, rng, late)


def by_plan(view: View, rng: random.Random | None = None) -> Action | None:
    """Return what somebody does who plans but tries nothing out, in any game."""
    return plain.choose(view, rng, MENDED)


class Weighed(NamedTuple):
    """What a house player does in somebody's place. gain: how many points more it expects of that, None for no idea."""

    action: Action | None
    gain: float | None = None


def weigh(
    level: Level,
    view: View,
    done: Action,
    rng: random.Random | None = None,
    late: Callable[[], bool] = never,
    later: Callable[[], bool] = never,
) -> Weighed:
    """Return what a house player of this level does, held against what was done.

    late: tells when to come to an end of finding it; later: and of comparing the two.
    """
    action = choose(level, view, rng, late)
    other = isinstance(action, Play | Pass) and isinstance(done, Play | Pass) and action != done
    if not (other and level == Level.STRONG and action):
        return Weighed(action)
    if supports(view.rules):
        return Weighed(action, big_two.gained(view, action, done, rng, later))
    return Weighed(action, ways.gained(view, action, done, rng, later))


def _in_big_two(level: Level, view: View, rng: random.Random | None, late: Callable[[], bool]) -> Action:
    if level == Level.KIND:
        return big_two.kind(view, rng)
    return big_two.good(view, rng) if level == Level.GOOD else big_two.strong(view, rng, ROUNDS, late)
