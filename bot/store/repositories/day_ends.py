"""When the deal of a day can be finished no more: at midnight (UTC), or an hour after a stop into which midnight fell.

Knows the statements; refuses to know what a deal is worth, and transactions, which are its caller's.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from sqlalchemy import BigInteger, ColumnElement, func, literal, select, type_coerce, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.store.engine.erasures import present
from bot.store.rows import OPEN
from bot.store.schema import tables, tries
from bot.store.schema.columns import MICROSECOND

DAY: Final = timedelta(days=1)
GRACE_PERIOD: Final = timedelta(hours=1)
BEGUN: Final = tries.c.table_id.in_(select(tables.c.id).where(tables.c.phase.in_(OPEN)))


def midnight(day: date) -> datetime:
    """Return when a day is over."""
    return datetime.combine(day + DAY, time(), UTC)


def end_of(day: date) -> ColumnElement[datetime]:
    """Return up to when a try of this day counts."""
    return func.coalesce(tries.c.late_until, literal(midnight(day), tries.c.late_until.type))


async def prolong(connection: AsyncConnection, since: datetime, until: datetime) -> None:
    """Give the time of a stop back to who had begun the deal of a day that ended in it.

    They have an hour after the stop; another stop takes nothing of that hour.
    """
    stopped = (until - since) // MICROSECOND
    later = type_coerce(tries.c.late_until, BigInteger) + stopped
    await connection.execute(update(tries).where(BEGUN, tries.c.late_until > since).values(late_until=later))
    day = since.astimezone(UTC).date()
    if midnight(day) <= until:
        ended = BEGUN, tries.c.day == day, tries.c.late_until.is_(None)
        await connection.execute(update(tries).where(*ended).values(late_until=until + GRACE_PERIOD))


async def is_played(connection: AsyncConnection, day: date, now: datetime) -> bool:
    """Tell whether a day is not over, or somebody may still finish its deal."""
    late = select(tries.c.day).where(BEGUN, tries.c.day == day, tries.c.late_until > now).limit(1)
    return now < midnight(day) or (await connection.execute(late)).first() is not None


async def late_day(connection: AsyncConnection, user: UserId, now: datetime) -> tuple[date, datetime] | None:
    """Read a person's day that is over and of which they may still finish the deal, and until when."""
    late = BEGUN, tries.c.user == user, present(tries.c.user), tries.c.late_until > now
    row = (await connection.execute(select(tries.c.day, tries.c.late_until).where(*late))).first()
    return None if row is None else (row.day, row.late_until)


async def next_end(connection: AsyncConnection, now: datetime) -> datetime:
    """Read when a deal of a day can be finished no more next."""
    late = select(func.min(tries.c.late_until)).where(BEGUN, tries.c.late_until > now)
    found: datetime | None = (await connection.execute(late)).scalar()
    ends = midnight(now.astimezone(UTC).date())
    return min(found, ends) if found else ends
