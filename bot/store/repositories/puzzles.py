"""Puzzles of a week, and what people have answered.

Knows the statements; refuses to know what a puzzle is, and whether an answer is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.puzzles import WEEK, Answer
from bot.store.engine.erasures import present
from bot.store.engine.gate import Gate
from bot.store.schema import answers, puzzles


class Puzzles:
    """What is kept of puzzles. Every call may raise StoreError."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def puzzles(self, game: str, week: date) -> tuple[str, ...]:
        """Give the puzzles of a week, given by its Monday, in their order; none where none are kept."""
        return await self._gate.read(_of_week, game, week)

    async def keep_puzzles(self, game: str, week: date, made: Sequence[str]) -> tuple[str, ...]:
        """Remember the puzzles of a week unless some are kept, and forget those of weeks before; give what is kept."""
        return await self._gate.run(_keep, game, week, made)

    async def answers(self, user: UserId, game: str) -> tuple[Answer, ...]:
        """Give all that somebody has answered in a game, oldest first."""
        return await self._gate.read(_answers, user, game)

    async def answer(self, user: UserId, game: str, answer: Answer, at: datetime) -> bool:
        """Remember what somebody answers, unless they have answered that puzzle; tell which."""
        return await self._gate.run(_answer, user, game, answer, at)

    async def games_answered(self, since: date) -> frozenset[str]:
        """Give the games in which anybody has answered puzzles of a week since then."""
        return await self._gate.read(_games, since)


async def _of_week(connection: AsyncConnection, game: str, week: date) -> tuple[str, ...]:
    query = select(puzzles.c.puzzle).filter_by(game=game, week=week).order_by(puzzles.c.number)
    return tuple((await connection.execute(query)).scalars())


async def _keep(connection: AsyncConnection, game: str, week: date, made: Sequence[str]) -> tuple[str, ...]:
    known = await _of_week(connection, game, week)
    if known or not made:
        return known
    await connection.execute(delete(puzzles).where(puzzles.c.week < week - WEEK))
    rows = [{"game": game, "week": week, "number": at, "puzzle": puzzle} for at, puzzle in enumerate(made)]
    await connection.execute(insert(puzzles), rows)
    return tuple(made)


async def _answers(connection: AsyncConnection, user: UserId, game: str) -> tuple[Answer, ...]:
    own = select(answers).where(present(answers.c.user)).filter_by(user=user, game=game)
    query = own.order_by(answers.c.at, answers.c.week, answers.c.number)
    return tuple(Answer(row.week, row.number, row.choice, row.solved) for row in await connection.execute(query))


async def _answer(connection: AsyncConnection, user: UserId, game: str, answer: Answer, at: datetime) -> bool:
    key = {"user": user, "game": game, "week": answer.week, "number": answer.number}
    if (await connection.execute(select(answers.c.choice).filter_by(**key))).first():
        return False
    values = {"choice": answer.choice, "solved": answer.solved, "at": at}
    await connection.execute(insert(answers).values(**key, **values))
    return True


async def _games(connection: AsyncConnection, since: date) -> frozenset[str]:
    query = select(answers.c.game).where(answers.c.week >= since).distinct()
    return frozenset((await connection.execute(query)).scalars())
