"""What is read to know which tables have something to do, and when: of those that are this process's.

Knows the queries, each of which uses an index so that sleeping tables cost nothing. Refuses to know what is done then.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Select,
    bindparam,
    func,
    not_,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import TableId
from bot.domain.shard_share import Share
from bot.store.engine.shares import theirs
from bot.store.schema import tables

AT_ONCE: Final = 500  # most tables the clock is given in one answer


def _pending(share: Share) -> tuple[Select[Any], Select[Any]]:
    """Return what gives the moments of all tables, and of those that somebody has answered beforehand."""
    mine = theirs(share, tables.c.guild)
    waking = select(tables.c.id, tables.c.wake.label("at")).where(tables.c.wake.is_not(None), mine)
    answering = tables.c.answers.is_not(None), not_(tables.c.paused), mine
    return waking, select(tables.c.id, tables.c.answers.label("at")).where(*answering)


@lru_cache(maxsize=64)
def _due(share: Share) -> Select[Any]:
    """Return what gives the tables whose moment has come by the parameter ``now``, the earliest first."""
    waking, answering = _pending(share)
    by_now: BindParameter[datetime] = bindparam("now")
    found = union_all(waking.where(tables.c.wake <= by_now), answering.where(tables.c.answers <= by_now)).subquery()
    return select(found.c.id).group_by(found.c.id).order_by(func.min(found.c.at), found.c.id).limit(AT_ONCE)


@lru_cache(maxsize=64)
def _next_due(share: Share) -> Select[Any]:
    """Return what gives the next moment of any table."""
    earliest = (query.with_only_columns(func.min(query.selected_columns.at).label("at")) for query in _pending(share))
    both = union_all(*earliest).subquery()
    return select(func.min(both.c.at))


async def due(connection: AsyncConnection, share: Share, now: datetime) -> tuple[TableId, ...]:
    """Read whose moment has come, the earliest first."""
    return tuple((await connection.execute(_due(share), {"now": now})).scalars())


async def next_due(connection: AsyncConnection, share: Share) -> datetime | None:
    """Read when the next one comes."""
    found: datetime | None = (await connection.execute(_next_due(share))).scalar()
    return found


async def touched(connection: AsyncConnection, share: Share, since: datetime) -> tuple[TableId, ...]:
    """Read what has changed since then."""
    query = select(tables.c.id).where(tables.c.touched >= since, theirs(share, tables.c.guild))
    return tuple((await connection.execute(query)).scalars())
