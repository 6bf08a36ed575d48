"""The ledger of deletions, apart from the database, so that a restore cannot undo one.

Records deleted people and servers in order, each as a keyed hash of the id; the key is part of the ledger. The database
notes the number of the last applied deletion. The ledger of a database file is a small file beside the database.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import secrets
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, Self

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.store.errors import StoreError
from bot.store.schema.columns import Kind

KEY_BYTES = 32
MARK_LETTERS = 32  # the length of a mark, in hexadecimal digits: 128 bits
UNREADABLE = (
    "The list of deletions {path} can't be read ({why}). It keeps deleted people from coming back with an old copy of "
    "the database. Put a copy of the list in its place, or move it away to start over."
)


def ledger_path(path: Path) -> Path:
    """Return the path of a database file's ledger, the same for a link as for its file.

    A ledger that an earlier version kept beside the link counts until a start has moved it (see `adopt_ledger`).
    """
    beside_link, own = ledgers_of(path)
    return beside_link if beside_link.exists() and not own.exists() else own


def ledgers_of(path: Path) -> tuple[Path, Path]:
    """Return the paths of the ledgers beside a link to a database and beside its file.

    Both are the same without a link.
    """
    link, file = path, Path(os.path.realpath(path))
    return link.with_name(f"{link.name}-deleted"), file.with_name(f"{file.name}-deleted")


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A deletion.

    number: counts from 1. kind: person or server. mark: the keyed hash of the id. at: the time.
    """

    number: int
    kind: Kind
    mark: str
    at: datetime

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Self:
        """Read a line of the file. Raises KeyError, TypeError or ValueError for a malformed line."""
        return cls(int(entry["number"]), entry["kind"], entry["mark"], datetime.fromisoformat(entry["at"]))


def read_ledger_text(path: Path) -> str:
    """Return the complete lines of a ledger's file, "" for a file that is missing or has none.

    Raises StoreError for an unreadable file.
    """
    try:
        content = path.read_bytes() if path.exists() else b""
        text = content.removesuffix(_half_line(content)).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(UNREADABLE.format(path=path, why=type(error).__name__)) from None
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip())  # an editor may leave empty lines


def _half_line(content: bytes) -> bytes:
    """Return the half-written last line of a ledger's file, empty without one.

    A power cut or a full disk leaves such a line. Its deletion has not reached the database, which waits for the line.
    """
    last = content.rpartition(b"\n")[2]
    try:
        json.loads(last)
    except ValueError:
        return last
    return b""


def last_number(ledger: str) -> int:
    """Return the number of the last deletion in a ledger's text, 0 without any.

    Raises ValueError.
    """
    try:
        return max((LedgerEntry.read(json.loads(line)).number for line in ledger.splitlines()[1:]), default=0)
    except (KeyError, TypeError) as error:
        raise ValueError(str(error)) from error


class DeletionLedger(ABC):
    """The deletions, and the key of the marks. Created on first use. May raise StoreError."""

    def mark(self, kind: Kind, number: int) -> str:
        """Return the keyed hash of a person or server, which reveals nothing without the key."""
        return self._keyed(f"{kind}:{number}")[:MARK_LETTERS]

    def key_for(self, purpose: str) -> str:
        """Return a secret of 64 hexadecimal digits for a purpose, the same on every call."""
        return self._keyed(f"secret:{purpose}")

    def _keyed(self, text: str) -> str:
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    @property
    @abstractmethod
    def key(self) -> bytes:
        """The key, KEY_BYTES long."""

    @abstractmethod
    async def after(self, connection: AsyncConnection, number: int) -> tuple[LedgerEntry, ...]:
        """Return the deletions with a higher number; none without a ledger."""

    async def latest(self, connection: AsyncConnection, kind: Kind, number: int) -> datetime | None:
        """Return the time of the latest deletion of a person or server; None without one."""
        known = await self.after(connection, 0)
        mark = self.mark(kind, number) if known else ""
        return max((deletion.at for deletion in known if deletion.mark == mark), default=None)

    async def deleted_since(
        self, connection: AsyncConnection, users: Collection[UserId], since: datetime
    ) -> Mapping[UserId, datetime]:
        """Return the users with a deletion after ``since``, and the time of the latest."""
        recent = [deletion for deletion in await self.after(connection, 0) if deletion.at > since]
        users_by_mark = {self.mark("person", user): user for user in users} if recent else {}
        latest = dict[UserId, datetime]()
        for deletion in recent:
            if (user := users_by_mark.get(deletion.mark)) is not None:
                latest[user] = max(deletion.at, latest.get(user, since))
        return latest

    @abstractmethod
    async def add(self, connection: AsyncConnection, kind: Kind, number: int, *, after: int, at: datetime) -> None:
        """Record a deletion. after: the number of the last deletion noted by the database."""


class FileDeletionLedger(DeletionLedger):
    """A ledger in a file. An entry reaches the disk before the database changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key: bytes | None = None
        self._deletions: list[LedgerEntry] | None = None
        self._reading = Lock()  # several threads may be the first to need the key

    @property
    def key(self) -> bytes:
        """The key, created now if the file is missing or has no complete line."""
        self._read()
        assert self._key is not None
        return self._key

    @property
    def deletions(self) -> tuple[LedgerEntry, ...]:
        """The deletions in order; reading them creates no file."""
        if self._deletions is None and not read_ledger_text(self._path):
            return ()
        self._read()
        return tuple(self._deletions or ())

    async def after(self, connection: AsyncConnection, number: int) -> tuple[LedgerEntry, ...]:
        """Return the deletions with a higher number.

        Raises StoreError if the file has lost its key, but `number` deletions were noted.
        """
        if number and self._deletions is None:
            await asyncio.to_thread(self._check_has_key)
        return tuple(deletion for deletion in self.deletions if deletion.number > number)

    async def add(
        self,
        connection: AsyncConnection,
        kind: Kind,
        number: int,
        *,
        after: int,
        at: datetime,
    ) -> None:
        """Record a deletion on the disk."""
        await self.after(connection, after)
        await asyncio.to_thread(self._add, kind, self.mark(kind, number), after, at)

    def _check_has_key(self) -> None:
        if self._path.exists() and not read_ledger_text(self._path):
            raise StoreError(UNREADABLE.format(path=self._path, why="it has no key"))

    def _add(self, kind: Kind, mark: str, after: int, at: datetime) -> None:
        assert self._deletions is not None
        last = max(after, self._deletions[-1].number if self._deletions else 0)
        new = LedgerEntry(last + 1, kind, mark, at)
        self._write({"number": new.number, "kind": kind, "mark": mark, "at": at.isoformat()})
        self._deletions.append(new)

    def _read(self) -> None:
        with self._reading:
            if self._deletions is None:
                self._load()

    def _load(self) -> None:
        try:
            first, *rest = read_ledger_text(self._path).splitlines() or [self._begin()]
            self._key = bytes.fromhex(json.loads(first)["key"])
            found = map(json.loads, rest)
            self._deletions = [LedgerEntry.read(entry) for entry in found]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(UNREADABLE.format(path=self._path, why=type(error).__name__)) from None

    def _begin(self) -> str:
        line = {"key": secrets.token_bytes(KEY_BYTES).hex()}
        self._write(line)
        return json.dumps(line)

    def _write(self, line: Mapping[str, object]) -> None:
        """Append a line after the last complete one, and sync the file to the disk."""
        try:
            with os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
                content = file.read()
                kept = content.removesuffix(_half_line(content))
                file.seek(len(kept))
                file.truncate()
                begun = b"" if not kept or kept.endswith(b"\n") else b"\n"
                file.write(begun + f"{json.dumps(line)}\n".encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise StoreError(f"The list of deletions {self._path} can't be written ({error.strerror}).") from error
