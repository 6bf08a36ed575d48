"""A whole store moved or backed up: all rows, and the ledger of deletions that lies apart from them.

Knows addresses of both kinds. Refuses to know what stands in the rows. A backup is always a file, of whatever kind the
store is, so that each can be put back into each (restoration.py).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Select

from bot.runtime.store_address import Address, Server
from bot.store.copies.row_transfer import Rows, copy, read_through, rows
from bot.store.engine.deletion_ledger import ledger_of
from bot.store.engine.gate import Gate
from bot.store.engine.migration import newest
from bot.store.errors import StoreError
from bot.store.postgres import deletion_ledger
from bot.store.postgres import opening as server_opening
from bot.store.sqlite import faults, files, opening
from bot.store.sqlite.snapshot import vacuum_into

NONE = "There is no database {path}."
SAME = "Both are the same database. Nothing was changed."
OTHERS = "The database {name} has a list of deletions of its own. Nothing was changed; name an empty one."
NO_PLACE = (
    "No copy can be put into {folder} ({reason}). Free some space, or give the bot the right to write there. "
    "Nothing was changed."
)
DELETED = "{name}.db-deleted"  # the ledger of a server, beside its copies

Say = Callable[[str], None]


@asynccontextmanager
async def opened(address: Address, now: datetime, *, unfinished_too: bool = False) -> AsyncIterator[Gate]:
    """Open a store that nobody else may use meanwhile."""
    gate: Gate
    if isinstance(address, Server):
        gate = await server_opening.open_gate(address, unfinished_too=unfinished_too)
    else:
        gate = await opening.open_gate(address, lambda: now, unfinished_too=unfinished_too)
    try:
        yield gate
    finally:
        await gate.close()


async def copy_store(source: Address, target: Address, now: datetime, say: Say) -> None:
    """Copy a store into an empty one, or go on with a copy that was cut off. No bot may use either. StoreError."""
    if source == target:
        raise StoreError(SAME)
    there(source)
    async with opened(source, now) as out, opened(target, now, unfinished_too=True) as into:
        ledger = await ledger_in(source, out)
        await may_have(target, into, ledger)
        await copy(read_through(out), into, say)
        await keep_ledger(target, into, ledger)


def there(address: Address) -> None:
    """StoreError where there is no such file: it would be made."""
    if isinstance(address, Path) and not address.is_file():
        raise StoreError(NONE.format(path=address))


async def ledger_in(address: Address, gate: Gate) -> str:
    """Return the ledger of a store as the text of a file, "" where there is none."""
    return await gate.run(deletion_ledger.written) if isinstance(address, Server) else text_of(ledger_of(address))


def text_of(path: Path) -> str:
    """Return what stands in a ledger's file, "" where there is none."""
    return path.read_text("utf-8") if path.exists() else ""


async def may_have(target: Address, gate: Gate, ledger: str) -> None:
    """StoreError where a store has deletions that this ledger does not know: they would be undone."""
    own = (await ledger_in(target, gate)).splitlines()
    if own[1:] and own != ledger.splitlines()[: len(own)]:
        raise StoreError(OTHERS.format(name=target))


async def keep_ledger(target: Address, gate: Gate, ledger: str) -> None:
    """Write a ledger, in place of what is there."""
    if not ledger:
        return
    if isinstance(target, Server):
        await gate.run(deletion_ledger.write, ledger)
    else:
        write_text(ledger_of(target), ledger)


def write_text(path: Path, ledger: str) -> None:
    """Write a file that only its owner can read, safely onto the disk, and only then under its name."""
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(ledger)
        opening.settle(part, path)
    except OSError as error:
        raise StoreError(faults.sentence(path, error)) from error


async def back_up(store: Address, beside: Path, now: datetime) -> Path:
    """Write a copy of a store into the folder for copies beside a file, also while the bot runs; return its path.

    The ledger of a server is written there as well: it must outlast the copies. May raise StoreError.
    """
    there(store)
    folder = beside.parent / files.BACKUPS
    target = folder / f"{beside.stem}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{newest()}.db"
    try:
        with files.workspace(folder) as made:
            part = made / target.name
            await (_of_server(store, part, now, folder) if isinstance(store, Server) else _of_file(store, part))
            opening.settle(part, target)
    except OSError as error:
        raise StoreError(NO_PLACE.format(folder=folder, reason=error.strerror)) from error
    return target


async def _of_file(store: Path, part: Path) -> None:
    try:
        await vacuum_into(store, part, "backing up")
    except sqlite3.Error as error:
        raise StoreError(NO_PLACE.format(folder=part.parent.parent, reason=error)) from error


async def _of_server(server: Server, part: Path, now: datetime, folder: Path) -> None:
    async with server_opening.as_it_stands(server) as connection, opened(part, now) as into:

        async def read(query: Select[Any]) -> Rows:
            return await rows(connection, query)

        await copy(read, into)
        if ledger := await deletion_ledger.written(connection):
            write_text(folder / DELETED.format(name=server.name), ledger)
