"""After a restart with many live tables Discord refuses nothing, no board is left over, and all are up to date soon.

Time goes by five times as fast here as on Discord, for the bot and for the limits; the whole trial is a bench.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.restart.restarting import restarted
from tests.standin.rates import Rates

SPEED = 5.0
A_MINUTE = 60.0 / SPEED


@pytest.mark.parametrize("channel", [(5, 5.0), (2, 5.0)], ids=["5 in 5 s", "2 in 5 s"])
async def test_a_restart_with_many_live_tables(tmp_path: Path, channel: tuple[int, float]) -> None:
    rates = Rates(channel, speed=SPEED)
    came = await restarted(tmp_path, rates, tables=30, rooms=4, limit=A_MINUTE)
    assert came.refused == ()
    assert came.orphans == 0
    assert came.seconds < A_MINUTE
    assert all(seconds < 3 for seconds in came.answers)
    assert "Traceback" not in came.output
