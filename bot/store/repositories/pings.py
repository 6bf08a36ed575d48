"""Messages that call players to a table."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import and_, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import MessageDeletion, Pending, pending
from bot.domain.ids import TableId, UserId
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import outbox
from bot.store.rows import Ping
from bot.store.schema import pings, tables


async def _add(connection: AsyncConnection, made: Collection[Ping], sent: str = "") -> None:
    """Write the pings of a single message. sent: its key in the outbox, "" for none."""
    await connection.execute(
        insert(pings),
        [
            {"table_id": ping.table, "user": ping.user, "channel": ping.channel, "message": ping.message}
            for ping in made
        ],
    )
    await outbox.end(connection, sent)


async def _of_table(connection: AsyncConnection, table: TableId) -> tuple[Ping, ...]:
    """Read the pings of a table whose messages still exist."""
    rows = (await connection.execute(select(pings).where(pings.c.table_id == table))).all()
    return tuple(Ping(table, row.user, row.channel, row.message) for row in rows)


async def take_pings(connection: AsyncConnection, table: TableId, user: UserId, now: datetime) -> tuple[Pending, ...]:
    """Delete the pings of a player at a table, and write the deletion of messages without another recipient."""
    where = and_(pings.c.table_id == table, pings.c.user == user)
    found = (await connection.execute(select(pings).where(where).order_by(pings.c.message))).all()
    if not found:
        return ()
    await connection.execute(delete(pings).where(where))
    left = select(pings.c.message).where(pings.c.table_id == table)
    others = set((await connection.execute(left)).scalars())
    guild = (await connection.execute(select(tables.c.guild).where(tables.c.id == table))).scalar_one()
    alone = [Ping(*row) for row in found if row.message not in others]
    gone = tuple(pending(MessageDeletion(ping.channel, ping.message), guild, table, now) for ping in alone)
    await outbox.add(connection, gone)
    return gone


class PingRepository(Repository):
    """The pings of tables whose messages still exist."""

    add = write(_add)
    of_table = read(_of_table)
    take = write(take_pings)
