"""The bot's own notes: small texts under keys that contain no id of a person."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import PendingEffect
from bot.domain.ids import GuildId
from bot.domain.names import ids_in
from bot.store.engine import mentions
from bot.store.engine.deletion_ledger import DeletionLedger
from bot.store.engine.gate import Gate
from bot.store.engine.repository import Repository, read, upsert, write
from bot.store.repositories import outbox
from bot.store.schema import notes

NOTE = select(notes.c.value).where(notes.c.key == bindparam("key"))


async def read_note(connection: AsyncConnection, key: str) -> str | None:
    """Read a note, None without one."""
    found: str | None = (await connection.execute(NOTE, {"key": key})).scalar()
    return found


async def put_note(connection: AsyncConnection, key: str, value: str, effects: Iterable[PendingEffect] = ()) -> None:
    """Write a note, the users named in the note, and the effects that follow."""
    await upsert(connection, notes, {"key": key}, {"value": value})
    await mentions.replace(connection, notes, key, ids_in(value))
    await outbox.add(connection, effects)


class NoteRepository(Repository):
    """Small texts under keys. ledger: provides the marks of servers in keys."""

    def __init__(self, gate: Gate, ledger: DeletionLedger) -> None:
        super().__init__(gate)
        self._ledger = ledger

    recall = read(read_note)
    remember = write(put_note)

    async def once(self, what: str, guild: GuildId, effects: Iterable[PendingEffect] = ()) -> bool:
        """Write, by mark, that a server has got a one-time notice; return False if written before.

        effects: the notice to the server.
        """
        key = f"{what} {self._ledger.mark('server', guild)}"
        if await self.recall(key) is not None:
            return False
        await self.remember(key, "yes", effects)
        return True
