"""Contests by date: tries at the deal of the day, and the puzzles of each week."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.chairs import Chair
from bot.domain.contests import WEEK, DailyDealTry, FinishedTry, PuzzleAnswer
from bot.domain.ids import GuildId, TableId, UserId
from bot.store.engine.erasures import is_not_erased
from bot.store.engine.repository import Repository, read, write
from bot.store.repositories import table_changes
from bot.store.rows import OPEN_PHASES, NewTable
from bot.store.schema import answers, habits, puzzles, results, standings, tables, tries
from bot.store.schema.columns import MICROSECOND

MAX_DAYS = 400  # the maximum number of days read per person
DAY: Final = timedelta(days=1)
GRACE_PERIOD: Final = timedelta(hours=1)
BEGUN: Final = tries.c.table_id.in_(select(tables.c.id).where(tables.c.phase.in_(OPEN_PHASES)))
OVERDUE: Final = select(tries.c.table_id).where(
    BEGUN, tries.c.day < bindparam("today"), or_(tries.c.late_until.is_(None), tries.c.late_until <= bindparam("now"))
)
NEXT_LATE_END: Final = select(func.min(tries.c.late_until)).where(BEGUN, tries.c.late_until > bindparam("now"))
GAMES_ANSWERED: Final = select(answers.c.game).where(answers.c.week >= bindparam("since")).distinct()


async def _begin(
    connection: AsyncConnection, new: NewTable, seated: tuple[Chair, ...], day: date, guild: GuildId | None, house: int
) -> TableId:
    """Create a person's table for a day's deal, or return the existing one.

    A person gets one try.
    """
    known = await _of_day(connection, new.host, day)
    if known is not None:
        return known.table
    table = await table_changes.new_table(connection, new, seated, None)
    values = {"day": day, "user": new.host, "table_id": table, "guild": guild, "house": house}
    await connection.execute(insert(tries).values(values))
    return table


async def _of_day(connection: AsyncConnection, user: UserId, day: date) -> DailyDealTry | None:
    """Read a person's try of a day."""
    row = (
        await connection.execute(select(tries).where(is_not_erased(tries.c.user)).filter_by(user=user, day=day))
    ).first()
    return (
        None
        if row is None
        else DailyDealTry(day=row.day, user=row.user, table=row.table_id, guild=row.guild, house=row.house)
    )


async def _at(connection: AsyncConnection, table: TableId) -> DailyDealTry | None:
    """Read the try at a table, None for another kind of table."""
    row = (await connection.execute(select(tries).where(is_not_erased(tries.c.user)).filter_by(table_id=table))).first()
    return (
        None
        if row is None
        else DailyDealTry(day=row.day, user=row.user, table=row.table_id, guild=row.guild, house=row.house)
    )


def _ended() -> Select[Any]:
    same = and_(standings.c.table_id == tries.c.table_id, standings.c.user == tries.c.user)
    return (
        select(tries, standings.c.name, standings.c.place, standings.c.points)
        .join(standings, same)
        .where(is_not_erased(tries.c.user))
    )


async def _of_all(connection: AsyncConnection, day: date) -> tuple[FinishedTry, ...]:
    """Read the results of the tries of a day that were finished in time."""
    query = (
        _ended()
        .add_columns(func.coalesce(habits.c.unlisted, false()).label("unlisted"))
        .join(results, and_(results.c.table_id == tries.c.table_id, results.c.finished < _end_of(day)))
        .outerjoin(habits, habits.c.user == tries.c.user)
        .where(tries.c.day == day)
        .order_by(results.c.finished, tries.c.table_id)
    )
    return tuple(
        FinishedTry(
            user=row.user,
            table=row.table_id,
            guild=row.guild,
            house=row.house,
            name=row.name,
            place=row.place,
            points=row.points,
            listed=not row.unlisted,
        )
        for row in await connection.execute(query)
    )


async def _days_of(connection: AsyncConnection, user: UserId) -> tuple[date, ...]:
    """Read the days with a finished try of a person, the latest first."""
    query = (
        select(tries.c.day, tries.c.late_until, results.c.finished)
        .join(results, results.c.table_id == tries.c.table_id)
        .where(tries.c.user == user, is_not_erased(tries.c.user))
        .order_by(tries.c.day.desc())
        .limit(MAX_DAYS)
    )
    return tuple(
        row.day for row in await connection.execute(query) if row.finished < (row.late_until or _midnight(row.day))
    )


async def _overdue(connection: AsyncConnection, now: datetime) -> tuple[TableId, ...]:
    """Read the open tables of expired tries."""
    return tuple((await connection.execute(OVERDUE, {"today": now.date(), "now": now})).scalars())


# The end of a day


def _midnight(day: date) -> datetime:
    """Return the end of a day."""
    return datetime.combine(day + DAY, time(), UTC)


def _end_of(day: date) -> ColumnElement[datetime]:
    """Return the time until which a try of a day counts."""
    return func.coalesce(tries.c.late_until, literal(_midnight(day), tries.c.late_until.type))


async def prolong_tries(connection: AsyncConnection, since: datetime, until: datetime) -> None:
    """Extend the unfinished tries of a day that ended during an outage.

    The deadline is an hour after the outage; a second outage does not extend the hour.
    """
    stopped = (until - since) // MICROSECOND
    later = type_coerce(tries.c.late_until, BigInteger) + stopped
    await connection.execute(update(tries).where(BEGUN, tries.c.late_until > since).values(late_until=later))
    day = since.astimezone(UTC).date()
    if _midnight(day) <= until:
        ended = BEGUN, tries.c.day == day, tries.c.late_until.is_(None)
        await connection.execute(update(tries).where(*ended).values(late_until=until + GRACE_PERIOD))


async def _is_played(connection: AsyncConnection, day: date, now: datetime) -> bool:
    """Tell whether a day's deal is still open to a player."""
    late = select(tries.c.day).where(BEGUN, tries.c.day == day, tries.c.late_until > now).limit(1)
    return now < _midnight(day) or (await connection.execute(late)).first() is not None


async def _late_day(connection: AsyncConnection, user: UserId, now: datetime) -> tuple[date, datetime] | None:
    """Read the past day whose deal a person may still finish, and the deadline."""
    late = BEGUN, tries.c.user == user, is_not_erased(tries.c.user), tries.c.late_until > now
    row = (await connection.execute(select(tries.c.day, tries.c.late_until).where(*late))).first()
    return None if row is None else (row.day, row.late_until)


async def _next_end(connection: AsyncConnection, now: datetime) -> datetime:
    """Read the next time at which a day's deal ends."""
    found: datetime | None = (await connection.execute(NEXT_LATE_END, {"now": now})).scalar()
    ends = _midnight(now.astimezone(UTC).date())
    return min(found, ends) if found else ends


class DailyDealRepository(Repository):
    """Tries at the deal of the day."""

    begin = write(_begin)
    try_of = read(_of_day)
    try_at = read(_at)
    tried = read(_of_all)
    days_tried = read(_days_of)
    overdue = read(_overdue)
    is_played = read(_is_played)
    late_day = read(_late_day)
    next_end = read(_next_end)


async def _of_week(connection: AsyncConnection, game: str, week: date) -> tuple[str, ...]:
    """Read the puzzles of a week, given by its Monday, in their order."""
    query = select(puzzles.c.puzzle).filter_by(game=game, week=week).order_by(puzzles.c.number)
    return tuple((await connection.execute(query)).scalars())


async def _keep(connection: AsyncConnection, game: str, week: date, made: Sequence[str]) -> tuple[str, ...]:
    """Write the puzzles of a week unless known, and delete those of earlier weeks.

    Returns the stored ones.
    """
    known = await _of_week(connection, game, week)
    if known or not made:
        return known
    await connection.execute(delete(puzzles).where(puzzles.c.week < week - WEEK))
    rows = [{"game": game, "week": week, "number": at, "puzzle": puzzle} for at, puzzle in enumerate(made)]
    await connection.execute(insert(puzzles), rows)
    return tuple(made)


async def _answers(connection: AsyncConnection, user: UserId, game: str) -> tuple[PuzzleAnswer, ...]:
    """Read the answers of a person in a game, oldest first."""
    own = select(answers).where(is_not_erased(answers.c.user)).filter_by(user=user, game=game)
    query = own.order_by(answers.c.at, answers.c.week, answers.c.number)
    return tuple(PuzzleAnswer(row.week, row.number, row.choice, row.solved) for row in await connection.execute(query))


async def _answer(connection: AsyncConnection, user: UserId, game: str, answer: PuzzleAnswer, at: datetime) -> bool:
    """Write an answer; return False after an earlier answer to the puzzle."""
    key = {"user": user, "game": game, "week": answer.week, "number": answer.number}
    if (await connection.execute(select(answers.c.choice).filter_by(**key))).first():
        return False
    values = {"choice": answer.choice, "solved": answer.solved, "at": at}
    await connection.execute(insert(answers).values(**key, **values))
    return True


async def _games(connection: AsyncConnection, since: date) -> frozenset[str]:
    """Read the games with an answered puzzle since the given week."""
    return frozenset((await connection.execute(GAMES_ANSWERED, {"since": since})).scalars())


class PuzzleRepository(Repository):
    """The puzzles of a week, and the answers of players."""

    of_week = read(_of_week)
    keep = write(_keep)
    answers = read(_answers)
    answer = write(_answer)
    games_answered = read(_games)
