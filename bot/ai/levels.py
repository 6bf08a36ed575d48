"""The levels of house players, in every game: the person who seats a house player chooses how well it plays."""

from __future__ import annotations

import random

from bot.ai.engine.minds import Dice, goes_out
from bot.ai.engine.search import never
from bot.ai.engine.strategy import Late
from bot.ai.strategies import strategy
from bot.domain.level import Level
from bot.rules.core.actions import Action, Play
from bot.rules.core.asks import PlayAsk
from bot.rules.core.game import Rules, View

TWO = (Level.KIND, Level.GOOD)
THREE = (*TWO, Level.STRONG)
OVERLOOKED = 0.2  # the share of plays that kind does not see


def offered(rules: Rules) -> tuple[Level, ...]:
    """Return the levels that differ in a game by these rules, the easiest first."""
    return THREE if strategy(rules.game).has_search(rules) else TWO


def nearest_level(level: Level, rules: Rules) -> Level:
    """Return the wanted level if these rules offer it, else the best level below."""
    if level == Level.PLAIN:
        return level
    known = offered(rules)
    return level if level in known else known[-1]


def choose(level: Level, view: View, rng: Dice = None, late: Late = never) -> Action | None:
    """Return the action of a house player of this level, the same for the same dice.

    None where the seat need not act and had better not. late: tells a strong player when to come to an end.
    """
    mine = strategy(view.rules.game)
    if level == Level.PLAIN:
        return mine.plain.choose(view, rng)
    has_search, rounds = mine.has_search(view.rules), mine.effort(level).plays
    if mine.own and has_search and isinstance(view.ask, PlayAsk) and view.plays and not goes_out(view):
        return mine.own(level, view, rng, rounds, late)
    if level == Level.KIND:
        return mine.plain.choose(view, rng, overlooked=OVERLOOKED)
    planned = by_plan(view, rng)
    if planned is None or mine.own or not has_search or planned == Play(view.hand):
        return planned
    position, search = mine.search(view, rng)
    if not isinstance(view.ask, PlayAsk):
        rounds = mine.effort(level).bids
    return search.best(position.candidates(planned), rounds, late)


def by_plan(view: View, rng: Dice = None) -> Action | None:
    """Return the action of a player who plans and tries nothing out, in any game."""
    mine = strategy(view.rules.game)
    return (mine.mended or mine.plain).choose(view, rng)


def gained(level: Level, view: View, better: Action, done: Action, rng: random.Random) -> float | None:
    """Return by how many points one action comes out better than another, None where the level tries nothing out.

    The imagined hands are those of ``choose`` with the same dice.
    """
    mine = strategy(view.rules.game)
    asked = isinstance(view.ask, PlayAsk) and view.seat in view.awaited
    if level != Level.STRONG or not asked or not mine.has_search(view.rules):
        return None
    _, search = mine.search(view, rng)
    return search.compare(better, done, sum(each.worlds for each in mine.strong.plays))
