"""What the books say of one person on a server, and of two of them.

Knows the statements; refuses to know how the books came about, and what follows from them.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, and_, func, not_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import ChannelId, GuildId, PlayerId, UserId
from bot.domain.rating import Entered, Entry, Met, Part
from bot.store.repositories.ladders import after
from bot.store.schema import deeds, entries, players, standings

COUNTS: Final = ":"  # in the code of what is no deed, but a count of how somebody played


async def entered(connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId) -> Entered | None:
    """Read what somebody's matches meant to them, of all games, oldest first; None where there is none."""
    query = of_person(guild, channel, user).order_by(entries.c.finished, entries.c.table_id)
    rows = (await connection.execute(query)).all()
    if not rows:
        return None
    last = standings.c.table_id == rows[-1].table_id, standings.c.seat == rows[-1].seat
    name = (await connection.execute(select(standings.c.name).where(*last))).scalar_one()
    by_game = dict[str, list[Entry]]()
    for row in rows:
        by_game.setdefault(row.game, []).append(entry(row))
    return Entered(PlayerId(rows[0].player), name, by_game)


def of_person(guild: GuildId, channel: ChannelId, user: UserId) -> Select[Any]:
    """Return the query for somebody's entries."""
    where = entries.c.guild == guild, entries.c.channel == channel, players.c.user == user
    return select(entries).join(players, players.c.id == entries.c.player).where(*where)


def entry(row: Row[Any]) -> Entry:
    """Put an entry together."""
    rating = None if row.mean is None else after(row)
    part = Part(row.seat, row.place, row.net, left=row.place == 1 and not row.won, turns=row.turns)
    return Entry(row.player, row.table_id, row.finished, row.hands, row.gain, part, rating)


async def done(connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId) -> dict[str, int]:
    """Count what somebody did in their matches that is worth an achievement, by code."""
    mine = of_person(guild, channel, user)
    return await added(connection, mine, not_(deeds.c.code.contains(COUNTS)))


async def played(
    connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId, game: str
) -> dict[str, int]:
    """Add up how somebody played a game, by code."""
    mine = of_person(guild, channel, user).where(entries.c.game == game)
    return await added(connection, mine, deeds.c.code.contains(COUNTS))


async def added(connection: AsyncConnection, wanted: Select[Any], which: ColumnElement[bool]) -> dict[str, int]:
    """Add up what was done in the matches of these entries, by code."""
    mine = wanted.subquery()
    same = and_(deeds.c.table_id == mine.c.table_id, deeds.c.seat == mine.c.seat)
    query = select(deeds.c.code, func.sum(deeds.c.times)).join(mine, same).where(which).group_by(deeds.c.code)
    return {code: int(times) for code, times in await connection.execute(query)}


async def met(connection: AsyncConnection, guild: GuildId, channel: ChannelId, user: UserId, other: UserId) -> Met:
    """Count in how many matches two people sat together, and how often each came before the other."""
    mine, theirs = (of_person(guild, channel, one).subquery() for one in (user, other))
    same = and_(mine.c.table_id == theirs.c.table_id, mine.c.game == theirs.c.game)
    rows = (await connection.execute(select(mine.c.place, theirs.c.place.label("other")).join(theirs, same))).all()
    before, behind = sum(row.place < row.other for row in rows), sum(row.place > row.other for row in rows)
    return Met(len(rows), before, behind)
