"""The gate of a database file: locks, checks, migration, and its transactions."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from errno import EXDEV
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, NullPool, StaticPool, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.runtime.progress import interruptible
from bot.store.engine import migration
from bot.store.engine.deletion_ledger import ledgers_of, read_ledger_text
from bot.store.engine.gate import Gate
from bot.store.errors import StoreError
from bot.store.sqlite import faults, files
from bot.store.sqlite.faults import is_locked, sentence
from bot.store.sqlite.files import vacuum_into

LOCK_TIMEOUT = 1.0  # seconds to wait for another program's lock
STARTING_LOCK_TIMEOUT = 0.1  # seconds to wait for a concurrent `is_in_use`
NOT_UPDATED = (
    "Stopped. The database is as it was before its update, and a copy of it may be in the folder of backups. The "
    "update begins anew at the next start."
)
READ_WHOLE = 256 * 2**20  # bytes; a longer file is not read completely at every start

NO_FOLDER = (
    "The folder {folder} cannot be made ({why}). Give the bot the right to, or choose another place: BIGGER_DATABASE."
)
TWO_LISTS = (
    "There are two lists of deletions, {one} and {other}. They keep deleted people from coming back with an old copy "
    "of the database. Keep the one of the bot that has used the database, and move the other one away."
)

# At DEBUG the driver logs every parameter, and a seed must not reach a log.
logging.getLogger("aiosqlite").setLevel(logging.WARNING)


async def open_gate(path: Path, now: Callable[[], datetime], *, include_unfinished: bool = False) -> FileGate:
    """Open the database at ``path``, or create it. Raises StoreError, with the file unchanged.

    now: the clock, for the file name of the copy made before a migration. include_unfinished: accept an unfinished
    copy, to continue the copying.
    """
    held = lock_database(path)
    try:
        return FileGate(path, await connect(path, now, include_unfinished=include_unfinished), held)
    except BaseException:
        held.close()
        raise


def is_in_use(path: Path) -> bool:
    """Tell whether a process uses the database at ``path``, without blocking a start."""
    if not files.lock_of(path).exists():
        return False
    with closing(sqlite3.connect(f"{files.lock_of(path).absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as side:
        try:
            side.execute("SELECT 1 FROM sqlite_schema")
        except sqlite3.OperationalError as error:
            return faults.is_locked(error)
    return False


def hold(path: Path) -> sqlite3.Connection:
    """Lock the database at ``path`` until the returned connection or the process ends.

    The lock is an exclusive transaction on an empty database beside ``path``, so that other programs can still read and
    copy ``path``.
    """
    side = sqlite3.connect(files.lock_of(path), timeout=STARTING_LOCK_TIMEOUT, isolation_level=None)
    try:
        side.execute("BEGIN EXCLUSIVE")
    except BaseException:
        side.close()
        raise
    return side


def lock_database(path: Path) -> sqlite3.Connection:
    """Lock the database at ``path``, in a writable folder created if missing.

    Raises StoreError.
    """
    if path.is_dir():
        raise StoreError(f"{path} is a folder, but the database must be a file.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.restrict_to_owner(path)
    except (FileExistsError, NotADirectoryError) as error:
        raise StoreError(f"{path.parent} isn't a folder, so there's no place for the database.") from error
    except OSError as error:
        said = faults.of_disk(error) or NO_FOLDER
        raise StoreError(said.format(path=path, folder=path.parent, why=error.strerror)) from error
    try:
        held = hold(path)
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise StoreError(
                f"Another running bot uses the database {path}. Stop it first: two bots must never share a file."
            ) from error
        raise StoreError(faults.sentence(path, error)) from error
    try:
        adopt_ledger(path)
    except (OSError, StoreError) as error:
        held.close()
        raise StoreError(faults.sentence(path, error) if isinstance(error, OSError) else str(error)) from error
    return held


def adopt_ledger(path: Path) -> None:
    """Move a ledger beside a symbolic link, where earlier versions kept it, beside its file.

    An existing ledger there is replaced if it lists no deletion. Two lists of deletions have two keys and cannot be
    merged: raises StoreError. Also raises OSError. The caller holds the lock of the database.
    """
    beside_link, own = ledgers_of(path)
    if not beside_link.exists() or (own.exists() and own.samefile(beside_link)):
        return
    moved, standing = (read_ledger_text(each).splitlines() for each in (beside_link, own))
    if own.exists() and not moved[1:]:
        return
    if standing[1:] and standing != moved[: len(standing)]:
        raise StoreError(TWO_LISTS.format(one=beside_link, other=own))
    sync_and_rename(beside_link, own)


def engine_for(path: Path) -> AsyncEngine:
    """Return an engine whose commits survive a power cut."""
    url = URL.create("sqlite+aiosqlite", database=str(path))
    settings = {"timeout": LOCK_TIMEOUT, "isolation_level": "IMMEDIATE"}
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=settings)

    @event.listens_for(engine.sync_engine, "connect")
    def set_up(connection: Any, _record: object) -> None:
        with closing(connection.cursor()) as cursor:
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute("PRAGMA synchronous = FULL")
            cursor.execute("PRAGMA secure_delete = ON")  # overwrites deleted content

    return engine


def check_writable(path: Path) -> None:
    """Raise OSError for a read-only file, which SQLite would silently open for reading."""
    if path.exists():
        path.open("r+b").close()


async def connect(path: Path, now: Callable[[], datetime], *, include_unfinished: bool) -> AsyncConnection:
    """Return a connection to the checked and migrated database at ``path``. Raises StoreError.

    The caller holds the lock of the database.
    """
    engine = engine_for(path)
    try:
        check_writable(path)
        connection = await engine.connect()
        try:
            await prepare(connection, path, now, include_unfinished=include_unfinished)
        except BaseException:
            await connection.close()
            raise
    except DBAPIError as error:
        raise StoreError(faults.sentence(path, error.orig)) from error
    except OSError as error:
        raise StoreError(faults.sentence(path, error)) from error
    return connection


async def prepare(
    connection: AsyncConnection, path: Path, now: Callable[[], datetime], *, include_unfinished: bool
) -> None:
    """Check and migrate the database, and only then set its journal mode."""
    await check_sound(connection, path)
    current = await connection.run_sync(migration.read_revision, path, include_unfinished=include_unfinished)
    if current != migration.newest_revision():
        with interruptible(NOT_UPDATED):
            if current is not None:
                await copy(path, now(), current)
            await migrate(connection, path)
    await connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    await connection.commit()


def revision_in(database: sqlite3.Connection, path: Path) -> str | None:
    """Return the revision of an open database, None for an empty one.

    Raises StoreError, like a start of the bot.
    """
    engine = create_engine("sqlite://", creator=lambda: database, poolclass=StaticPool)
    try:
        with engine.connect() as connection:
            return migration.read_revision(connection, path)
    except DBAPIError as error:
        raise StoreError(faults.sentence(path, error.orig)) from error


def check_of(path: Path) -> str:
    """Return the integrity check for the file's size.

    The check of a very long file is of the schema table only.
    """
    return "PRAGMA quick_check(1)" if path.stat().st_size <= READ_WHOLE else "PRAGMA quick_check(sqlite_schema)"


async def check_sound(connection: AsyncConnection, path: Path) -> None:
    """Raise StoreError for a damaged file."""
    verdict = (await connection.exec_driver_sql(check_of(path))).scalar()
    await connection.rollback()
    if verdict != "ok":
        raise StoreError(faults.DAMAGED.format(path=path))


async def copy(path: Path, at: datetime, revision: str) -> None:
    """Copy the database into the backups folder, named by time and revision.

    Raises StoreError.
    """
    target = path.parent / files.BACKUPS / f"{path.stem}-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}-{revision}{path.suffix}"
    part = target.with_name(f"{target.name}.part")
    try:
        clear(part)
        await vacuum_into(path, part, "copying the database before its update")
        sync_and_rename(part, target)
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"The database {path} is of an older version, and no copy of it can be put into {target.parent} "
            f"({reason}). Free some space, or give the bot the right to write there. Nothing was changed."
        ) from error


def clear(part: Path) -> None:
    """Create the folder for a file, and delete a half-written one."""
    part.parent.mkdir(exist_ok=True)
    part.unlink(missing_ok=True)


def sync_and_rename(part: Path, target: Path) -> None:
    """Sync a written file to the disk, and only then rename it to its final name.

    A symbolic link to a file stays one; its file, maybe on another disk, is replaced. A failed copy to another disk
    leaves nothing there.
    """
    with part.open("r+b") as file:
        os.fsync(file.fileno())
    real = Path(os.path.realpath(target))
    try:
        part.replace(real)
    except OSError as error:
        if error.errno != EXDEV:
            raise
        near = real.with_name(f"{real.name}.part")
        try:
            shutil.copyfile(part, near)
            sync_and_rename(near, real)
        except BaseException:
            near.unlink(missing_ok=True)
            raise
        part.unlink()


def merge_journal(path: Path) -> None:
    """Merge the journal of an unused database into its file."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = DELETE")


async def migrate(connection: AsyncConnection, path: Path) -> None:
    """Run the missing migrations in one transaction. Raises StoreError if foreign keys break."""
    # Otherwise the rebuild of a table would delete the rows that refer to it. SQLite accepts the pragma only outside a
    # transaction.
    await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    await connection.rollback()
    await connection.exec_driver_sql("BEGIN IMMEDIATE")
    try:
        await connection.run_sync(migration.upgrade)
        await check_foreign_keys(connection, path)
        await connection.commit()
    except BaseException:
        await connection.rollback()
        raise
    await connection.exec_driver_sql("PRAGMA foreign_keys = ON")
    await connection.rollback()


async def check_foreign_keys(connection: AsyncConnection, path: Path) -> None:
    """Raise StoreError for a broken foreign key."""
    if (await connection.exec_driver_sql("PRAGMA foreign_key_check")).first():
        raise StoreError(f"The database {path} doesn't fit together after its migration. Nothing was changed.")


P = ParamSpec("P")
T = TypeVar("T")


class FileGate(Gate):
    """Runs one transaction at a time.

    held: the lock against other programs, released by `close`.
    """

    def __init__(self, path: Path, connection: AsyncConnection, held: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._held = held
        self._lock = asyncio.Lock()
        self._closed = False
        self._locked_out = 0

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run the work when its turn comes.

        Only the first transaction waits for another program's lock; those queued meanwhile do not wait again,
        later ones do.
        """
        before = self._locked_out
        async with self._lock:
            if self._closed:
                raise asyncio.CancelledError
            if before == self._locked_out:
                return await self._done(work, *args, **kwargs)
            async with self._impatient():
                return await self._done(work, *args, **kwargs)

    async def _done(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            answer = await work(self.connection, *args, **kwargs)
            await self.connection.commit()
        except DBAPIError as error:
            self._locked_out += is_locked(error.orig)
            await self.connection.rollback()
            raise StoreError(sentence(self.path, error.orig)) from error
        except BaseException:
            await self.connection.rollback()
            raise
        return answer

    @asynccontextmanager
    async def _impatient(self) -> AsyncIterator[None]:
        """Disable the wait for locks of other programs.

        Reading, which needs no lock, still succeeds.
        """
        patience = (await self.connection.exec_driver_sql("PRAGMA busy_timeout")).scalar_one()
        await self.connection.exec_driver_sql("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            await self.connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}")
            await self.connection.rollback()

    async def empty(self) -> None:
        """Merge the journal into the database file, where deleted data is overwritten."""
        await self.run(lambda connection: connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)"))

    async def close(self) -> None:
        """Finish the running transaction, then release the file."""
        async with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                await self.connection.close()
            finally:
                self._held.close()
