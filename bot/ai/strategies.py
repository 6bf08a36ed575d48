"""The strategies of all games, by name: the one place in which a game joins the house players."""

from __future__ import annotations

from bot.ai.engine.strategy import Strategy
from bot.ai.games import a_bao, big_a, big_little_a, big_two, tien_len

STRATEGIES: dict[str, Strategy] = {
    "big_two": big_two.STRATEGY,
    "big_a": big_a.STRATEGY,
    "a_bao": a_bao.STRATEGY,
    "big_little_a": big_little_a.STRATEGY,
    "tien_len": tien_len.STRATEGY,
}
ANY = Strategy()


def strategy(game: str) -> Strategy:
    """Return the strategy of a game; of one that is not listed, that for any climbing game."""
    return STRATEGIES.get(game, ANY)
