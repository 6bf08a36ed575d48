"""The levels of house players: whoever sits at a table chooses how well the house plays there.

Knows which games are played at which levels, and which mind plays each. Refuses to know what makes a play good.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from bot.ai import plain, ways
from bot.ai.engine.search import never
from bot.ai.games import big_two
from bot.ai.games.big_two_law import supports
from bot.ai.games.big_two_search import ROUNDS
from bot.ai.mended import MENDED
from bot.domain.level import Level
from bot.rules.core.actions import Action, Play
from bot.rules.core.asks import PlayAsk
from bot.rules.core.game import Rules, View

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


def gained(level: Level, view: View, better: Action, done: Action, rng: random.Random) -> float | None:
    """Return by how many points one action comes out better than another in the worlds of a choice with the same dice.

    None where the level, or the game, tries nothing out.
    """
    if level != Level.STRONG:
        return None
    if supports(view.rules):
        return big_two.gained(view, better, done, rng)
    return ways.gained(view, better, done, rng)


def _in_big_two(level: Level, view: View, rng: random.Random | None, late: Callable[[], bool]) -> Action:
    if level == Level.KIND:
        return big_two.kind(view, rng)
    return big_two.good(view, rng) if level == Level.GOOD else big_two.strong(view, rng, ROUNDS, late)
