"""What is chosen on servers, and who changed it when.

Knows the statements; refuses to know what any setting means, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ChannelId, GuildId
from bot.domain.server_settings import SettingChange
from bot.store.engine.erasures import shown
from bot.store.engine.upsert import put
from bot.store.schema import permission_notices, server_changes, servers


async def settings(connection: AsyncConnection) -> dict[GuildId, Mapping[str, Any]]:
    """Read what is chosen on every server."""
    rows = (await connection.execute(select(servers.c.guild, servers.c.chosen))).all()
    return {row.guild: row.chosen for row in rows}


async def change(connection: AsyncConnection, made: SettingChange, chosen: Mapping[str, Any]) -> None:
    """Write all that is chosen on a server, and note the change."""
    values = {"guild": made.guild, "name": made.name, "value": made.value, "by": made.by, "at": made.at}
    await put(connection, servers, {"guild": made.guild}, {"chosen": dict(chosen)})
    await connection.execute(insert(server_changes), values)


async def take_permission_notice(
    connection: AsyncConnection, guild: GuildId, channel: ChannelId, now: datetime, span: timedelta
) -> bool:
    """Write that a manager is told now what the bot may not do in a channel; tell whether none was for so long."""
    known = update(permission_notices).where(permission_notices.c.channel == channel)
    if (await connection.execute(known.where(permission_notices.c.at <= now - span).values(at=now))).rowcount:
        return True
    if (await connection.execute(select(permission_notices.c.at).filter_by(channel=channel))).first() is not None:
        return False
    await connection.execute(insert(permission_notices).values(channel=channel, guild=guild, at=now))
    return True


async def changes(connection: AsyncConnection, guild: GuildId, limit: int) -> tuple[SettingChange, ...]:
    """Read the latest changes on a server, the last one first."""
    of_server = select(*shown(server_changes)).where(server_changes.c.guild == guild)
    query = of_server.order_by(server_changes.c.id.desc()).limit(limit)
    return tuple(change_of(row) for row in await connection.execute(query))


def change_of(row: Row[Any]) -> SettingChange:
    """Return a change out of its row."""
    return SettingChange(row.guild, row.name, row.value, row.by, row.at)


async def switched(connection: AsyncConnection, guild: GuildId, name: str) -> tuple[tuple[datetime, bool], ...]:
    """Read when something was turned on or off on a server, oldest first."""
    query = select(server_changes.c.at, server_changes.c.value).filter_by(guild=guild, name=name)
    rows = (await connection.execute(query.order_by(server_changes.c.id))).all()
    return tuple((row.at, bool(row.value)) for row in rows)
