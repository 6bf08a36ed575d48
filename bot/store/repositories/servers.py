"""Settings of servers, their history, and servers that removed the bot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import PendingEffect
from bot.domain.ids import ChannelId, GuildId
from bot.domain.server_settings import SettingChange
from bot.store.engine.erasures import visible_columns
from bot.store.engine.mentions import stored_ids
from bot.store.engine.repository import Repository, read, upsert, write
from bot.store.repositories import outbox
from bot.store.rows import Departure
from bot.store.schema import departures, permission_notices, server_changes, servers

SETTINGS = select(servers.c.guild, servers.c.chosen)
DEPARTURES = select(departures).order_by(departures.c.at)


async def _settings(connection: AsyncConnection) -> dict[GuildId, Mapping[str, Any]]:
    """Read the settings of every server with a changed one."""
    rows = (await connection.execute(SETTINGS)).all()
    return {row.guild: row.chosen for row in rows}


async def _change(
    connection: AsyncConnection, made: SettingChange, chosen: Mapping[str, Any], effects: Iterable[PendingEffect] = ()
) -> None:
    """Write the settings of a server, the change, and the effects that follow."""
    values = {"guild": made.guild, "name": made.name, "value": made.value, "by": made.by, "at": made.at}
    await upsert(connection, servers, {"guild": made.guild}, {"chosen": dict(chosen)})
    await connection.execute(insert(server_changes), values)
    await outbox.add(connection, effects)


async def _take_permission_notice(
    connection: AsyncConnection, guild: GuildId, channel: ChannelId, now: datetime, span: timedelta
) -> bool:
    """Write a notice about missing permissions in a channel.

    Return False if the last notice is too recent.
    """
    known = update(permission_notices).where(permission_notices.c.channel == channel)
    if (await connection.execute(known.where(permission_notices.c.at <= now - span).values(at=now))).rowcount:
        return True
    if (await connection.execute(select(permission_notices.c.at).filter_by(channel=channel))).first() is not None:
        return False
    await connection.execute(insert(permission_notices).values(channel=channel, guild=guild, at=now))
    return True


async def _changes(connection: AsyncConnection, guild: GuildId, limit: int) -> tuple[SettingChange, ...]:
    """Read the latest changes on a server, the last one first."""
    of_server = select(*visible_columns(server_changes)).where(server_changes.c.guild == guild)
    query = of_server.order_by(server_changes.c.id.desc()).limit(limit)
    return tuple(change_of(row) for row in await connection.execute(query))


def change_of(row: Row[Any]) -> SettingChange:
    """Return the change of a row."""
    return SettingChange(guild=row.guild, name=row.name, value=row.value, by=row.by, at=row.at)


async def _switched(connection: AsyncConnection, guild: GuildId, name: str) -> tuple[tuple[datetime, bool], ...]:
    """Read when a setting was turned on or off on a server, oldest first."""
    query = select(server_changes.c.at, server_changes.c.value).filter_by(guild=guild, name=name)
    rows = (await connection.execute(query.order_by(server_changes.c.id))).all()
    return tuple((row.at, bool(row.value)) for row in rows)


async def _depart(connection: AsyncConnection, guild: GuildId, at: datetime) -> None:
    """Write that a server removed the bot, unless written before."""
    known = (await connection.execute(select(departures.c.guild).filter_by(guild=guild))).first()
    if known is None:
        await connection.execute(insert(departures).values(guild=guild, at=at))


async def _come_back(connection: AsyncConnection, guild: GuildId) -> None:
    """Delete the departure of a server."""
    await connection.execute(delete(departures).filter_by(guild=guild))


async def _departures(connection: AsyncConnection) -> tuple[Departure, ...]:
    rows = (await connection.execute(DEPARTURES)).all()
    return tuple(Departure(row.guild, row.at) for row in rows)


class ServerRepository(Repository):
    """Settings of servers, and servers that removed the bot."""

    settings = read(_settings)
    change = write(_change)
    changes = read(_changes)
    take_permission_notice = write(_take_permission_notice)
    switched = read(_switched)
    depart = write(_depart)
    come_back = write(_come_back)

    async def departures(self) -> tuple[Departure, ...]:
        """Return the departed servers of this process, the longest gone first."""
        return tuple(gone for gone in await self._gate.read(_departures) if self._gate.share.has(gone.guild))

    async def known(self) -> frozenset[GuildId]:
        """Return the servers of this process with any rows."""
        return frozenset(filter(self._gate.share.has, await self._gate.read(stored_ids, "server")))
