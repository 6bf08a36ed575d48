"""Deletions that last: each is written into the ledger first, and done again wherever the database is behind it.

Knows the ledger, how many of its deletions the database has noted, and that the rows of a person are deleted in pieces
after that; refuses to know which rows these are.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import Pending
from bot.domain.ids import GuildId, UserId
from bot.store.engine import erasures, subjects
from bot.store.engine.deletion_ledger import Deletion, Ledger
from bot.store.engine.erasures import PATIENCE, Erasure
from bot.store.engine.gate import Gate
from bot.store.engine.repository import Repository
from bot.store.erasure import personal_rows
from bot.store.erasure.personal_rows import Held
from bot.store.repositories.notes import put_note, read_note
from bot.store.schema.meaning import Kind

log = logging.getLogger(__name__)

LONGEST: Final = timedelta(milliseconds=50)  # that a piece may hold the only writer
FEWEST, FIRST, MOST = 32, 64, 512  # rows of a piece
DONE = "deletions"  # the note of how many the database has noted
NOBODY = 0  # the worker of a deletion that any process may carry out
AGAIN = "This database is older than deletions that were asked for since; they are done again: %d."


@dataclass(frozen=True, slots=True)
class Noted:
    """A deletion that is noted. deletions: how many there are with it. effects: what is to be done on Discord."""

    deletions: int
    effects: tuple[Pending, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of a deletion that were deleted together. is_last: whether none are left."""

    erasure: Erasure
    is_last: bool


class Pieces:
    """The rows that are deleted in one transaction: as many as hold the only writer for less than LONGEST.

    most: rows in the next transaction. rest: for how long others are to have the database after the last one.
    """

    def __init__(self) -> None:
        self.most = FIRST
        self.rest = timedelta()

    async def run(self, gate: Gate, deletions: Deletions) -> Piece | None:
        """Delete the next piece; None where no deletion is left for this process."""
        began = time.monotonic()

        async def work(connection: AsyncConnection) -> Piece | None:
            nonlocal began
            began = time.monotonic()
            return await deletions.delete_some(connection, gate.member or 0, self.most)

        piece = await gate.run(work)
        self._learn(timedelta(seconds=time.monotonic() - began))
        return piece

    def _learn(self, took: timedelta) -> None:
        """Choose the size of the next piece by how long the last one took."""
        self.rest = took
        if took > LONGEST / 2:
            self.most = max(self.most // 2, FEWEST)
        elif took < LONGEST / 4:
            self.most = min(2 * self.most, MOST)


class Deletions:
    """What makes deletions last; each method runs in a transaction of its caller."""

    def __init__(self, ledger: Ledger, now: Callable[[], datetime]) -> None:
        self.ledger = ledger
        self._now = now
        self._last = dict[Erasure, Held | None]()  # the column in which rows were deleted last

    async def note(self, connection: AsyncConnection, kind: Kind, number: int, worker: int = NOBODY) -> Noted:
        """Note that a person or a server is deleted for good, and forget what is forgotten at once.

        worker: the process that deletes the other rows, see `delete_some`. A deletion that is noted already, and not
        carried out, is not noted again.
        """
        if await erasures.is_ongoing(connection, Erasure(kind, number)):
            return Noted(await done(connection))
        await self.ledger.add(connection, kind, number, after=await done(connection), at=self._now())
        effects = await self._through(connection, {self.ledger.mark(kind, number): number}, worker)
        return Noted(await done(connection), tuple(effects))

    async def catch_up(self, connection: AsyncConnection) -> None:
        """Note again whatever had to be forgotten after this database was copied."""
        if missing := await self.ledger.after(connection, await done(connection)):
            log.warning(AGAIN, len(missing))
            await self._through(connection, {}, NOBODY)

    async def delete_some(self, connection: AsyncConnection, worker: int, most: int) -> Piece | None:
        """Delete up to so many rows of a noted deletion; None where no deletion is left for this process."""
        erasure = await erasures.take(connection, worker, self._now())
        if erasure is None:
            return None
        last = self._last.get(erasure)
        self._last[erasure] = last = await personal_rows.forget_more(connection, UserId(erasure.number), most, last)
        is_last = last is None
        if is_last:
            del self._last[erasure]
            await erasures.end(connection, erasure)
        return Piece(erasure, is_last)

    async def forgotten(self, connection: AsyncConnection, user: UserId) -> datetime | None:
        """Read when all that was kept about a person was deleted last."""
        return await self.ledger.latest(connection, "person", user)

    async def deleted_since(
        self, connection: AsyncConnection, users: Collection[UserId], since: datetime
    ) -> Mapping[UserId, datetime]:
        """Read who of these people had their data deleted after that moment, and when last."""
        return await self.ledger.deleted_since(connection, users, since)

    async def _through(self, connection: AsyncConnection, ids: dict[str, Any], worker: int) -> list[Pending]:
        """Go through the deletions the database has not noted. ids: of those marks that are known."""
        missing = await self.ledger.after(connection, await done(connection))
        if any(deletion.mark not in ids for deletion in missing):
            ids = ids | await self._ids(connection, {deletion.kind for deletion in missing})
        effects = list[Pending]()
        for deletion in missing:
            if deletion.mark in ids:
                effects += await self._forget(connection, deletion, ids[deletion.mark], worker)
            await put_note(connection, DONE, str(deletion.number))
        return effects

    async def _forget(
        self, connection: AsyncConnection, deletion: Deletion, number: Any, worker: int
    ) -> tuple[Pending, ...]:
        if deletion.kind == "server":
            await personal_rows.forget_server(connection, number)
            return ()
        effects = await personal_rows.forget_at_once(connection, number, deletion.mark, self._now())
        worked = self._now() if worker else self._now() - 2 * PATIENCE
        await erasures.begin(connection, Erasure("person", number), worker, worked)
        return effects

    async def _ids(self, connection: AsyncConnection, kinds: Iterable[Kind]) -> dict[str, Any]:
        """Return the id of everybody who stands in the database, by their mark."""
        return {
            self.ledger.mark(kind, number): number
            for kind in kinds
            for number in await subjects.kept_ids(connection, kind)
        }


async def done(connection: AsyncConnection) -> int:
    """Return how many deletions the database has noted."""
    return int(await read_note(connection, DONE) or 0)


class DeletionRepository(Repository):
    """Deletions of people and servers, and the marks by which a person is known again."""

    def __init__(self, gate: Gate, deletions: Deletions) -> None:
        super().__init__(gate)
        self._deletions = deletions
        self._pieces = Pieces()

    async def is_kept(self, user: UserId) -> bool:
        """Return whether anything is kept about a person that a deletion would delete."""
        return await self._gate.read(personal_rows.is_kept, user)

    async def note(self, user: UserId) -> tuple[Pending, ...]:
        """Note that all that is kept about a person is deleted, and return what follows.

        No reader finds the person from now on, for good, also should an older copy be put back one day. The rows follow
        in `delete_some`.
        """
        noted = await self._gate.run_alone(self._deletions.note, "person", user, self._gate.member or 0)
        self._gate.forgotten = noted.deletions
        self._gate.erasing |= {Erasure("person", user)}
        return noted.effects

    async def delete_some(self) -> timedelta | None:
        """Delete rows of a noted deletion, as many as hold up nobody.

        Return for how long others are to have the database now, None where this process has nothing more to delete.
        """
        piece = await self._pieces.run(self._gate, self._deletions)
        if piece is not None and piece.is_last:
            self._gate.erasing -= {piece.erasure}
            await self._gate.empty()
        return None if piece is None else self._pieces.rest

    async def carry_out(self) -> None:
        """Delete all rows of the deletions that are noted."""
        while await self.delete_some() is not None:
            pass

    async def load_ongoing(self) -> None:
        """Find out whose rows are being deleted, before anybody is answered."""
        self._gate.erasing = await self._gate.read(erasures.ongoing)

    async def is_ongoing(self, user: UserId) -> bool:
        """Return whether rows of a person are being deleted."""
        erasure = Erasure("person", user)
        if erasure not in self._gate.erasing:
            return False
        if not await self._gate.read(erasures.is_ongoing, erasure):  # another process has carried it out
            self._gate.erasing -= {erasure}
        return erasure in self._gate.erasing

    async def forget_person(self, user: UserId) -> None:
        """Note a deletion and carry it out to the last row, for a caller that waits."""
        await self.note(user)
        await self.carry_out()

    async def forget_server(self, guild: GuildId) -> None:
        """Delete all that is kept about a server at once, for good."""
        noted = await self._gate.run_alone(self._deletions.note, "server", guild)
        self._gate.forgotten = noted.deletions
        await self._gate.empty()

    async def forgotten(self, user: UserId) -> datetime | None:
        """Return when all that was kept about a person was deleted last; None where that never was."""
        return await self._gate.read(self._deletions.forgotten, user)

    async def deleted_since(self, users: Collection[UserId], since: datetime) -> Mapping[UserId, datetime]:
        """Return which of these people had their data deleted after that moment, and when last."""
        return await self._gate.read(self._deletions.deleted_since, users, since)

    def mark(self, user: UserId) -> str:
        """Return a keyed hash of a person's id: the same each time, and nobody can find out whose."""
        return self._deletions.ledger.mark("person", user)

    def mark_of(self, kind: Kind, number: int) -> str:
        """Return the same of a person or of a server."""
        return self._deletions.ledger.mark(kind, number)

    def key_for(self, purpose: str) -> str:
        """Return a secret of this installation for a purpose, of 256 bits: the same each time, and nowhere written."""
        return self._deletions.ledger.key_for(purpose)
