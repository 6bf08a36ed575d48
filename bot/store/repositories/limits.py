"""Usage limits shared by every process, which survive a deletion.

Each use is a row until its expiry. A row holds the mark of a person and a keyed hash of the object, so deleting a
person removes nothing here. Limits of a second are kept in memory (bot/interactions/flood_limits.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.refusals import Limit, Refused
from bot.store.engine.deletion_ledger import MARK_LETTERS, DeletionLedger
from bot.store.engine.gate import Gate
from bot.store.schema import uses

of_counter = and_(
    uses.c.mark == bindparam("of_mark"), uses.c.kind == bindparam("of_kind"), uses.c.about == bindparam("of_about")
)
LATEST_ENDS = (
    select(uses.c.until)
    .where(of_counter, uses.c.until > bindparam("now"))
    .order_by(uses.c.until.desc())
    .offset(bindparam("later"))
    .limit(1)
)
LATEST = select(uses.c.id).where(of_counter).order_by(uses.c.id.desc()).limit(1)
ADD = insert(uses)
DROP_ALL_ENDED = delete(uses).where(uses.c.until <= bindparam("now"))
DROP_ENDED = DROP_ALL_ENDED.where(of_counter)
DROP_LATEST = delete(uses).where(uses.c.id.in_(LATEST))


class UseCounter(NamedTuple):
    """A counter of uses.

    mark: of a person, "" for a limit shared by every person. about: a keyed hash of the object, or "".
    """

    mark: str
    about: str


async def take(connection: AsyncConnection, limit: Limit, counted: UseCounter, now: datetime) -> datetime | None:
    """Write a use and return None.

    Above the limit, write nothing and return the time of the next possible use.
    """
    await connection.execute(DROP_ENDED, _key(limit, counted) | {"now": now})
    if later := await next_use(connection, limit, counted, now):
        return later
    values = {"mark": counted.mark, "about": counted.about, "kind": limit.kind, "until": now + limit.within}
    await connection.execute(ADD, values)
    return None


async def next_use(connection: AsyncConnection, limit: Limit, counted: UseCounter, now: datetime) -> datetime | None:
    """Read the time of the next possible use, None for now."""
    which = _key(limit, counted) | {"now": now, "later": limit.most - 1}
    until: datetime | None = (await connection.execute(LATEST_ENDS, which)).scalar()
    return until


async def give_back(connection: AsyncConnection, limit: Limit, counted: UseCounter) -> None:
    """Delete the latest use."""
    await connection.execute(DROP_LATEST, _key(limit, counted))


async def end(connection: AsyncConnection, now: datetime) -> None:
    """Delete the expired uses."""
    await connection.execute(DROP_ALL_ENDED, {"now": now})


def _key(limit: Limit, counted: UseCounter) -> dict[str, Any]:
    """Return the parameters of a counter."""
    return {"of_mark": counted.mark, "of_kind": limit.kind, "of_about": counted.about}


class StoredLimits:
    """Usage limits in the database. now: returns the current time.

    user: the person limited, None for a limit shared by every person. about: the object of the use, such as a
    table. Every call may raise StoreError.
    """

    def __init__(self, gate: Gate, ledger: DeletionLedger, now: Callable[[], datetime]) -> None:
        self._gate = gate
        self._ledger = ledger
        self._now = now

    async def use(self, limit: Limit, user: UserId | None = None, about: str = "") -> None:
        """Record a use. Above the limit raises Refused, with the time of the next possible use."""
        if later := await self.take(limit, user, about):
            raise Refused(limit.refusal, most=limit.most, when=later)

    async def take(self, limit: Limit, user: UserId | None = None, about: str = "") -> datetime | None:
        """Record a use and return None; above the limit, return the time of the next possible use."""
        return await self._gate.run(take, limit, self.counted(user, about), self._now())

    @asynccontextmanager
    async def using(self, limit: Limit, user: UserId | None = None, about: str = "") -> AsyncIterator[None]:
        """Record a use for the work inside; a failure or cancellation of the work cancels the use.

        Raises Refused like `use`.
        """
        await self.use(limit, user, about)
        try:
            yield
        except BaseException:
            await self.give_back(limit, user, about)
            raise

    @asynccontextmanager
    async def holding(self, limit: Limit, user: UserId | None = None, about: str = "") -> AsyncIterator[None]:
        """Record a use for the duration of the work inside, as a limit of concurrency.

        Raises Refused like `use`.
        """
        await self.use(limit, user, about)
        try:
            yield
        finally:
            await self.give_back(limit, user, about)

    async def give_back(self, limit: Limit, user: UserId | None = None, about: str = "") -> None:
        """Cancel the latest use."""
        await self._gate.run(give_back, limit, self.counted(user, about))

    async def next_use(self, limit: Limit, user: UserId | None = None, about: str = "") -> datetime | None:
        """Return the time of the next possible use, None for now."""
        return await self._gate.read(next_use, limit, self.counted(user, about), self._now())

    async def end(self) -> None:
        """Delete the expired uses."""
        await self._gate.run(end, self._now())

    def counted(self, user: UserId | None, about: str = "") -> UseCounter:
        """Return the counter for a person and an object."""
        mark = "" if user is None else self._ledger.mark("person", user)
        return UseCounter(mark, self._ledger.key_for(f"limit {about}")[:MARK_LETTERS] if about else "")
