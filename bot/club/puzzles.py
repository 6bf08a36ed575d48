"""The puzzles of a week, identical for every user, and the users' answers.

A background process generates next week's puzzles for the games with recent answers; shipped puzzles replace missing
ones. Search and rendering live elsewhere.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING, Final, Protocol

from bot.ai.puzzle import Puzzle
from bot.club.puzzle_generation import PuzzleProcess, shipped_puzzles
from bot.domain.chairs import Chair
from bot.domain.contests import WEEK, PuzzleAnswer, PuzzleWeek, Streak, monday
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.names import lookalike_keys
from bot.domain.refusals import Refused
from bot.games import GAMES
from bot.scene import PuzzleScene, Solution
from bot.table.core.chairs import HOUSE_NAMES

if TYPE_CHECKING:  # worker processes import this module, and need no database
    from bot.store.store import Store

log = logging.getLogger(__name__)

DATA_DELETED: Final = N_(
    "Your data was deleted this week, so I can't tell whether you've solved this puzzle. You can solve next week's."
)
OVER: Final = N_("That puzzle is from a past week. There are new ones.")


class PuzzleJob(Protocol):
    """A running generation of puzzles."""

    game: str
    week: date

    @property
    def done(self) -> bool:
        """Whether the generation has ended."""
        ...

    def result(self) -> list[str]:
        """Return the generated puzzles; nothing after a failure."""
        ...

    def end(self) -> None:
        """Kill the generation."""
        ...


class Puzzles:
    """The puzzles of the current week.

    now: the current time. make: starts the generation of a week.
    """

    def __init__(
        self, store: Store, now: Callable[[], datetime], make: Callable[[str, date], PuzzleJob] = PuzzleProcess
    ) -> None:
        self._store = store
        self._now = now
        self._make = make
        self._work: PuzzleJob | None = None
        self._known: dict[str, tuple[date, tuple[Puzzle, ...]]] = {}

    @property
    def week(self) -> date:
        """The Monday of the current week (UTC)."""
        return monday(self._now().date())

    async def progress(self, user: UserId, game: str) -> PuzzleWeek:
        """Return the user's progress with the puzzles of this week."""
        week, answers = self.week, await self._store.puzzles.answers(user, game)
        given = {answer.number: answer for answer in answers if answer.week == week}
        each = range(len(await self._puzzles(game, week)))
        return PuzzleWeek(game, week, tuple(map(given.get, each)), Streak.of(answers, week))

    async def puzzle_scene(self, game: str, week: date, number: int, name: str) -> PuzzleScene:
        """Return a puzzle without the solution, for a player with this name.

        Raises Refused for another week.
        """
        return puzzle_scene_of(await self._puzzle(game, week, number), number, name)

    async def solution(self, game: str, answer: PuzzleAnswer) -> Solution:
        """Return the explanation for an answer. Raises Refused as :meth:`puzzle_scene` does."""
        return solution_of(await self._puzzle(game, answer.week, answer.number), answer.choice)

    async def answer(self, user: UserId, game: str, week: date, number: int, *, choice: int) -> None:
        """Save the first answer to a puzzle.

        Raises Refused as :meth:`puzzle_scene` does, and if an earlier answer may have been deleted.
        """
        puzzle = await self._puzzle(game, week, number)
        if choice not in range(len(puzzle.choices)):
            raise Refused(OVER)
        gone = await self._store.deletions.forgotten(user)
        if gone is not None and gone.date() >= week:
            raise Refused(DATA_DELETED)
        answer = PuzzleAnswer(week, number, choice, choice == puzzle.right)
        await self._store.puzzles.answer(user, game, answer, self._now())

    async def _puzzle(self, game: str, week: date, number: int) -> Puzzle:
        puzzles = await self._puzzles(game, self.week)
        if week != self.week or number not in range(len(puzzles)):
            raise Refused(OVER)
        return puzzles[number]

    async def _puzzles(self, game: str, week: date) -> tuple[Puzzle, ...]:
        known, puzzles = self._known.get(game, (None, ()))
        if known != week:
            written = await self._store.puzzles.of_week(game, week)
            written = written or await self._store.puzzles.keep(game, week, shipped_puzzles(game, week))
            puzzles = tuple(Puzzle.from_json(one, GAMES) for one in written)
            self._known[game] = week, puzzles
        return puzzles

    async def make_next(self) -> None:
        """Save finished puzzles and start the next missing generation; called every hour."""
        last = ""
        if self._work is not None:
            if not self._work.done:
                return
            work, self._work = self._work, None
            last = work.game
            if not await self._store.puzzles.keep(work.game, work.week, work.result()):
                log.warning("The next puzzles of %s were not made; it is tried again.", work.game)
        missing = [
            game for game in await self._answered() if not await self._store.puzzles.of_week(game, self.week + WEEK)
        ]
        if missing:
            self._work = self._make(min(missing, key=lambda game: (game <= last, game)), self.week + WEEK)

    async def _answered(self) -> list[str]:
        """Return the games with recent answers."""
        return [game for game in await self._store.puzzles.games_answered(self.week - WEEK) if game in GAMES]

    def stop(self) -> None:
        """Kill the generation."""
        if self._work is not None:
            self._work.end()

    async def ended(self) -> None:
        """Return at once: ``stop`` has killed the process."""


def puzzle_scene_of(puzzle: Puzzle, number: int, name: str) -> PuzzleScene:
    """Return a puzzle without the solution, for a player with this name.

    number: within the week.
    """
    return PuzzleScene(_chairs(puzzle, number, name), puzzle.view, puzzle.choices)


def solution_of(puzzle: Puzzle, choice: int) -> Solution:
    """Return the explanation for a choice."""
    why = puzzle.why.note if puzzle.why else None
    return Solution(chosen=choice, best=puzzle.right, behind=puzzle.behind(choice), margin=puzzle.margin, why=why)


def _chairs(puzzle: Puzzle, number: int, name: str) -> tuple[Chair, ...]:
    """Return the chairs of a puzzle: the solver, and house players under varied names.

    The names are rotated by the puzzle's number.
    """
    seats = range(len(puzzle.view.counts))
    others = deque(other for other in HOUSE_NAMES if lookalike_keys(other).isdisjoint(lookalike_keys(name)))
    others.rotate(-number)
    return tuple(Chair(seat, None, name if seat == puzzle.seat else others.popleft()) for seat in seats)
