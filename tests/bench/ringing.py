"""How soon people are answered while the time of 1,000 slow tables runs out: python -m tests.bench.ringing

The real process over real sockets, with a Discord that keeps to its limits. At 50 live tables people click as in an
evening; then the clock acts in one second for a player at each of 1,000 others, and a player who is next there is told.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from tests.bench.restart import SECONDS, clicks, spread
from tests.restart.crowd import crowd
from tests.standin import BotProcess, World
from tests.standin.rates import Rates
from tests.standin.realm import AT_DISCORD

PLAYED, LATE, ROOMS = 50, 1000, 200
DUE = timedelta(seconds=25)  # from when all is set up
GOAL = 300  # milliseconds
LOOK_AGAIN = 5.0  # seconds between two clicks of the same person, on average


async def ringing(folder: Path) -> None:
    """Print how soon people are acknowledged meanwhile, and when the clock has done its work."""
    database, told = folder / "bigger.db", list[float]()
    async with World(answer_within=AT_DISCORD, rates=(rates := Rates())) as world:
        made = await crowd(world, database, PLAYED, ROOMS, LATE, DUE)
        due = time.monotonic() + DUE.total_seconds()
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database)}
        async with BotProcess(world, env=env):
            await asyncio.sleep(max(0.0, due - time.monotonic() - 5))
            done = asyncio.create_task(_done(database))
            await asyncio.gather(*(clicks(made, table, told, told, LOOK_AGAIN) for table in range(1, PLAYED + 1)))
            print(f"the clock has acted for all {LATE} after {await done - due:.1f} s")
    print(f"{len(told)} clicks at {PLAYED} tables in the {SECONDS:.0f} s from 5 s before, first acknowledgement:")
    print(f"  {spread(tuple(told))} (goal: p99 {GOAL} ms)")
    print(f"  refused with 429: {rates.refused}")


async def _done(database: Path) -> float:
    """Return when the clock has acted at all tables whose time was up."""
    query = "SELECT count(*) FROM actions WHERE \"by\" = 'clock'"
    while True:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            ((count,),) = connection.execute(query)
        if count >= LATE:
            return time.monotonic()
        await asyncio.sleep(0.2)


def main() -> None:
    """Measure it."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(ringing(Path(folder)))


if __name__ == "__main__":
    main()
