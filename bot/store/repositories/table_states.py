"""How many tables are open, by what they are doing. Knows the words for that, and the one query."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.rows import OPEN
from bot.store.schema import tables

STATES = ("lobby", "playing", "paused", "asleep")

doing = case((tables.c.asleep.is_not(None), "asleep"), (tables.c.paused, "paused"), else_=tables.c.phase)
BY_STATE = select(doing, func.count()).where(tables.c.phase.in_(OPEN)).group_by(doing)


async def states(connection: AsyncConnection) -> Mapping[str, int]:
    """Count the open tables by what they are doing, one of STATES each."""
    return dict.fromkeys(STATES, 0) | {row[0]: row[1] for row in await connection.execute(BY_STATE)}
