"""What house players, hints and reviews try out in a simulated world.

The same things in few imagined worlds.

How many worlds there are decides how well a player plays, which is told in tests/test_house*.py and
tests/laws/test_evaluation.py. The display to users is equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from bot.ai.engine.search import SearchRound
from bot.ai.engine.strategy import Effort
from bot.ai.levels import STRATEGIES

MEDIUM_ROUNDS = (SearchRound(6, 2), SearchRound(3, 2))
HARD_ROUNDS = (SearchRound(12, 3), SearchRound(6, 3), SearchRound(3, 6))
GOOD, STRONG = Effort(MEDIUM_ROUNDS, MEDIUM_ROUNDS), Effort(HARD_ROUNDS, (SearchRound(4, 3), SearchRound(2, 3)))


@contextmanager
def short_searches() -> Iterator[None]:
    """Let good and strong house players imagine few worlds meanwhile."""
    few = {game: strategy._replace(good=GOOD, strong=STRONG) for game, strategy in STRATEGIES.items()}
    with patch.dict(STRATEGIES, few):
        yield
