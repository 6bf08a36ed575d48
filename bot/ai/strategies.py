"""The strategy of each game.

Each is the ``STRATEGY`` of the module in bot/ai/games that has the game's name.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from bot.ai import games
from bot.ai.engine.strategy import Strategy


def _load_strategies() -> dict[str, Strategy]:
    names = [module.name for module in iter_modules(games.__path__)]
    modules = {name: import_module(f"{games.__name__}.{name}") for name in names}
    return {name: module.STRATEGY for name, module in modules.items() if hasattr(module, "STRATEGY")}


STRATEGIES: dict[str, Strategy] = _load_strategies()
ANY = Strategy()


def strategy(game: str) -> Strategy:
    """Return the strategy of a game; without a module of its own, that for any climbing game."""
    return STRATEGIES.get(game, ANY)
