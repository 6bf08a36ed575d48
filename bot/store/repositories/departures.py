"""Servers that come and go.

Knows of which servers anything is kept, and which of them the bot is no longer on; refuses to know how long is enough.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import GuildId
from bot.store.engine import subjects
from bot.store.rows import Departure
from bot.store.schema import departures as table


async def depart(connection: AsyncConnection, guild: GuildId, at: datetime) -> None:
    """Write that the bot is no longer there, unless that is written."""
    known = (await connection.execute(select(table.c.guild).filter_by(guild=guild))).first()
    if known is None:
        await connection.execute(insert(table).values(guild=guild, at=at))


async def come_back(connection: AsyncConnection, guild: GuildId) -> None:
    """Write that the bot is there."""
    await connection.execute(delete(table).filter_by(guild=guild))


async def departures(connection: AsyncConnection) -> tuple[Departure, ...]:
    """Read which servers the bot is no longer on."""
    rows = (await connection.execute(select(table).order_by(table.c.at))).all()
    return tuple(Departure(row.guild, row.at) for row in rows)


async def known_servers(connection: AsyncConnection) -> frozenset[GuildId]:
    """Read every server of which anything is kept."""
    return frozenset(await subjects.kept_ids(connection, "server"))
