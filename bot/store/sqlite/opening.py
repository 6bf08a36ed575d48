"""Opening the database file: who may have it, whether it is sound, and bringing it up to date.

Knows files and SQLite's settings; refuses to know what the tables mean. Nothing is written before all
checks are passed, and no step of a migration is taken before a copy of the file lies beside it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import URL, NullPool, StaticPool, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.runtime.progress import interruptible
from bot.store.engine import migration
from bot.store.errors import StoreError
from bot.store.sqlite import faults, files
from bot.store.sqlite.gate import FileGate
from bot.store.sqlite.snapshot import vacuum_into

PATIENCE = 1.0  # seconds to wait for another program that looks into the file
GLANCE = 0.1  # seconds to wait for a check that looks whether somebody uses the file
NOT_UPDATED = (
    "Stopped. The database is as it was before its update, and a copy of it may be in the folder of backups. The "
    "update begins anew at the next start."
)
READ_WHOLE = 256 * 2**20  # bytes; a longer file is not read from end to end at every start

NO_FOLDER = (
    "The folder {folder} cannot be made ({why}). Give the bot the right to, or choose another place: BIGGER_DATABASE."
)

# At DEBUG the driver writes down every value it is given; a seed must not stand in a log.
logging.getLogger("aiosqlite").setLevel(logging.WARNING)


async def open_gate(path: Path, now: Callable[[], datetime], *, unfinished_too: bool = False) -> FileGate:
    """Open or make the database at ``path``. StoreError says why it cannot be had; the file is then untouched.

    now: the clock, for the name of the copy that is made before an older database is brought up to date.
    unfinished_too: whether it may be a copy that was not finished, to go on with it.
    """
    held = take(path)
    try:
        return FileGate(path, await connect(path, now, unfinished_too=unfinished_too), held)
    except BaseException:
        held.close()
        raise


def lock_of(path: Path) -> Path:
    """Return the file on which whoever uses a database holds a lock."""
    return path.with_name(f"{path.name}-lock")


def is_held(path: Path) -> bool:
    """Tell whether a process uses the database at ``path``, without keeping one out that begins to."""
    if not lock_of(path).exists():
        return False
    with closing(sqlite3.connect(f"{lock_of(path).absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as side:
        try:
            side.execute("SELECT 1 FROM sqlite_schema")
        except sqlite3.OperationalError as error:
            return faults.is_locked(error)
    return False


def hold(path: Path) -> sqlite3.Connection:
    """Take the right to use ``path``, held until closed and let go by the system however the process ends.

    It is an exclusive lock on an empty database beside it, so that ``path`` can be looked into and copied by others.
    """
    side = sqlite3.connect(lock_of(path), timeout=GLANCE, isolation_level=None)
    try:
        side.execute("BEGIN EXCLUSIVE")
    except BaseException:
        side.close()
        raise
    return side


def take(path: Path) -> sqlite3.Connection:
    """Hold the database at ``path``, having made sure that it lies where it can be written; else StoreError."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder, but the database must be a file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.keep_to_oneself(path)
    except (FileExistsError, NotADirectoryError) as error:
        raise StoreError(f"{path.parent} is not a folder, so there is no place for the database.") from error
    except OSError as error:
        said = faults.of_disk(error) or NO_FOLDER
        raise StoreError(said.format(path=path, folder=path.parent, why=error.strerror)) from error
    try:
        return hold(path)
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise StoreError(
                f"Another running bot uses the database {path}. Stop it first: two bots must never share a file."
            ) from error
        raise StoreError(faults.sentence(path, error)) from error


def engine_for(path: Path) -> AsyncEngine:
    """Make an engine whose connections keep what is committed, also through a loss of power."""
    url = URL.create("sqlite+aiosqlite", database=str(path))
    settings = {"timeout": PATIENCE, "isolation_level": "IMMEDIATE"}
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=settings)

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _record: object) -> None:
        with closing(connection.cursor()) as cursor:
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA secure_delete = ON")  # what is deleted does not stay in the file

    return engine


def check_writable(path: Path) -> None:
    """OSError if there is a file that may not be written: SQLite would quietly open it for reading."""
    if path.exists():
        path.open("r+b").close()


async def connect(path: Path, now: Callable[[], datetime], *, unfinished_too: bool) -> AsyncConnection:
    """Give a connection to a sound, up-to-date database at ``path``, which must be held; else StoreError."""
    engine = engine_for(path)
    try:
        check_writable(path)
        connection = await engine.connect()
        try:
            await prepare(connection, path, now, unfinished_too=unfinished_too)
        except BaseException:
            await connection.close()
            raise
    except DBAPIError as error:
        raise StoreError(faults.sentence(path, error.orig)) from error
    except OSError as error:
        raise StoreError(faults.sentence(path, error)) from error
    return connection


async def prepare(
    connection: AsyncConnection, path: Path, now: Callable[[], datetime], *, unfinished_too: bool
) -> None:
    """Check the database, bring it up to date, and only then choose how it is written."""
    await check_sound(connection, path)
    current = await connection.run_sync(migration.revision_of, path, unfinished_too=unfinished_too)
    if current != migration.newest():
        with interruptible(NOT_UPDATED):
            if current is not None:
                await copy(path, now(), current)
            await migrate(connection, path)
    await connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    await connection.commit()


def revision_in(database: sqlite3.Connection, path: Path) -> str | None:
    """Return the revision of an open database as a start reads it, None for an empty one. Raises StoreError."""
    engine = create_engine("sqlite://", creator=lambda: database, poolclass=StaticPool)
    try:
        with engine.connect() as connection:
            return migration.revision_of(connection, path)
    except DBAPIError as error:
        raise StoreError(faults.sentence(path, error.orig)) from error


def check_of(path: Path) -> str:
    """Choose how thoroughly to check; a very long file is not read whole, only its list of tables."""
    return "PRAGMA quick_check(1)" if path.stat().st_size <= READ_WHOLE else "PRAGMA quick_check(sqlite_schema)"


async def check_sound(connection: AsyncConnection, path: Path) -> None:
    """Read the file and refuse a damaged one."""
    verdict = (await connection.exec_driver_sql(check_of(path))).scalar()
    await connection.rollback()
    if verdict != "ok":
        raise StoreError(faults.DAMAGED.format(path=path))


async def copy(path: Path, at: datetime, revision: str) -> None:
    """Keep a copy of the database in ``backups`` beside it, named by moment and revision; else StoreError."""
    target = path.parent / files.BACKUPS / f"{path.stem}-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}-{revision}{path.suffix}"
    part = target.with_name(f"{target.name}.part")
    try:
        clear(part)
        await vacuum_into(path, part, "copying the database before its update")
        settle(part, target)
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"The database {path} is of an older version, and no copy of it can be put into {target.parent} "
            f"({reason}). Free some space, or give the bot the right to write there. Nothing was changed."
        ) from error


def clear(part: Path) -> None:
    """Make room for a file that is being written."""
    part.parent.mkdir(exist_ok=True)
    part.unlink(missing_ok=True)


def settle(part: Path, target: Path) -> None:
    """See a written file safely onto the disk, and only then give it its name."""
    with part.open("r+b") as file:
        os.fsync(file.fileno())
    part.replace(target)


def settle_alone(path: Path) -> None:
    """Bring all that was written into the one file of a database that nobody uses."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")


async def migrate(connection: AsyncConnection, path: Path) -> None:
    """Take all missing steps in one transaction, or none; StoreError if rows lost their table."""
    # Rebuilding a table would else empty those that refer to it. SQLite hears this only outside a transaction.
    await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    await connection.rollback()
    await connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        await connection.run_sync(migration.upgrade)
        await check_whole(connection, path)
        await connection.commit()
    except BaseException:
        await connection.rollback()
        raise
    await connection.exec_driver_sql("PRAGMA foreign_keys = ON")
    await connection.rollback()


async def check_whole(connection: AsyncConnection, path: Path) -> None:
    """StoreError if rows have lost what they refer to."""
    if (await connection.exec_driver_sql("PRAGMA foreign_key_check")).first():
        raise StoreError(f"The database {path} does not fit together after its migration. Nothing was changed.")
