"""Who sat together of late, and who did not stay.

Knows the statement; refuses to know what stands out, and transactions, which are its caller's.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import not_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import GuildId, PlayerId, TableId, UserId
from bot.store.schema import players, results, standings


async def since(
    connection: AsyncConnection, guild: GuildId, moment: datetime
) -> tuple[tuple[dict[PlayerId, bool], ...], dict[PlayerId, UserId]]:
    """Read of each match that counts since then whether each person in it left, and who these are."""
    query = (
        select(results.c.table_id, standings.c.player, standings.c.left, players.c.user)
        .join(standings, standings.c.table_id == results.c.table_id)
        .join(players, players.c.id == standings.c.player)
        .where(results.c.guild == guild, results.c.finished >= moment, results.c.counts, not_(results.c.annulled))
        .where(players.c.user.is_not(None))
    )
    matches, users = dict[TableId, dict[PlayerId, bool]](), dict[PlayerId, UserId]()
    for row in await connection.execute(query):
        matches.setdefault(row.table_id, {})[row.player] = row.left
        users[row.player] = row.user
    return tuple(matches.values()), users
