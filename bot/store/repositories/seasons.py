"""Ended seasons: their periods and final standings.

Independent of the end of the next season, and the order of the players.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Row, Select, and_, bindparam, func, insert, not_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.effects import season_key
from bot.domain.ids import ChannelId, GuildId, PlayerId, UserId
from bot.domain.rating import VISIBLE_CHANNELS, Leaderboard, PlayerTotals, RankedMatch, RankedPlayer, Rating
from bot.domain.seasons import Finalist, Season
from bot.domain.server_settings import SettingChange
from bot.store.engine.erasures import visible_columns
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import leaderboards, outbox
from bot.store.repositories.leaderboards import RatingMethod
from bot.store.repositories.servers import change_of
from bot.store.schema import deeds, finalists, habits, hands, players, results, seasons, server_changes, standings

CHOICES: Final = "season", "zone"  # the settings of a server that decide the end of a season
SERVERS: Final = select(server_changes.c.guild).where(server_changes.c.name == CHOICES[0])
CHOSEN: Final = (
    select(*visible_columns(server_changes))
    .where(server_changes.c.guild == bindparam("of_guild"), server_changes.c.name.in_(CHOICES))
    .order_by(server_changes.c.id)
)
ENDED: Final = select(seasons).where(seasons.c.guild == bindparam("of_guild")).order_by(seasons.c.number.desc())
UNTOLD: Final = select(seasons).where(not_(seasons.c.told))
is_listed: Final = not_(func.coalesce(habits.c.unlisted, False))  # SQL's own
LISTED: Final = (
    select(players.c.id, players.c.user)
    .outerjoin(habits, habits.c.user == players.c.user)
    .where(players.c.id.in_(bindparam("wanted", expanding=True)), players.c.user.is_not(None), is_listed)
)


async def _servers(connection: AsyncConnection) -> frozenset[GuildId]:
    """Read the servers that have ever enabled seasons."""
    return frozenset((await connection.execute(SERVERS)).scalars())


async def _choices(connection: AsyncConnection, guild: GuildId) -> tuple[SettingChange, ...]:
    """Read the changes of season settings on a server, oldest first."""
    return tuple(change_of(row) for row in await connection.execute(CHOSEN, {"of_guild": guild}))


async def _ended(connection: AsyncConnection, guild: GuildId) -> tuple[Season, ...]:
    """Read the ended seasons of a server, the latest first."""
    return tuple(season(row) for row in await connection.execute(ENDED, {"of_guild": guild}))


def season(row: Row[Any]) -> Season:
    """Return the season of a row."""
    return Season(row.number, row.begins, row.ends)


async def _end(connection: AsyncConnection, guild: GuildId, over: Season, last: Sequence[Finalist]) -> None:
    """Write the final standings of a season, unless written.

    A season without standings needs no announcement.
    """
    if over.number in {known.number for known in await _ended(connection, guild)}:
        return
    values = {"guild": guild, "number": over.number, "begins": over.begins, "ends": over.ends}
    await connection.execute(insert(seasons).values(values | {"told": not last}))
    if last:
        await connection.execute(insert(finalists), [columns(guild, over.number, one) for one in last])


def columns(guild: GuildId, number: int, one: Finalist) -> dict[str, Any]:
    """Return the columns of a finalist."""
    player, rating, tally = (
        one.player,
        one.player.rating,
        one.player.tally or PlayerTotals(0, 0, 0, 0.0, 0),
    )
    return {
        "guild": guild,
        "season": number,
        "game": one.game,
        "player": player.player,
        "place": one.place,
        "elo": rating and rating.elo,
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
        "table_id": player.table,
    }


async def _untold(connection: AsyncConnection) -> tuple[tuple[GuildId, Season], ...]:
    """Read the ended seasons without an announcement."""
    rows = await connection.execute(UNTOLD)
    return tuple((row.guild, season(row)) for row in rows)


async def _note_announced(connection: AsyncConnection, guild: GuildId, number: int) -> None:
    """Record the announcement of a season's outcome."""
    await connection.execute(update(seasons).filter_by(guild=guild, number=number).values(told=True))
    await outbox.end(connection, season_key(guild, number))


async def _of_season(connection: AsyncConnection, guild: GuildId, number: int) -> tuple[Finalist, ...]:
    """Read the final standings of a season, by game and place, without unlisted users."""
    query = (
        select(finalists, players.c.user)
        .join(players, players.c.id == finalists.c.player)
        .outerjoin(habits, habits.c.user == players.c.user)
        .where(finalists.c.guild == guild, finalists.c.season == number, players.c.user.is_not(None))
        .where(is_listed)
        .order_by(finalists.c.game, finalists.c.place, finalists.c.player)
    )
    return tuple(finalist(row) for row in await connection.execute(query))


def finalist(row: Row[Any]) -> Finalist:
    """Return the finalist of a row."""
    rating = (
        None
        if row.mean is None
        else Rating(elo=row.elo, mean=row.mean, weight=row.weight, matches=row.matches, last=row.last)
    )
    tally = PlayerTotals(row.matches, row.wins, row.hands, row.gain, row.units)
    player = RankedPlayer(row.player, row.user, row.table_id, rating=rating, tally=tally)
    return Finalist(row.game, row.place, player, streak=row.streak, bombs=row.bombs, behind=row.behind)


async def _matches(
    connection: AsyncConnection, leaderboard: Leaderboard, method: RatingMethod, begins: datetime, ends: datetime
) -> tuple[RankedMatch, ...]:
    """Read the matches of a leaderboard in a period, in order of their ends."""
    within = results.c.finished >= begins, results.c.finished < ends
    wanted = (
        leaderboards.counted_matches(leaderboard, method)
        .where(*within)
        .order_by(results.c.finished, results.c.table_id)
    )
    return await leaderboards.ranked(connection, leaderboard, wanted)


async def _listed(connection: AsyncConnection, wanted: Iterable[PlayerId]) -> dict[PlayerId, UserId]:
    """Read the users of these players, except users who are unlisted."""
    return {row.id: row.user for row in await connection.execute(LISTED, {"wanted": list(wanted)})}


async def _last_place(connection: AsyncConnection, guild: GuildId, ends: datetime) -> ChannelId:
    """Read the public channel of the last match before a time; OPEN without one."""
    where = results.c.guild == guild, results.c.finished < ends, results.c.counts, not_(results.c.hidden)
    query = select(results.c.channel).where(*where).order_by(results.c.finished.desc()).limit(1)
    return ChannelId((await connection.execute(query)).scalar() or VISIBLE_CHANNELS)


async def _done_in(
    connection: AsyncConnection, leaderboard: Leaderboard, over: Season, code: str, *, include_hidden: bool
) -> dict[PlayerId, int]:
    """Count an achievement per player."""
    rows = await connection.execute(_times_done(include_hidden), _which(leaderboard, over, code))
    return {PlayerId(row[0]): int(row[1]) for row in rows}


async def _behind_in(
    connection: AsyncConnection, leaderboard: Leaderboard, over: Season, code: str, *, include_hidden: bool
) -> dict[PlayerId, int]:
    """Return each player's largest gap at half time in a match with this achievement.

    The gap is between the first and the last seat.
    """
    found = dict[PlayerId, int]()
    for player, points_behind in await connection.execute(_gaps(include_hidden), _which(leaderboard, over, code)):
        found[PlayerId(player)] = max(found.get(PlayerId(player), 0), int(points_behind))
    return found


def _which(leaderboard: Leaderboard, over: Season, code: str) -> dict[str, Any]:
    """Return the parameters of the queries below."""
    period = {"begins": over.begins, "ends": over.ends}
    return {"of_guild": leaderboard.guild, "of_game": leaderboard.game, "of_code": code, **period}


@cache
def _times_done(include_hidden: bool) -> Select[Any]:
    """Return the query for the number of an achievement per player."""
    done = _deeds_of(select(standings.c.player, func.sum(deeds.c.times)), include_hidden)
    return done.group_by(standings.c.player)


@cache
def _gaps(include_hidden: bool) -> Select[Any]:
    """Return the query for the gaps at half time in matches with an achievement."""
    matches = _deeds_of(select(standings.c.player, deeds.c.table_id, results.c.hands), include_hidden).subquery()
    half = and_(hands.c.table_id == matches.c.table_id, 2 * hands.c.number <= matches.c.hands)
    points = func.sum(hands.c.points).label("points")
    each = select(matches.c.player, matches.c.table_id, hands.c.seat, points).join(hands, half)
    totals = each.group_by(matches.c.player, matches.c.table_id, hands.c.seat).subquery()
    gap = func.max(totals.c.points) - func.min(totals.c.points)
    return select(totals.c.player, gap.label("gap")).group_by(totals.c.player, totals.c.table_id)


def _deeds_of(query: Select[Any], include_hidden: bool) -> Select[Any]:
    """Return the query for the players with an achievement in counted matches of a season."""
    seat = and_(standings.c.table_id == deeds.c.table_id, standings.c.seat == deeds.c.seat)
    joined = query.select_from(results).join(deeds, deeds.c.table_id == results.c.table_id).join(standings, seat)
    within = results.c.finished >= bindparam("begins"), results.c.finished < bindparam("ends")
    there = results.c.guild == bindparam("of_guild"), results.c.game == bindparam("of_game")
    counts = results.c.counts, not_(results.c.annulled), true() if include_hidden else not_(results.c.hidden)
    return joined.where(*there, *within, *counts, deeds.c.code == bindparam("of_code"), standings.c.player.is_not(None))


class SeasonRepository(Repository):
    """Ended seasons, and the achievements in their matches."""

    servers = read(_servers)
    choices = read(_choices)
    ended = read(_ended)
    end = write(_end)
    unannounced = read(_untold)
    note_announced = write(_note_announced)
    finalists = read(_of_season)
    done_in = read(_done_in)
    behind_in = read(_behind_in)
    ranked_between = read(_matches)
    listed = read(_listed)
    last_open_channel = read(_last_place)
