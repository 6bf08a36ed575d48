"""The levels of house players, the strategy of each game, and the review of a decision.

The strategy of a game is the ``STRATEGY`` of the module in bot/ai/games that has the game's name.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, NamedTuple

from bot.ai import games
from bot.ai.engine.search import TimeCheck, no_time_limit
from bot.ai.engine.strategy import Dice, Strategy, goes_out
from bot.domain.chairs import Level
from bot.rules.core.asks import Action, Play, PlayAsk
from bot.rules.core.cards import write
from bot.rules.core.game import Rules, View
from bot.rules.core.trick import Trick
from bot.rules.matches.review import is_equivalent

TWO = (Level.EASY, Level.MEDIUM)
THREE = (*TWO, Level.HARD)
OVERLOOKED = 0.2  # the share of plays that kind does not see


def _load_strategies() -> dict[str, Strategy]:
    names = [module.name for module in iter_modules(games.__path__)]
    modules = {name: import_module(f"{games.__name__}.{name}") for name in names}
    return {name: module.STRATEGY for name, module in modules.items() if hasattr(module, "STRATEGY")}


STRATEGIES: dict[str, Strategy] = _load_strategies()
ANY = Strategy()  # for any climbing game


def strategy(game: str) -> Strategy:
    """Return the strategy of a game; without a module of its own, that for any climbing game."""
    return STRATEGIES.get(game, ANY)


def offered(rules: Rules) -> tuple[Level, ...]:
    """Return the levels that differ in a game by these rules, the easiest first."""
    return THREE if strategy(rules.game).has_search(rules) else TWO


def nearest_level(level: Level, rules: Rules) -> Level:
    """Return the wanted level if these rules offer it, else the best level below."""
    if level == Level.PLAIN:
        return level
    levels = offered(rules)
    return level if level in levels else levels[-1]


def house_action(level: Level, view: View, rng: Dice = None, is_time_up: TimeCheck = no_time_limit) -> Action | None:
    """Return the action of a house player of this level.

    The action is the same for the same dice, unless the time limit ends the search early.

    The game's strategy (`Strategy` in `bot/ai/engine/strategy.py`) plans an action, its position lists others to try,
    and `Search.best` in `bot/ai/engine/search.py` compares them in imagined hands; where the strategy has a
    `custom_chooser`, as in Big Two, that chooser does it all. None where the seat need not act and had better not.
    is_time_up: tells a strong player when to come to an end.
    """
    game_strategy = strategy(view.rules.game)
    if level == Level.PLAIN:
        return game_strategy.plain.plan_action(view, rng)
    has_search, rounds = game_strategy.has_search(view.rules), game_strategy.effort(level).plays
    chooser = game_strategy.custom_chooser
    if chooser and has_search and isinstance(view.ask, PlayAsk) and view.plays and not goes_out(view):
        return chooser(level, view, rng, rounds, is_time_up)
    if level == Level.EASY:
        return game_strategy.plain.plan_action(view, rng, overlooked=OVERLOOKED)
    planned = planned_action(view, rng)
    if planned is None or chooser or not has_search or planned == Play(view.hand):
        return planned
    position, search = game_strategy.search(view, rng)
    if not isinstance(view.ask, PlayAsk):
        rounds = game_strategy.effort(level).bids
    return search.best(position.candidates(planned), rounds, is_time_up)


def planned_action(view: View, rng: Dice = None) -> Action | None:
    """Return the action of a player who plans and tries nothing out, in any game."""
    game_strategy = strategy(view.rules.game)
    return (game_strategy.improved or game_strategy.plain).plan_action(view, rng)


def measured_gain(level: Level, view: View, better: Action, done: Action, rng: random.Random) -> float | None:
    """Return the points by which one action beats another, on average.

    None if the level tries nothing out. The imagined hands are those of ``house_action`` with the same dice.
    """
    game_strategy, plays = strategy(view.rules.game), isinstance(view.ask, PlayAsk)
    measured = view.seat in view.awaited and (plays or game_strategy.has_imagined_bids)
    if level != Level.HARD or not measured or not game_strategy.has_search(view.rules):
        return None
    _, search = game_strategy.search(view, rng)
    rounds = game_strategy.hard_effort.plays if plays else game_strategy.hard_effort.bids
    return search.compare(better, done, sum(each.hands for each in rounds))


ADVISER: Final = Level.HARD  # or the best level that a game knows below it
MISTAKE: Final = 0.5  # points: a smaller loss is hardly worth a word


class Evaluation(NamedTuple):
    """The recommended action, and the expected loss of the action that was done instead.

    best: None where the seat need not act and had better not. loss: points per hand, 0 for what is as good as the best,
    None where the level recommends another action without counting points.
    """

    best: Action | None
    loss: float | None = 0.0

    @property
    def is_mistake(self) -> bool:
        """Whether a review may criticise what was done."""
        return self.loss is None or self.loss >= MISTAKE


def evaluate(view: View, done: Action | None = None) -> Evaluation:
    """Return the evaluation of the seat's decision.

    done: the action to measure, None for the recommendation alone.
    """
    level, dice = nearest_level(ADVISER, view.rules), _dice(view)
    best = house_action(level, view, random.Random(dice))  # it has to come again
    if best is None or done is None or is_equivalent(view, best, done):
        return Evaluation(best)
    gain = measured_gain(level, view, best, done, random.Random(dice))  # the worlds in which the best was found
    return Evaluation(best, None if gain is None else max(0.0, gain))


def _dice(view: View) -> str:
    """Return the text that the dice follow from.

    Only facts of this hand, so that a practice hand which resumes a match gets the evaluation of that match.
    """
    facts = (view.rules.game, view.seat, write(view.hand), view.counts, *map(_trick, (*view.tricks, view.trick)))
    return sha256(f"evaluation {facts}".encode()).hexdigest()


def _trick(trick: Trick) -> str:
    return " ".join(_moves(trick))


def _moves(trick: Trick) -> Iterator[str]:
    for seat, combo, taken in trick.moves:
        yield f"{seat}:{write(combo.cards) if combo else ''}:{write(taken)}"
