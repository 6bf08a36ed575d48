"""Acts of moderators, and users who are barred from a channel for a while.

Knows the statements; refuses to know who a mark stands for, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import Pending
from bot.domain.ids import ChannelId, TableId
from bot.domain.names import ids_in
from bot.store.engine import mentions
from bot.store.engine.erasures import shown
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import debts, ladders, outbox
from bot.store.rows import Bar, Moderation
from bot.store.schema import bars, moderations, results


async def add(connection: AsyncConnection, table: TableId, done: Moderation) -> None:
    """Write an act of a moderator, with the bar of a user if any."""
    values = {"at": done.at, "by": done.by, "what": done.what, "seat": done.seat, "reason": done.reason}
    made = await connection.execute(insert(moderations).values(values | {"table_id": table}))
    (number,) = made.inserted_primary_key  # type: ignore[misc]  # there is one after an INSERT of one row
    await mentions.add(connection, moderations, number, ids_in(done.reason))
    if done.bar is not None:
        await add_bar(connection, done.bar, done.at)


async def _judge(
    connection: AsyncConnection,
    table: TableId,
    done: Moderation,
    *,
    annulled: bool,
    effects: Iterable[Pending] = (),
) -> bool:
    """Annul a finished match, or let it count again; tell whether that changed anything. effects: what follows then."""
    other = update(results).where(results.c.table_id == table, results.c.annulled != annulled)
    if (await connection.execute(other.values(annulled=annulled))).rowcount != 1:
        return False
    await add(connection, table, done)
    await ladders.unsettle(connection, table)
    await debts.unsettle(connection, table)
    await outbox.add(connection, effects)
    return True


async def add_bar(connection: AsyncConnection, bar: Bar, now: datetime) -> None:
    """Write the bar of a user, in place of an earlier bar."""
    await _end_bars(connection, now)
    await connection.execute(delete(bars).filter_by(channel=bar.channel, mark=bar.mark))
    values = {"guild": bar.guild, "channel": bar.channel, "mark": bar.mark, "until": bar.until}
    await connection.execute(insert(bars).values(values))


async def _end_bars(connection: AsyncConnection, now: datetime) -> None:
    """Delete the bars that have ended."""
    await connection.execute(delete(bars).where(bars.c.until <= now))


async def _barred(connection: AsyncConnection, channel: ChannelId, mark: str, now: datetime) -> datetime | None:
    """Read the end of the bar of a user in a channel, None without a bar."""
    query = select(bars.c.until).where(bars.c.channel == channel, bars.c.mark == mark, bars.c.until > now)
    found: datetime | None = (await connection.execute(query)).scalar()
    return found


async def _of_table(connection: AsyncConnection, table: TableId) -> tuple[Moderation, ...]:
    """Read the acts of moderators at a table, oldest first."""
    query = select(*shown(moderations)).where(moderations.c.table_id == table).order_by(moderations.c.id)
    rows = (await connection.execute(query)).all()
    return tuple(Moderation(row.at, row.by, row.what, row.seat, reason=row.reason) for row in rows)


class ModerationRepository(Repository):
    """Acts of moderators, and users who are barred from a channel."""

    barred_until = read(_barred)
    end_bars = write(_end_bars)
    judge = write(_judge)
    of_table = read(_of_table)
