"""How soon clicks are answered while 1,000 slow tables reach their deadline: python -m tests.bench.ringing

The real process over real sockets, with a Discord that enforces its limits. At 50 live tables people click; then the
clock acts within one second for a late player at each of 1,000 slow tables, and the next players there are notified.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from tests.bench.restart import SECONDS, click_repeatedly, spread
from tests.restart.live_tables import set_up_live_tables
from tests.standin import BotProcess, World
from tests.standin.rates import Rates
from tests.standin.realm import DISCORD_TIMEOUT

LIVE_TABLES, LATE_TABLES, CHANNELS = 50, 1000, 200
DEADLINE = timedelta(seconds=25)  # after the setup
GOAL = 300  # milliseconds
CLICK_INTERVAL = 5.0  # mean seconds between two clicks of a player


async def measure_timeouts(folder: Path) -> None:
    """Print how soon clicks are acknowledged, and when the clock has handled all deadlines."""
    database, delays = folder / "bigger.db", list[float]()
    async with World(answer_within=DISCORD_TIMEOUT, rates=(rates := Rates())) as world:
        live = await set_up_live_tables(world, database, LIVE_TABLES, CHANNELS, LATE_TABLES, DEADLINE)
        due = time.monotonic() + DEADLINE.total_seconds()
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database)}
        async with BotProcess(world, env=env):
            await asyncio.sleep(max(0.0, due - time.monotonic() - 5))
            done = asyncio.create_task(_all_handled_at(database))
            await asyncio.gather(
                *(click_repeatedly(live, table, delays, delays, CLICK_INTERVAL) for table in range(1, LIVE_TABLES + 1))
            )
            print(f"the clock has acted for all {LATE_TABLES} after {await done - due:.1f} s")
    print(
        f"{len(delays)} clicks at {LIVE_TABLES} tables in the {SECONDS:.0f} s from 5 s before, first acknowledgement:"
    )
    print(f"  {spread(tuple(delays))} (goal: p99 {GOAL} ms)")
    print(f"  refused with 429: {rates.refused}")


async def _all_handled_at(database: Path) -> float:
    """Return the monotonic time at which the clock has acted at all late tables."""
    query = "SELECT count(*) FROM actions WHERE \"by\" = 'clock'"
    while True:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            ((count,),) = connection.execute(query)
        if count >= LATE_TABLES:
            return time.monotonic()
        await asyncio.sleep(0.2)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure_timeouts(Path(folder)))


if __name__ == "__main__":
    main()
