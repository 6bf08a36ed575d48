"""Seasons that have ended: when, and how.

Knows the statements; refuses to know when a season ends and who comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, func, insert, not_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import season_key
from bot.domain.ids import ChannelId, GuildId, PlayerId, UserId
from bot.domain.rating import OPEN, Climber, Ladder, Ranked, Rating, Tally
from bot.domain.seasons import Finalist, Season
from bot.domain.server_settings import SettingChange
from bot.store.engine.erasures import shown
from bot.store.repositories import ladders, outbox
from bot.store.repositories.ladders import Way
from bot.store.repositories.servers import change_of
from bot.store.schema import finalists, habits, players, results, seasons, server_changes

CHOICES: Final = "season", "zone"  # the settings of a server that say when a season ends


async def servers(connection: AsyncConnection) -> frozenset[GuildId]:
    """Read which servers have ever chosen seasons."""
    return frozenset((await connection.execute(select(server_changes.c.guild).filter_by(name=CHOICES[0]))).scalars())


async def choices(connection: AsyncConnection, guild: GuildId) -> tuple[SettingChange, ...]:
    """Read all that a server has chosen for its seasons, oldest first."""
    query = select(*shown(server_changes)).where(server_changes.c.guild == guild, server_changes.c.name.in_(CHOICES))
    return tuple(change_of(row) for row in await connection.execute(query.order_by(server_changes.c.id)))


async def ended(connection: AsyncConnection, guild: GuildId) -> tuple[Season, ...]:
    """Read a server's seasons that have ended, the latest first."""
    query = select(seasons).filter_by(guild=guild).order_by(seasons.c.number.desc())
    return tuple(season(row) for row in await connection.execute(query))


def season(row: Row[Any]) -> Season:
    """Put a season together."""
    return Season(row.number, row.begins, row.ends)


async def end(connection: AsyncConnection, guild: GuildId, over: Season, last: Sequence[Finalist]) -> None:
    """Write how a season has ended, unless that is written; where nobody stands in it, there is nothing to tell."""
    if over.number in {known.number for known in await ended(connection, guild)}:
        return
    values = {"guild": guild, "number": over.number, "begins": over.begins, "ends": over.ends}
    await connection.execute(insert(seasons).values(values | {"told": not last}))
    if last:
        await connection.execute(insert(finalists), [columns(guild, over.number, one) for one in last])


def columns(guild: GuildId, number: int, one: Finalist) -> dict[str, Any]:
    """Lay somebody at the end of a season out in columns."""
    climber, rating, tally = one.climber, one.climber.rating, one.climber.tally or Tally(0, 0, 0, 0.0, 0)
    return {
        "guild": guild,
        "season": number,
        "game": one.game,
        "player": climber.player,
        "place": one.place,
        "quick": rating and rating.quick,
        "mean": rating and rating.mean,
        "weight": rating and rating.weight,
        "last": rating and rating.last,
        "matches": tally.matches,
        "wins": tally.wins,
        "hands": tally.hands,
        "gain": tally.gain,
        "units": tally.units,
        "streak": one.streak,
        "bombs": one.bombs,
        "behind": one.behind,
        "table_id": climber.table,
    }


async def untold(connection: AsyncConnection) -> tuple[tuple[GuildId, Season], ...]:
    """Read which seasons have ended without anybody having been told."""
    rows = await connection.execute(select(seasons).where(not_(seasons.c.told)))
    return tuple((row.guild, season(row)) for row in rows)


async def note_told(connection: AsyncConnection, guild: GuildId, number: int) -> None:
    """Note that people have been told how a season ended."""
    await connection.execute(update(seasons).filter_by(guild=guild, number=number).values(told=True))
    await outbox.end(connection, season_key(guild, number))


async def of_season(connection: AsyncConnection, guild: GuildId, number: int) -> tuple[Finalist, ...]:
    """Read how a season ended: persons who want to be seen, by game and place."""
    query = (
        select(finalists, players.c.user)
        .join(players, players.c.id == finalists.c.player)
        .outerjoin(habits, habits.c.user == players.c.user)
        .where(finalists.c.guild == guild, finalists.c.season == number, players.c.user.is_not(None))
        .where(not_(func.coalesce(habits.c.unlisted, False)))  # SQL's own
        .order_by(finalists.c.game, finalists.c.place, finalists.c.player)
    )
    return tuple(finalist(row) for row in await connection.execute(query))


def finalist(row: Row[Any]) -> Finalist:
    """Put somebody at the end of a season together."""
    rating = None if row.mean is None else Rating(row.quick, row.mean, row.weight, row.matches, row.last)
    tally = Tally(row.matches, row.wins, row.hands, row.gain, row.units)
    climber = Climber(row.player, row.user, row.table_id, rating, tally)
    return Finalist(row.game, row.place, climber, row.streak, row.bombs, row.behind)


async def matches(
    connection: AsyncConnection, ladder: Ladder, way: Way, begins: datetime, ends: datetime
) -> tuple[Ranked, ...]:
    """Read the matches of a ladder that ended in this time, in the order in which they did."""
    within = results.c.finished >= begins, results.c.finished < ends
    wanted = ladders.of_ladder(ladder, way).where(*within).order_by(results.c.finished, results.c.table_id)
    return await ladders.ranked(connection, ladder, wanted)


async def listed(connection: AsyncConnection, wanted: Iterable[PlayerId]) -> dict[PlayerId, UserId]:
    """Read who these players are, of those who want to be seen."""
    query = (
        select(players.c.id, players.c.user)
        .outerjoin(habits, habits.c.user == players.c.user)
        .where(players.c.id.in_(wanted), players.c.user.is_not(None))
        .where(not_(func.coalesce(habits.c.unlisted, False)))  # SQL's own
    )
    return {row.id: row.user for row in await connection.execute(query)}


async def last_place(connection: AsyncConnection, guild: GuildId, ends: datetime) -> ChannelId:
    """Read in which channel, seen by everybody, a match has ended last before then; OPEN where none has."""
    where = results.c.guild == guild, results.c.finished < ends, results.c.counts, not_(results.c.hidden)
    query = select(results.c.channel).where(*where).order_by(results.c.finished.desc()).limit(1)
    return ChannelId((await connection.execute(query)).scalar() or OPEN)
