"""The pings of tables."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import MessageDeletion, PendingEffect, pending_effect
from bot.domain.ids import MessageId, TableId, UserId
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


of_player = and_(pings.c.table_id == bindparam("of_table"), pings.c.user == bindparam("of_user"))
PINGS = select(pings).where(pings.c.table_id == bindparam("of_table"))
PINGS_OF_PLAYER = select(pings).where(of_player).order_by(pings.c.message)
DROP_PING = delete(pings).where(of_player, pings.c.message == bindparam("of_message"))


async def _of_table(connection: AsyncConnection, table: TableId) -> tuple[Ping, ...]:
    """Read the pings of a table whose messages still exist."""
    rows = (await connection.execute(PINGS, {"of_table": table})).all()
    return tuple(Ping(table, row.user, row.channel, row.message) for row in rows)


async def delete_pings(
    connection: AsyncConnection, table: TableId, user: UserId, now: datetime, message: MessageId | None = None
) -> tuple[PendingEffect, ...]:
    """Delete a player's pings at a table, and write the deletion of exclusive messages.

    Messages with other recipients stay. message: the only message to delete; None for all.
    """
    where = {"of_table": table, "of_user": user}
    found = [row for row in await connection.execute(PINGS_OF_PLAYER, where) if message in (None, row.message)]
    if not found:
        return ()
    await connection.execute(DROP_PING, [where | {"of_message": row.message} for row in found])
    left = select(pings.c.message).where(pings.c.table_id == table)
    others = set((await connection.execute(left)).scalars())
    guild = (await connection.execute(select(tables.c.guild).where(tables.c.id == table))).scalar_one()
    alone = [Ping(*row) for row in found if row.message not in others]
    gone = tuple(pending_effect(MessageDeletion(ping.channel, ping.message), guild, table, now) for ping in alone)
    await outbox.add(connection, gone)
    return gone


class PingRepository(Repository):
    """The pings of tables whose messages still exist."""

    add = write(_add)
    of_table = read(_of_table)
    delete_for_user = write(delete_pings)
