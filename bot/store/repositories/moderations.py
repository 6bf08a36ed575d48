"""Actions of moderators, and bans of users from the seats of a channel.

Independent of the user behind a mark. Transactions belong to the caller.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import PendingEffect
from bot.domain.ids import ChannelId, TableId
from bot.domain.names import ids_in
from bot.store.engine import mentions
from bot.store.engine.erasures import visible_columns
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import debts, leaderboards, outbox
from bot.store.rows import Moderation, SeatBan
from bot.store.schema import bars, moderations, results


async def add(connection: AsyncConnection, table: TableId, done: Moderation) -> None:
    """Write an action of a moderator, with a user's ban if any."""
    values = {"at": done.at, "by": done.by, "what": done.what, "seat": done.seat, "reason": done.reason}
    made = await connection.execute(insert(moderations).values(values | {"table_id": table}))
    (number,) = made.inserted_primary_key  # type: ignore[misc]  # always present after an INSERT of one row
    await mentions.add(connection, moderations, number, ids_in(done.reason))
    if done.bar is not None:
        await add_bar(connection, done.bar, done.at)


async def _judge(
    connection: AsyncConnection,
    table: TableId,
    done: Moderation,
    *,
    annulled: bool,
    effects: Iterable[PendingEffect] = (),
) -> bool:
    """Annul a finished match, or restore it; return whether anything changed.

    effects: written after a change.
    """
    other = update(results).where(results.c.table_id == table, results.c.annulled != annulled)
    if (await connection.execute(other.values(annulled=annulled))).rowcount != 1:
        return False
    await add(connection, table, done)
    await leaderboards.invalidate_from_match(connection, table)
    await debts.unsettle(connection, table)
    await outbox.add(connection, effects)
    return True


async def add_bar(connection: AsyncConnection, bar: SeatBan, now: datetime) -> None:
    """Write the ban of a user, replacing an earlier one."""
    await _end_bars(connection, now)
    await connection.execute(delete(bars).filter_by(channel=bar.channel, mark=bar.mark))
    values = {"guild": bar.guild, "channel": bar.channel, "mark": bar.mark, "until": bar.until}
    await connection.execute(insert(bars).values(values))


DROP_ENDED_BANS = delete(bars).where(bars.c.until <= bindparam("now"))


async def _end_bars(connection: AsyncConnection, now: datetime) -> None:
    """Delete the expired bans."""
    await connection.execute(DROP_ENDED_BANS, {"now": now})


BARRED = select(bars.c.until).where(
    bars.c.channel == bindparam("of_channel"), bars.c.mark == bindparam("of_mark"), bars.c.until > bindparam("now")
)


async def _barred(connection: AsyncConnection, channel: ChannelId, mark: str, now: datetime) -> datetime | None:
    """Read the end of a user's ban in a channel, None without a ban."""
    key = {"of_channel": channel, "of_mark": mark, "now": now}
    found: datetime | None = (await connection.execute(BARRED, key)).scalar()
    return found


async def _of_table(connection: AsyncConnection, table: TableId) -> tuple[Moderation, ...]:
    """Read the actions of moderators at a table, oldest first."""
    query = select(*visible_columns(moderations)).where(moderations.c.table_id == table).order_by(moderations.c.id)
    rows = (await connection.execute(query)).all()
    return tuple(Moderation(row.at, row.by, row.what, row.seat, reason=row.reason) for row in rows)


class ModerationRepository(Repository):
    """Actions of moderators, and bans from the seats of a channel."""

    barred_until = read(_barred)
    end_bars = write(_end_bars)
    judge = write(_judge)
    of_table = read(_of_table)
