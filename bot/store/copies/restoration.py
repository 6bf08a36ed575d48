"""Restoration of a backup in place of a store.

A backup is trusted only so far: SQLite reads it together with its journal, and only the bot's own tables reach the
store, after they match the schema of this version. The store stays unchanged until then.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import ExitStack, asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.runtime.progress import interruptible
from bot.runtime.store_address import Address, DatabaseServer
from bot.store.copies.row_transfer import Rows, clear, copy, is_unfinished, rows
from bot.store.copies.transfer import DELETED, NO_PLACE, NONE, back_up, keep_ledger, open_store, write_text
from bot.store.engine import migration
from bot.store.engine.deletion_ledger import last_number, ledger_path, ledgers_of, read_ledger_text
from bot.store.erasure.deletions import NOTED_COUNT_KEY
from bot.store.errors import StoreError
from bot.store.postgres import deletion_ledger
from bot.store.repositories.notes import put_note, read_note
from bot.store.schema import metadata
from bot.store.sqlite import faults, files, opening

READING = "reading the copy"
UNCHANGED = "Nothing was changed."
ANOTHER = f"{UNCHANGED} Name another copy."
EMPTY = f"{{name}} is empty: no game was ever stored in it. {ANOTHER}"
UNREADABLE = f"{{name}} is damaged or not a database. {ANOTHER}"
REFUSED = f"{{name}} can't be read as a copy ({{why}}). {ANOTHER}"
OTHERWISE = f"{{name}} has other tables than this bot ({{what}}). {ANOTHER}"
SAME = f"{{name}} is the database itself, not a copy of it. {UNCHANGED}"
AHEAD = (
    "{name} has followed {applied} deletions, but only {known} are on the list of deletions: it is an old list, or the "
    f"copy is that of another bot. {UNCHANGED} Put the list that belongs to the copy at {{place}}; if it is lost, add "
    "--new-list."
)
NO_COUNT = f"{{name}} doesn't say how many deletions it has followed ({{count!r}}). {ANOTHER}"
NO_LIST = f"The list of deletions {{place}} can't be read. {UNCHANGED} Put a copy of it in its place."
LEFT_OUT = "Left out of {name}, because it isn't the bot's own: {what}."
WAS = "What was there is in {copy}."
WAS_DAMAGED = "What was there is damaged; it is in {copy} as it was."
STOPPED = (
    "Stopped. Nothing was put back, and the database is as it was. Run the same command again to put the copy back."
)
STOPPED_HALF = (
    "Stopped. {name} is half written, and no bot opens it like that; what was there is in the folder of backups. "
    "Run the same command again: it puts the copy back from the beginning."
)
DAMAGED_NAME = "{stem}-{at:%Y%m%dT%H%M%SZ}-damaged.db"
FOREIGN = (
    "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    " ORDER BY type, sql LIKE 'CREATE VIRTUAL%' DESC"  # indexes before tables, virtual tables before their parts
)

Say = Callable[[str], None]


async def restore_backup(
    backup: Path, store: Address, beside: Path, now: datetime, say: Say, *, new_list: bool = False
) -> None:
    """Replace an unused store by a backup, after a backup of the store. Raises StoreError.

    beside: the file beside the backups folder. new_list: accept a backup with more applied deletions than the
    ledger lists, because the ledger was lost.
    """
    check_given(backup, store)
    folder = beside.parent / files.BACKUPS
    try:
        with interruptible(STOPPED), ExitStack() as stack:
            if isinstance(store, Path):
                stack.enter_context(closing(opening.lock_database(store)))
            copied = stack.enter_context(files.workspace(folder)) / "restored.db"
            await take_copy(backup, copied)
            async with connected(copied, backup) as connection:
                await prepare(connection, backup, say)
                if isinstance(store, DatabaseServer):
                    await replace_rows(connection, backup, store, beside, say, new_list=new_list)
                else:
                    ledger = find_ledger(backup, store)
                    await check_deletions(connection, backup, ledger, ledger_path(store), new_list=new_list)
            if isinstance(store, Path):
                await replace_file(copied, store, ledger, now, say)
    except OSError as error:
        raise StoreError(NO_PLACE.format(folder=folder, reason=error.strerror)) from error


def check_given(backup: Path, store: Address) -> None:
    """Raise StoreError unless the backup is another, non-empty file."""
    if not backup.is_file():
        raise StoreError(NONE.format(path=backup))
    if isinstance(store, Path) and backup.resolve() == store.resolve():
        raise StoreError(SAME.format(name=backup))
    if not backup.stat().st_size:
        raise StoreError(EMPTY.format(name=backup))


async def take_copy(backup: Path, copied: Path) -> None:
    """Copy a backup, including its journal. Raises StoreError.

    In a folder without write access SQLite cannot read the journal; it then reads a copy of both files.
    """
    try:
        try:
            await files.vacuum_into(backup, copied, READING)
        except sqlite3.OperationalError as error:
            if faults.primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            await files.vacuum_into(await asyncio.to_thread(with_journals, backup, copied), copied, READING)
    except sqlite3.Error as error:
        raise StoreError(unreadable(backup, error)) from error


def with_journals(backup: Path, copied: Path) -> Path:
    """Copy a file and its journals unchanged, replacing a failed copy; return the new path."""
    copied.unlink(missing_ok=True)
    given = copied.with_name("given.db")
    for suffix in ("", "-wal", "-journal"):
        if (source := backup.with_name(f"{backup.name}{suffix}")).exists():
            shutil.copyfile(source, given.with_name(f"{given.name}{suffix}"))
    opening.merge_journal(given)
    return given


def unreadable(backup: Path, error: BaseException | None) -> str:
    """Return the sentence for an unreadable backup, with the name given by the operator."""
    if faults.is_damaged(error):
        return UNREADABLE.format(name=backup)
    return REFUSED.format(name=backup, why=error)


@asynccontextmanager
async def connected(copied: Path, backup: Path) -> AsyncIterator[AsyncConnection]:
    """Yield a connection to the copy of a backup.

    A database error becomes a StoreError that names the backup.
    """
    try:
        async with opening.engine_for(copied).connect() as connection:
            yield connection
    except DBAPIError as error:
        raise StoreError(unreadable(backup, error.orig)) from error


async def prepare(connection: AsyncConnection, backup: Path, say: Say) -> None:
    """Migrate the copy of a backup, and remove foreign tables from it. Raises StoreError."""
    if (await connection.exec_driver_sql("PRAGMA integrity_check(1)")).scalar() != "ok":
        raise StoreError(UNREADABLE.format(name=backup))
    if await connection.run_sync(migration.read_revision, backup) is None:
        raise StoreError(EMPTY.format(name=backup))
    left = await leave_out(connection, ("trigger", "view"), frozenset())
    await opening.migrate(connection, backup)
    left += await leave_out(connection, ("index", "table"), own_names())
    if wrong := await connection.run_sync(differences):
        raise StoreError(OTHERWISE.format(name=backup, what=", ".join(wrong)))
    if left:
        say(LEFT_OUT.format(name=backup.name, what=", ".join(left)))


def own_names() -> frozenset[str]:
    """Return the names of the bot's own tables and indexes."""
    own = {str(index.name) for table in metadata.sorted_tables for index in table.indexes}
    return frozenset({*own, *metadata.tables, migration.VERSION_TABLE})


async def leave_out(connection: AsyncConnection, kinds: tuple[str, ...], own: Collection[str]) -> list[str]:
    """Drop foreign objects of these kinds; return their names."""
    every = (await connection.exec_driver_sql(FOREIGN)).mappings().all()
    found = [(row["type"], row["name"]) for row in every if row["type"] in kinds and row["name"] not in own]
    await connection.rollback()
    await connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
    await connection.rollback()
    for kind, name in found:
        quoted = name.replace('"', '""')
        await connection.exec_driver_sql(f'DROP {kind} IF EXISTS "{quoted}"')
    await connection.commit()
    return [f"{kind} {name!r}" for kind, name in found]


def differences(connection: Connection) -> list[str]:
    """Return the bot's tables and columns that are missing or different in a database."""
    found = list[str]()
    changes: list[Any] = compare_metadata(MigrationContext.configure(connection), metadata)
    for change in changes:
        kind, *about = change[0] if isinstance(change, list) else change
        named = [str(getattr(one, "name", one)) for one in about if one is not None]
        found.append(f"{kind.replace('_', ' ')} {'.'.join(named[:2])}")
    connection.rollback()
    return found


def find_ledger(backup: Path, store: Path) -> str:
    """Return the ledger of a store, else the ledger beside the backup; "" without one."""
    beside_backup = (backup.with_name(each.name) for each in ledgers_of(store))
    places = ledger_path(store), ledger_path(backup), *beside_backup
    return next(filter(None, map(read_ledger_text, places)), "")


async def check_deletions(
    connection: AsyncConnection, backup: Path, ledger: str, place: Path, *, new_list: bool
) -> None:
    """Raise StoreError if a backup has more applied deletions than the ledger.

    The ledger then belongs to another store. place: the expected path of the ledger. new_list: reset the count to 0
    instead, so that every listed deletion is applied again.
    """
    count = await read_note(connection, NOTED_COUNT_KEY) or "0"
    if not count.isdecimal():
        raise StoreError(NO_COUNT.format(name=backup, count=count[:20]))
    try:
        applied, known = int(count), last_number(ledger)
    except ValueError as error:
        raise StoreError(NO_LIST.format(place=place)) from error
    if applied > known and not new_list:
        raise StoreError(AHEAD.format(name=backup, applied=applied, known=known, place=place))
    if applied > known:
        await put_note(connection, NOTED_COUNT_KEY, "0")
    await connection.commit()


async def replace_file(copied: Path, store: Path, ledger: str, now: datetime, say: Say) -> None:
    """Replace a locked file by a database."""
    if files.size_of(store):
        say(await keep_old_store(store, now))
    if ledger and not ledger_path(store).exists():
        write_text(ledger_path(store), ledger)
    opening.sync_and_rename(copied, store)


async def keep_old_store(store: Path, now: datetime) -> str:
    """Back up a file, or move a damaged one to the backups.

    Return the sentence for the operator.
    """
    try:
        copy = await back_up(store, store, now)
        opening.merge_journal(store)  # leaves no journal to the new file
    except (StoreError, sqlite3.Error) as error:
        if not faults.is_damaged(error.__cause__ if isinstance(error, StoreError) else error):
            raise
        return WAS_DAMAGED.format(copy=move_damaged(store, now))
    return WAS.format(copy=copy)


def move_damaged(store: Path, now: datetime) -> Path:
    """Move a file and its journals to the backups; return the new path.

    A symbolic link to the file stays, for the new file.
    """
    real = Path(os.path.realpath(store))
    target = store.parent / files.BACKUPS / DAMAGED_NAME.format(stem=store.stem, at=now.astimezone(UTC))
    for suffix in ("-wal", "-shm", ""):
        if (left := real.with_name(f"{real.name}{suffix}")).exists():
            opening.sync_and_rename(left, target.with_name(f"{target.name}{suffix}"))
    return target


async def replace_rows(
    connection: AsyncConnection, backup: Path, server: DatabaseServer, beside: Path, say: Say, *, new_list: bool
) -> None:
    """Replace the rows of a store on a server by those of a backup."""
    now, place = datetime.now(UTC), backup.with_name(DELETED.format(name=server.name))

    async def read(query: Select[Any]) -> Rows:
        return await rows(connection, query)

    async with open_store(server, now, include_unfinished=True) as into:
        own = await into.run(deletion_ledger.ledger_text)
        await check_deletions(connection, backup, own or read_ledger_text(place), place, new_list=new_list)
        if not await into.run(is_unfinished):
            say(WAS.format(copy=await back_up(server, beside, now)))
        with interruptible(STOPPED_HALF.format(name=server)):
            await into.run(clear)
            await copy(read, into, say)
        if not own:
            await keep_ledger(server, into, read_ledger_text(place))
