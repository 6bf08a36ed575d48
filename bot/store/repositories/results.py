"""Finished matches: their visibility, standings and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from statistics import median
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Row, and_, bindparam, exists, func, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import NO_GUILD, AccessChannel, ChannelId, GuildId, PlayerId, TableId, UserId
from bot.domain.pace import Pace
from bot.domain.results import (
    ALL_MATCHES,
    DetailedScore,
    FinishedMatch,
    HandScore,
    MatchOutcome,
    ResultFilter,
    ResultsViewer,
    SeatResult,
)
from bot.store.engine.erasures import is_not_erased, visible_columns
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import outcomes
from bot.store.repositories.duplicates import sealed_from
from bot.store.repositories.outcomes import sittings_of_table as sittings_of
from bot.store.schema import actions, hands, packs, payments, players, results, standings, tables

of_guild = results.c.guild == bindparam("guild")
CHANNELS = select(results.c.channel).where(of_guild).group_by(results.c.channel)
is_gone = exists().where(packs.c.table_id == results.c.table_id, packs.c.body.is_(None))
has_hands = exists().where(hands.c.table_id == results.c.table_id)
UNSCORED = (
    select(results.c.table_id)
    .where(results.c.table_id > bindparam("after"), ~is_gone, or_(~has_hands, results.c.deeds < bindparam("version")))
    .order_by(results.c.table_id)
    .limit(bindparam("most"))
)
MIN_TIMED_MATCHES, MAX_TIMED_MATCHES = 5, 50  # the matches needed for a median duration, and the matches examined
LATEST_FIRST = CHANNELS.order_by(func.max(results.c.finished).desc())


def in_guild(guild: GuildId | None) -> ColumnElement[bool]:
    """Return the condition for matches of a guild.

    Without a guild, the condition is for matches of all guilds, but of no private table.
    """
    return results.c.guild != NO_GUILD if guild is None else results.c.guild == guild


BEGAN = func.coalesce(actions.c.at, packs.c.began).label("at")
TIMED = (
    select(results.c.finished, results.c.hands, BEGAN)
    .outerjoin(actions, and_(actions.c.table_id == results.c.table_id, actions.c.ply == 0))
    .outerjoin(packs, packs.c.table_id == results.c.table_id)
    .join(tables, tables.c.id == results.c.table_id)
    .where(results.c.guild == bindparam("of_guild"), results.c.game == bindparam("of_game"))
    .where(results.c.hands > 0, results.c.ended == "itself", BEGAN.is_not(None), tables.c.pace == bindparam("of_pace"))
    .order_by(results.c.finished.desc())
    .limit(MAX_TIMED_MATCHES)
)


async def _hand_duration(connection: AsyncConnection, guild: GuildId, game: str, pace: Pace) -> timedelta | None:
    """Return the median duration of a hand in recent matches.

    The time runs from the first card of a match to its end. Returns None with too few matches.
    """
    rows = await connection.execute(TIMED, {"of_guild": guild, "of_game": game, "of_pace": pace})
    took = [(row.finished - row.at) / row.hands for row in rows]
    return median(took) if len(took) >= MIN_TIMED_MATCHES else None


async def _channels(connection: AsyncConnection, guild: GuildId) -> tuple[ChannelId, ...]:
    """Read the channels with matches of a guild, the latest first, see AccessChannel."""
    return tuple((await connection.execute(LATEST_FIRST, {"guild": guild})).scalars())


def shown_to(reader: ResultsViewer | None) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for matches that a reader may see.

    A reader sees matches in visible channels, and own matches. Matches whose deals the reader may still play are left
    out.
    """
    if reader is None:
        return ()
    sat = select(standings.c.seat).where(standings.c.table_id == results.c.table_id, standings.c.user == reader.user)
    seen = or_(results.c.channel.in_(reader.channels), sat.exists())
    return seen, results.c.table_id.not_in(sealed_from(reader.user))


def search_conditions(sought: ResultFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a search."""
    if sought.user is not None:
        yield (
            select(standings.c.seat)
            .where(standings.c.table_id == results.c.table_id, standings.c.user == sought.user)
            .where(is_not_erased(standings.c.user))
            .exists()
        )
    if sought.game:
        yield results.c.game == sought.game
    if sought.begins is not None and sought.ends is not None:
        yield and_(results.c.finished >= sought.begins, results.c.finished < sought.ends)
    if sought.number is not None:
        yield results.c.number == sought.number


async def _history(
    connection: AsyncConnection,
    guild: GuildId | None,
    limit: int,
    offset: int,
    *,
    reader: ResultsViewer | None = None,
    sought: ResultFilter = ALL_MATCHES,
) -> tuple[FinishedMatch, ...]:
    """Read finished matches with their standings, the latest first.

    Without a guild, reads those of every server. reader: restricts the matches to those visible to the reader.
    """
    latest_first = results.c.finished.desc(), results.c.table_id.desc()
    wanted = (
        select(results).where(in_guild(guild), *shown_to(reader), *search_conditions(sought)).order_by(*latest_first)
    )
    found = await connection.execute(wanted.limit(limit).offset(offset))
    return await finished_matches(connection, found.all())


RESULT = select(results).where(results.c.table_id == bindparam("of_table"))
among: BindParameter[Any] = bindparam("matches", expanding=True)
STANDINGS = (
    select(*visible_columns(standings))
    .where(standings.c.table_id.in_(among))
    .order_by(standings.c.table_id, standings.c.seat)
)
FORGOTTEN = select(packs.c.table_id).where(packs.c.table_id.in_(among), packs.c.body.is_(None))


async def _finished(connection: AsyncConnection, table: TableId) -> FinishedMatch | None:
    """Read one finished match with its standings, None for a table without a result."""
    found = (await connection.execute(RESULT, {"of_table": table})).all()
    return next(iter(await finished_matches(connection, found)), None)


async def finished_matches(connection: AsyncConnection, found: Sequence[Row[Any]]) -> tuple[FinishedMatch, ...]:
    """Return the finished matches of rows, with their standings."""
    if not found:
        return ()
    ended: dict[TableId, list[SeatResult]] = {row.table_id: [] for row in found}
    for row in (await connection.execute(STANDINGS, {"matches": list(ended)})).all():
        ended[row.table_id].append(standing(row))
    gone = set((await connection.execute(FORGOTTEN, {"matches": list(ended)})).scalars())
    return tuple(match(row, ended[row.table_id], gone=row.table_id in gone) for row in found)


async def _count(
    connection: AsyncConnection,
    guild: GuildId | None,
    *,
    reader: ResultsViewer | None = None,
    sought: ResultFilter = ALL_MATCHES,
) -> int:
    """Count the finished matches of a search that the reader may see."""
    query = (
        select(func.count()).select_from(results).where(in_guild(guild), *shown_to(reader), *search_conditions(sought))
    )
    return int((await connection.execute(query)).scalar_one())


async def _first(connection: AsyncConnection, guild: GuildId) -> datetime | None:
    """Read when the first match of a guild ended."""
    query = select(func.min(results.c.finished)).where(of_guild)
    found: datetime | None = (await connection.execute(query, {"guild": guild})).scalar_one()
    return found


def standing(row: Row[Any]) -> SeatResult:
    """Return the standing of a row."""
    return SeatResult(
        seat=row.seat,
        user=row.user,
        name=row.name,
        house=row.house,
        place=row.place,
        points=row.points,
        net=row.net,
        left=row.left,
        level=row.level,
    )


def match(row: Row[Any], ended: list[SeatResult], *, gone: bool) -> FinishedMatch:
    """Return the finished match of a row. gone: whether the plays have been deleted."""
    return FinishedMatch(
        table=row.table_id,
        number=row.number,
        game=row.game,
        preset=row.preset,
        options=row.options,
        annulled=row.annulled,
        gone=gone,
        outcome=MatchOutcome(
            row.hands,
            row.finished,
            tuple(ended),
            counts=row.counts,
            ended=row.ended,
            place=AccessChannel(row.channel, row.hidden),
        ),
    )


async def _score(connection: AsyncConnection, table: TableId) -> DetailedScore | None:
    """Read the scores of the hands of a finished match, None for a match without scores."""
    query = select(hands).where(hands.c.table_id == table).order_by(hands.c.number, hands.c.seat)
    rows = (await connection.execute(query)).all()
    owed = select(payments.c.payer, payments.c.payee, payments.c.units).where(payments.c.table_id == table)
    paid = (await connection.execute(owed.order_by(payments.c.payer, payments.c.payee))).all()
    played = [[(row.place, row.points, row.net) for row in hand] for _, hand in groupby(rows, lambda row: row.number)]
    scores = tuple(HandScore(*zip(*hand, strict=True)) for hand in played)
    return DetailedScore(scores, tuple((row.payer, row.payee, row.units) for row in paid)) if scores else None


async def _unscored(connection: AsyncConnection, after: TableId, limit: int, version: int = 0) -> tuple[TableId, ...]:
    """Read finished matches without scores or scored by an older version, by table id."""
    which = {"after": after, "version": version, "most": limit}
    return tuple((await connection.execute(UNSCORED, which)).scalars())


async def _finished_after(connection: AsyncConnection, table: TableId, limit: int) -> tuple[TableId, ...]:
    """Read the next finished matches, in order of table ids."""
    query = select(results.c.table_id).where(results.c.table_id > table).order_by(results.c.table_id).limit(limit)
    return tuple((await connection.execute(query)).scalars())


async def _count_all(connection: AsyncConnection) -> int:
    """Count the finished matches."""
    return int((await connection.execute(select(func.count()).select_from(results))).scalar_one())


async def _keep_score(connection: AsyncConnection, table: TableId, score: DetailedScore) -> None:
    """Write the missing scores and achievements of a match.

    Write nothing for an unknown match.
    """
    known = (await connection.execute(select(has_hands).where(results.c.table_id == table))).first()
    if known is None:
        return
    if not known[0]:
        await outcomes.add_score(connection, table, score)
    await outcomes.add_deeds(connection, table, score)


async def _meetings(
    connection: AsyncConnection, guild: GuildId, moment: datetime
) -> tuple[tuple[dict[PlayerId, bool], ...], dict[PlayerId, UserId]]:
    """Read for each counting match since ``moment`` whether each player left.

    Also reads the users of the players.
    """
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


class ResultRepository(Repository):
    """Finished matches, written with the last change of their tables."""

    channels = read(_channels)
    history = read(_history)
    count = read(_count)
    first_finished = read(_first)
    finished = read(_finished)
    hand_duration = read(_hand_duration)
    score = read(_score)
    sittings = read(sittings_of)
    unscored = read(_unscored)
    finished_after = read(_finished_after)
    count_all = read(_count_all)
    keep_score = write(_keep_score)
    meetings = read(_meetings)
