"""Moving and backing up a whole store with its ledger of deletions, also periodically."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Select

from bot.runtime.store_address import Address, DatabaseServer
from bot.store.copies.row_transfer import Rows, copy, read_through, rows
from bot.store.engine.deletion_ledger import ledger_path, read_ledger_text
from bot.store.engine.gate import Gate
from bot.store.engine.migration import newest_revision
from bot.store.errors import StoreError
from bot.store.postgres import deletion_ledger
from bot.store.postgres import opening as server_opening
from bot.store.sqlite import faults, files, opening
from bot.store.sqlite.files import vacuum_into

NONE = "There's no database {path}."
SAME = "Both are the same database. Nothing was changed."
OTHERS = "The database {name} has a list of deletions of its own. Nothing was changed; name an empty one."
NO_PLACE = (
    "No copy can be written into {folder} ({reason}). Free some space, or give the bot the right to write there. "
    "Nothing was changed."
)
DELETED = "{name}.db-deleted"  # the file name of a server's ledger among the backups

Say = Callable[[str], None]


@asynccontextmanager
async def open_store(address: Address, now: datetime, *, include_unfinished: bool = False) -> AsyncIterator[Gate]:
    """Open a store for exclusive use."""
    gate: Gate
    if isinstance(address, DatabaseServer):
        gate = await server_opening.open_gate(address, include_unfinished=include_unfinished)
    else:
        gate = await opening.open_gate(address, lambda: now, include_unfinished=include_unfinished)
    try:
        yield gate
    finally:
        await gate.close()


async def copy_store(source: Address, target: Address, now: datetime, say: Say) -> None:
    """Copy a store into an empty one, or resume an interrupted copy.

    Raises StoreError, also while a bot uses one of the stores.
    """
    if source == target or (isinstance(source, Path) and isinstance(target, Path) and _is_same_file(source, target)):
        raise StoreError(SAME)
    check_exists(source)
    async with open_store(source, now) as out, open_store(target, now, include_unfinished=True) as into:
        ledger = await ledger_in(source, out)
        await check_deletions_known(target, into, ledger)
        await copy(read_through(out), into, say)
        await keep_ledger(target, into, ledger)


def _is_same_file(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other) or (one.exists() and other.exists() and one.samefile(other))


def check_exists(address: Address) -> None:
    """Raise StoreError for a missing file, which opening would create."""
    if isinstance(address, Path) and not address.is_file():
        raise StoreError(NONE.format(path=address))


async def ledger_in(address: Address, gate: Gate) -> str:
    """Return the ledger of a store as the text of a file, "" without one."""
    return (
        await gate.run(deletion_ledger.ledger_text)
        if isinstance(address, DatabaseServer)
        else read_ledger_text(ledger_path(address))
    )


async def check_deletions_known(target: Address, gate: Gate, ledger: str) -> None:
    """Raise StoreError if a store has deletions missing in this ledger.

    The copy would undo the deletions.
    """
    own = (await ledger_in(target, gate)).splitlines()
    if own[1:] and own != ledger.splitlines()[: len(own)]:
        raise StoreError(OTHERS.format(name=target))


async def keep_ledger(target: Address, gate: Gate, ledger: str) -> None:
    """Write a ledger, replacing an existing one."""
    if not ledger:
        return
    if isinstance(target, DatabaseServer):
        await gate.run(deletion_ledger.write_ledger_text, ledger)
    else:
        write_text(ledger_path(target), ledger)


def write_text(path: Path, ledger: str) -> None:
    """Write a file readable by its owner alone, renamed only after a sync to the disk."""
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(ledger)
        opening.sync_and_rename(part, path)
    except OSError as error:
        raise StoreError(faults.sentence(path, error)) from error


async def back_up(store: Address, beside: Path, now: datetime) -> Path:
    """Back up a store, also while the bot runs; return the path of the backup.

    The backup is written into the backups folder beside ``beside``. The ledger of a server is written there too,
    because it must outlast the server's copies. May raise StoreError.
    """
    check_exists(store)
    folder = beside.parent / files.BACKUPS
    target = folder / f"{beside.stem}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{newest_revision()}.db"
    try:
        with files.workspace(folder) as made:
            part = made / target.name
            await (_of_server(store, part, now, folder) if isinstance(store, DatabaseServer) else _of_file(store, part))
            opening.sync_and_rename(part, target)
    except OSError as error:
        raise StoreError(NO_PLACE.format(folder=folder, reason=error.strerror)) from error
    return target


async def _of_file(store: Path, part: Path) -> None:
    try:
        await vacuum_into(store, part, "backing up")
    except sqlite3.Error as error:
        raise StoreError(NO_PLACE.format(folder=part.parent.parent, reason=error)) from error


async def _of_server(server: DatabaseServer, part: Path, now: datetime, folder: Path) -> None:
    async with server_opening.snapshot_connection(server) as connection, open_store(part, now) as into:

        async def read(query: Select[Any]) -> Rows:
            return await rows(connection, query)

        await copy(read, into)
        if ledger := await deletion_ledger.ledger_text(connection):
            write_text(folder / DELETED.format(name=server.name), ledger)


log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Backups:
    """The backup schedule.

    beside: the file beside the backups folder. kept: the number of backups retained.
    """

    store: Address
    beside: Path
    every: timedelta  # zero disables backups
    kept: int
    now: Callable[[], datetime]

    async def run_if_due(self) -> None:
        """Make a backup if one is due, and delete surplus ones. A failure is logged."""
        now = self.now()
        made = self._made_until(now)
        if not self.every or (made and now - made[-1][0] < self.every):
            return
        try:
            await back_up(self.store, self.beside, now)
        except StoreError as error:
            log.error("No backup could be made: %s", error)  # an expected failure: no traceback
            return
        for _, old in self._made_until(now)[: -self.kept]:
            old.unlink(missing_ok=True)

    def _made_until(self, now: datetime) -> list[tuple[datetime, Path]]:
        """Return the times and paths of the backups, without those that a wrong clock dated later."""
        dated = ((self._moment(copy), copy) for copy in self.copies())
        return [(at, copy) for at, copy in dated if at is not None and at <= now]

    def copies(self) -> tuple[Path, ...]:
        """Return the backups of this version, the oldest first.

        Copies made before a migration do not count, nor those of other databases in the same folder.
        """
        return tuple(copy for copy in files.copies(self.beside) if self._moment(copy))

    def _moment(self, copy: Path) -> datetime | None:
        """Return the time of a backup; None for any other file."""
        stamp = copy.name.removeprefix(f"{self.beside.stem}-").removesuffix(f"-{newest_revision()}.db")
        try:
            return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
        except ValueError:
            return None
