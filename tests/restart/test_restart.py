"""After a restart with many live tables all boards are redrawn once, within Discord's rate limits.

Time passes faster here than on Discord, for the bot and for the limits. ``tests.bench.restart`` measures the seconds
until all boards are current, and until players are answered.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.restart.restart_trial import UNANSWERED, run_restart
from tests.standin.rates import Rates
from tests.standin.realm import SEVERAL_WAITS

LONG = pytest.mark.soak


@pytest.mark.timeout(SEVERAL_WAITS)
@pytest.mark.parametrize(
    ("most", "tables", "speed"),
    [(2, 12, 10.0), pytest.param(2, 30, 5.0, marks=LONG), pytest.param(5, 30, 5.0, marks=LONG)],
)
async def test_a_restart_with_many_live_tables_leaves_no_orphaned_board_and_exceeds_no_limit(
    tmp_path: Path, most: int, tables: int, speed: float
) -> None:
    result = await run_restart(tmp_path, Rates((most, 5.0), speed=speed), tables, channel_count=4)
    assert result.refused == ()
    assert result.orphaned_boards == 0
    assert UNANSWERED not in result.answers
    assert "Traceback" not in result.output
