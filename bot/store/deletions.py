"""Deletions that last: each is written into the ledger first, and done again wherever the database is behind it.

Knows the ledger, and how many of its deletions the database has been through; refuses to know what a deletion takes
away. All here runs in a transaction of its caller.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.ids import UserId
from bot.store import forgetting, reading
from bot.store.ledger import Deletion, Ledger
from bot.store.meaning import Kind
from bot.store.schema import notes
from bot.store.writing import put

log = logging.getLogger(__name__)

DONE = "deletions"  # the note of how many the database has been through
FORGET: Final[Mapping[Kind, Callable[[AsyncConnection, Any, str], Awaitable[None]]]] = {
    "person": forgetting.forget_person,
    "server": forgetting.forget_server,
}
AGAIN = "This database is older than deletions that were asked for since; they are done again: %d."


class Deletions:
    """What makes deletions last."""

    def __init__(self, ledger: Ledger, now: Callable[[], datetime]) -> None:
        self.ledger = ledger
        self._now = now

    async def delete(self, connection: AsyncConnection, kind: Kind, number: int) -> int:
        """Forget a person or a server for good; return how many deletions there are with it."""
        await self.ledger.add(connection, kind, number, after=await done(connection), at=self._now())
        await self._through(connection, {self.ledger.mark(kind, number): number})
        return await done(connection)

    async def catch_up(self, connection: AsyncConnection) -> None:
        """Forget again whoever had to be forgotten after this database was copied."""
        if missing := await self.ledger.after(connection, await done(connection)):
            log.warning(AGAIN, len(missing))
            await self._through(connection, {})

    async def forgotten(self, connection: AsyncConnection, user: UserId) -> datetime | None:
        """Read when all that was kept about a person was deleted last."""
        return await self.ledger.latest(connection, "person", user)

    async def deleted_since(
        self, connection: AsyncConnection, users: Collection[UserId], since: datetime
    ) -> Mapping[UserId, datetime]:
        """Read who of these people had their data deleted after that moment, and when last."""
        return await self.ledger.deleted_since(connection, users, since)

    async def _through(self, connection: AsyncConnection, ids: dict[str, Any]) -> None:
        """Go through the deletions the database has not been through. ids: of those marks that are known."""
        missing = await self.ledger.after(connection, await done(connection))
        if any(deletion.mark not in ids for deletion in missing):
            ids = ids | await self._ids(connection, {deletion.kind for deletion in missing})
        await forget(connection, missing, ids)

    async def _ids(self, connection: AsyncConnection, kinds: Iterable[Kind]) -> dict[str, Any]:
        """Return the id of everybody who stands in the database, by their mark."""
        return {
            self.ledger.mark(kind, number): number
            for kind in kinds
            for number in await forgetting.known(connection, kind)
        }


async def forget(connection: AsyncConnection, missing: Iterable[Deletion], ids: dict[str, Any]) -> None:
    """Forget those of whom the database knows anything, and note that it is done."""
    for deletion in missing:
        if deletion.mark in ids:
            await FORGET[deletion.kind](connection, ids[deletion.mark], deletion.mark)
        await put(connection, notes, {"key": DONE}, {"value": str(deletion.number)})


async def done(connection: AsyncConnection) -> int:
    """Return how many deletions the database has been through."""
    return int(await reading.note(connection, DONE) or 0)
