"""After a restart with many live tables Discord refuses nothing, no board is left over, and all are brought up to date.

Time goes by faster here than on Discord, for the bot and for the limits. How soon all that is done, and how soon people
are answered meanwhile, is for the bench to tell, which has the whole trial.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.restart.restart_trial import UNANSWERED, restarted
from tests.standin.rates import Rates
from tests.standin.realm import SEVERAL_WAITS

WHOLE = pytest.mark.soak


@pytest.mark.timeout(SEVERAL_WAITS)
@pytest.mark.parametrize(
    ("most", "tables", "speed"),
    [(2, 12, 10.0), pytest.param(2, 30, 5.0, marks=WHOLE), pytest.param(5, 30, 5.0, marks=WHOLE)],
)
async def test_a_restart_with_many_live_tables(tmp_path: Path, most: int, tables: int, speed: float) -> None:
    came = await restarted(tmp_path, Rates((most, 5.0), speed=speed), tables, rooms=4)
    assert came.refused == ()
    assert came.orphans == 0
    assert UNANSWERED not in came.answers
    assert "Traceback" not in came.output
