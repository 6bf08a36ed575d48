"""Checks of the bot running on this machine: heartbeat, delay, and limits of the system.

Reads only; possible while the bot runs.
"""

from __future__ import annotations

import sys
from asyncio import to_thread
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from bot.ops.checks.finding import CheckResult, note, ok, wrong
from bot.ops.checks.machine import MEGABYTE
from bot.runtime.store_address import Address, DatabaseServer
from bot.settings import Settings
from bot.store.copies.side_connection import connect_beside_bot, is_used, read_bot_state, read_members
from bot.store.errors import StoreError
from bot.store.postgres.processes import Member
from bot.store.sqlite import files

MAX_HEARTBEAT_AGE = timedelta(minutes=3)  # a running, connected bot writes a heartbeat every minute
MAX_DELAY = timedelta(minutes=1)
OLD_COPY = timedelta(days=7)
FILES = 1024  # open files the bot needs
LEAST_MEMORY = 512 * MEGABYTE
CGROUP = Path("/sys/fs/cgroup/memory.max")


async def running(settings: Settings, now: datetime) -> AsyncIterator[CheckResult]:
    """Yield the findings about the bot. Another check reports an unreadable database."""
    with suppress(StoreError):
        for finding in await _bot(settings.database, now):
            yield finding
    if settings.metrics_port:
        yield await to_thread(answering, settings.metrics_port)
    if isinstance(settings.database, DatabaseServer) or settings.database.exists():
        yield copies(settings.copied, now)
    yield limits()


async def _bot(database: Address, now: datetime) -> list[CheckResult]:
    async with connect_beside_bot(database) as connection:
        found, (members, idle) = await read_bot_state(connection), await read_members(connection, database)
        used = await is_used(connection, database)
    bot = alive(found.beat, found.due, found.tables, now) if used else ended(found.beat, found.tables)
    return [bot, shared(members, idle)] if members else [bot]


def shared(members: Sequence[Member], idle: int) -> CheckResult:
    """Return the finding about the processes that share Discord's shards.

    idle: shards without a process.
    """
    late = [
        f"{member.name} for {member.late.total_seconds():,.0f} s" for member in members if member.late > timedelta()
    ]
    if late:
        return note("shares", f"no sign of {', '.join(late)}. If there are others, they take over")
    if idle:
        return note("shares", f"{idle} shards have no process. Start another one, or raise BIGGER_SHARDS_A_PROCESS")
    return ok("shares", "; ".join(f"{member.name} has {member.shards} shards" for member in members))


def ended(beat: datetime | None, tables: int) -> CheckResult:
    """Return the finding for a bot not running. beat: its latest heartbeat."""
    if beat is None:
        return note("bot", "it has never been connected to Discord. Start it: make run")
    last = f"it was last connected {beat:%Y-%m-%d %H:%M} UTC, {tables:,} open tables"
    return note("bot", f"it has ended: nothing uses the database; {last}. Start it, or check its log")


def alive(beat: datetime | None, due: datetime | None, tables: int, now: datetime) -> CheckResult:
    """Return the finding for a running bot.

    beat: its latest heartbeat. due: the next deadline of its tables.
    """
    open_ = f"{tables:,} open tables"
    if beat is None:
        return note("bot", "it's running, but has never been connected to Discord. Check its log")
    if now - beat > MAX_HEARTBEAT_AGE:
        return note("bot", f"it's running, but not connected since {beat:%Y-%m-%d %H:%M} UTC, {open_}. Check its log")
    if due is not None and now - due > MAX_DELAY:
        late = (now - due).total_seconds()
        return wrong("bot", f"it's running, but {late:,.0f} s behind with {open_}. Check its log, and restart it")
    return ok("bot", f"it's running, {open_}")


def answering(port: int) -> CheckResult:
    """Return the finding of the running bot's own readiness endpoint."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as response:
            return ok("health", response.read().decode().strip())
    except HTTPError as error:
        return wrong("health", f"{error.read().decode().strip()}. Check its log")
    except (URLError, OSError):
        return note("health", f"nothing answers on port {port}: the bot isn't running, or uses another port")


def copies(path: Path, now: datetime) -> CheckResult:
    """Return the finding about the age of the latest copy of the database."""
    made = [files.copy_date(copy) for copy in files.copies(path)]
    if not made:
        return note("copies", "there's none of the database. How to make one: docs/operating.md, Back up")
    text = f"the last is of {max(made):%Y-%m-%d}"
    return note("copies", f"{text}. Make a new one") if now - max(made) > OLD_COPY else ok("copies", text)


def limits() -> CheckResult:
    """Return whether the system's limits are high enough for the bot."""
    if sys.platform == "win32":
        return ok("limits", "this system has none that Bigger knows")
    import resource  # noqa: PLC0415  # the module exists on POSIX only

    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < FILES:
        return note("limits", f"{most} files may be open at once. Allow {FILES}: LimitNOFILE in the unit, or ulimit -n")
    memory = CGROUP.read_text("ascii") if CGROUP.exists() else "max"
    if memory.strip().isdigit() and int(memory) < LEAST_MEMORY:
        allowed, wanted = int(memory) // MEGABYTE, LEAST_MEMORY // MEGABYTE
        return note("limits", f"{allowed} MB of memory may be used, and many tables take more. Allow {wanted}")
    return ok("limits", f"{most:,} files may be open")
