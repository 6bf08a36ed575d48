"""What house players, hints and reviews try out in a simulated world: the same things in few imagined worlds.

How many worlds there are decides how well somebody plays, which is told in tests/test_house*.py and
tests/laws/test_evaluation.py. What people are shown of it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from bot.ai import levels, ways
from bot.ai.engine.search import Round
from bot.ai.games import big_two

GLANCES = (Round(6, 2), Round(3, 2))
FEW = (Round(12, 3), Round(6, 3), Round(3, 6))
COMPARED = sum(each.worlds for each in FEW)


@contextmanager
def brief() -> Iterator[None]:
    """Let good and strong house players imagine few worlds meanwhile."""
    with (
        patch.object(big_two, "GLANCES", GLANCES),
        patch.object(ways, "GLANCES", ways.Trying(GLANCES, GLANCES)),
        patch.object(levels, "ROUNDS", FEW),
        patch.object(big_two, "COMPARED", COMPARED),
        patch.object(ways, "THOROUGH", ways.Trying(FEW, (Round(4, 3), Round(2, 3)))),
        patch.object(ways, "COMPARED", COMPARED),
    ):
        yield
