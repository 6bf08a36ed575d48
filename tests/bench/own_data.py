"""How long other requests wait during the full data export of one person: python -m tests.bench.own_data [MATCHES]

The database contains the matches of one person. While the export is written, notes are written as fast as the store
answers, and the delay of the event loop is measured.
"""

from __future__ import annotations

import asyncio
import random
import resource
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.pace import LIVE
from bot.show.people.own_data import OwnFile
from bot.store import schema
from bot.store.store import Store

MATCHES, PLIES, SEATS = 1068, 320, 4
MAX_FILE_BYTES = 10_000_000  # Discord's limit
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME = UserId(1456074443980800021)
PLAYS = ("3d 3c", "pass", "4h 5h 6d 7d 8s", "As")
POLL_INTERVAL = 0.005  # seconds between two measurements of the loop


async def fill_store(connection: AsyncConnection, matches: int) -> None:
    """Write matches of one person with three others each."""
    dice = random.Random("own data")
    of_table = {"guild": 77, "channel": 5, "home": 5, "game": "big_two", "preset": "hk", "options": {}, "seats": SEATS}
    of_table |= {"seed": "00", "pace": LIVE, "phase": "over", "host": ME}
    for number in range(1, matches + 1):
        at, table = NOW - timedelta(hours=number), {"table_id": number}
        made = of_table | {"id": number, "number": number, "created": at, "touched": at}
        await connection.execute(insert(schema.tables).values(made))
        users = [ME, *(number * SEATS + seat for seat in range(1, SEATS))]
        seats = [table | {"seat": seat, "user": user, "house": False} for seat, user in enumerate(users)]
        named = [one | {"name": f"player {one['user']}"} for one in seats]
        await connection.execute(insert(schema.chairs), [one | {"misses": 0} for one in named])
        await connection.execute(insert(schema.sittings), [one | {"ply": 0} for one in seats])
        result = {"guild": 77, "game": "big_two", "hands": 5, "finished": at}
        await connection.execute(insert(schema.results).values(table | result))
        await connection.execute(insert(schema.standings), [one | {"place": 1, "points": 3, "net": 1} for one in named])
        steps = [
            table | {"ply": ply, "seat": ply % SEATS, "action": dice.choice(PLAYS), "by": "person", "at": at}
            for ply in range(PLIES)
        ]
        await connection.execute(insert(schema.actions), steps)


async def write_export(store: Store) -> int:
    """Write the export; return its size in bytes."""
    file = OwnFile(MAX_FILE_BYTES)
    async for page in store.own_data(ME).pages():
        await asyncio.to_thread(file.add, page.name, page.rows)
    return sum(len(body) for _, body in await asyncio.to_thread(file.close))


async def repeat(took: list[float], work: Callable[[], Awaitable[object]]) -> None:
    """Call a function repeatedly; append the seconds of each call to ``took``."""
    while True:
        began = time.monotonic()
        await work()
        took.append(time.monotonic() - began)
        await asyncio.sleep(POLL_INTERVAL)


def spread(took: list[float]) -> str:
    """Describe these seconds."""
    ordered = sorted(took)
    middle, late = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"median {middle * 1000:.0f} ms, p99 {late * 1000:.0f} ms, at most {ordered[-1] * 1000:.0f} ms"


def peak_memory() -> float:
    """Return the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure(store: Store) -> None:
    """Print the seconds of the export, and the waiting times of other requests."""
    began = time.monotonic()
    kept = await store.own_data(ME).count()
    print(f"{kept.rows} rows and the moves of {kept.matches} matches, counted in {time.monotonic() - began:.3f} s")
    writes, looks = list[float](), list[float]()
    others = [
        asyncio.create_task(repeat(writes, lambda: store.notes.remember("said", "meanwhile"))),
        asyncio.create_task(repeat(looks, lambda: asyncio.sleep(POLL_INTERVAL))),
    ]
    before, began = peak_memory(), time.monotonic()
    size = await write_export(store)
    print(f"the file: {size} bytes in {time.monotonic() - began:.2f} s, {peak_memory() - before:.0f} MiB more")
    for task in others:
        task.cancel()
    print(f"  a write of others takes {spread(writes)}")
    print(f"  the loop is late by {spread([max(0.0, look - POLL_INTERVAL) for look in looks])}")


async def main() -> None:
    """Run the measurement."""
    matches = next((int(said) for said in sys.argv[1:] if said.isdigit()), MATCHES)
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "bigger.db", lambda: NOW)
        await store._gate.run(fill_store, matches)
        await measure(store)
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
