"""Short searches for house players, hints and reviews in simulated worlds.

The same searches with few imagined worlds.

The number of worlds determines the strength, tested in tests/test_house*.py and
tests/laws/test_evaluation.py. Screens are the same.
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
    """Limit the imagined worlds of medium and hard house players inside this context."""
    few = {game: strategy._replace(medium_effort=GOOD, hard_effort=STRONG) for game, strategy in STRATEGIES.items()}
    with patch.dict(STRATEGIES, few):
        yield
