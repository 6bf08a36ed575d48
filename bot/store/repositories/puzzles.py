"""The puzzles of a week, and the answers of players."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.puzzles import WEEK, PuzzleAnswer
from bot.store.engine.erasures import is_not_erased
from bot.store.engine.repository import Repository, read, write
from bot.store.schema import answers, puzzles


async def _of_week(connection: AsyncConnection, game: str, week: date) -> tuple[str, ...]:
    """Read the puzzles of a week, given by its Monday, in their order."""
    query = select(puzzles.c.puzzle).filter_by(game=game, week=week).order_by(puzzles.c.number)
    return tuple((await connection.execute(query)).scalars())


async def _keep(connection: AsyncConnection, game: str, week: date, made: Sequence[str]) -> tuple[str, ...]:
    """Write the puzzles of a week unless known, delete those of earlier weeks, and return the stored ones."""
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
    query = select(answers.c.game).where(answers.c.week >= since).distinct()
    return frozenset((await connection.execute(query)).scalars())


class PuzzleRepository(Repository):
    """The puzzles of a week, and the answers of players."""

    of_week = read(_of_week)
    keep = write(_keep)
    answers = read(_answers)
    answer = write(_answer)
    games_answered = read(_games)
