"""How much ten thousand unfinished tables cost at the start of a bot: python -m tests.bench.sleep

The real process over real sockets, with an empty store and with a full one: seconds until the bot is ready, and memory.
In SimCord, in this process: loaded tables, and tasks.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Table, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ai.plain import plain_action
from bot.domain.pace import RELAXED
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.matches.record import Record
from bot.store.schema import actions, chairs, heartbeat, tables
from bot.store.store import Store
from tests.standin import BotProcess
from tests.standin import World as Discord
from tests.support.blank_database import create_blank_database
from tests.support.world import world

TABLE_COUNT = 10_000
PLIES = 30
OUTAGE = timedelta(minutes=10)
GOAL = 3.0
GUILD, PEOPLE = 7, (1, 2, 3)


@dataclass(frozen=True)
class StartCost:
    """The cost of a start. seconds: until the bot is ready; memory: resident, in MiB."""

    seconds: float
    memory: float


async def add_rows(store: Store, kind: Table, rows: list[dict[str, Any]]) -> None:
    """Write rows."""
    await store._gate.run(AsyncConnection.execute, insert(kind), rows)


async def fill_store(path: Path, count: int, at: datetime) -> None:
    """Write slow tables in the middle of a match, last touched an hour before a stop ten minutes ago."""
    record = Record(GAMES["big_two"], "pagat", seed="asleep")
    steps = _steps(record)
    create_blank_database(path)
    store = await Store.open(path, lambda: at)
    for first in range(1, count + 1, 1000):
        ids = range(first, min(first + 1000, count + 1))
        await add_rows(store, tables, [_table(record, number, at) for number in ids])
        await add_rows(store, chairs, [chair for number in ids for chair in _chairs(number)])
        await add_rows(store, actions, [{"table_id": number, **step} for number in ids for step in steps])
    await add_rows(store, heartbeat, [{"id": 1, "at": at - OUTAGE}])
    await store.close()


def _steps(record: Record) -> list[dict[str, Any]]:
    match, found = record.begin(), list[dict[str, Any]]()
    for ply in range(PLIES):
        (seat,) = match.awaited
        action = plain_action(match.view(seat))
        assert action, "nobody is waited for in vain"
        match = match.act(seat, action)
        step = {"ply": ply, "seat": seat, "action": write_action(action), "by": "person"}
        found.append({**step, "at": datetime(2026, 1, 1, tzinfo=UTC)})
    return found


def _table(record: Record, number: int, at: datetime) -> dict[str, Any]:
    due = at + timedelta(hours=12, seconds=number)
    return {
        "id": number,
        "guild": GUILD,
        "number": number,
        "channel": number,
        "home": number,
        "message": number,
        "host": 1,
        "game": record.game,
        "preset": record.preset,
        "options": {},
        "seats": 4,
        "seed": record.seed,
        "pace": RELAXED,
        "phase": "playing",
        "created": at - timedelta(days=1),
        "deadline": due,
        "remind_at": due - timedelta(hours=2),
        "wake": due - timedelta(hours=2),
        "touched": at - OUTAGE - timedelta(hours=1),
    }


def _chairs(number: int) -> list[dict[str, Any]]:
    seated = [*PEOPLE, None]
    return [
        {
            "table_id": number,
            "seat": seat,
            "user": user and 10 * number + user,
            "name": f"p{seat}",
            "house": not user,
            "misses": 0,
        }
        for seat, user in enumerate(seated)
    ]


async def measure_start(database: Path) -> StartCost:
    """Start the bot on a store and return the cost."""
    env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database)}
    async with Discord() as discord:
        bot = BotProcess(discord, env=env)
        begun = time.monotonic()
        async with bot:
            await discord.until(lambda: " is ready." in bot.output, 30)
            return StartCost(time.monotonic() - begun, resident_memory(bot.pid))


def resident_memory(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))


async def count_loaded(folder: Path) -> tuple[int, int]:
    """Start the bot on the folder's store in SimCord; return the number of loaded tables and of tasks."""
    async with world(folder) as here:
        await here.settle()
        return len(here.parts.tables), len(asyncio.all_tasks())


async def print_costs(empty: Path, full: Path) -> None:
    """Print the costs of a start with an empty and with a full store."""
    print(f"{'unfinished tables':20}{'ready, s':>10}{'MiB':>8}{'in memory':>11}{'tasks':>7}")
    for count, folder in ((0, empty), (TABLE_COUNT, full)):
        cost = await measure_start(folder / "bigger.db")
        loaded, tasks = await count_loaded(folder)
        print(f"{count:<20,}{cost.seconds:10.2f}{cost.memory:8.1f}{loaded:11}{tasks:7}")
    print(f"The goal is to be ready in under {GOAL:.0f} s, with no table in memory and no task for any.")


def main() -> None:
    """Fill a store and measure."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        asyncio.run(fill_store(Path(full) / "bigger.db", TABLE_COUNT, datetime.now(UTC)))
        asyncio.run(print_costs(Path(empty), Path(full)))


if __name__ == "__main__":
    main()
