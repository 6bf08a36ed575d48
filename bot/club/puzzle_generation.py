"""Generates the puzzles of a week in a low-priority process.

The same game and week always give the same puzzles: ``python -m bot.club.puzzle_generation GAME WEEK`` prints one
puzzle per line, the format of the puzzles shipped with the bot. The schedule lives in ``puzzles``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from itertools import count
from threading import Thread
from typing import Final

from bot.ai.puzzle import Puzzle, puzzle
from bot.domain.contests import PUZZLES_PER_WEEK, WEEK
from bot.games import GAMES
from bot.paths import DATA, ROOT
from bot.runtime.process_pool import APART, environment

SHIPPED: Final = DATA / "puzzles"
MAX_SAME_REASON: Final = 2  # puzzles per week with the same reason
ATTACHED: Final = "attached"  # the word by which the process ends with its input
NICENESS: Final = 19  # below every other process


class PuzzleProcess:
    """A process generating the puzzles of a week.

    week: its Monday. Raises OSError if no process can start.
    """

    def __init__(self, game: str, week: date) -> None:
        self.game, self.week = game, week
        self._process = subprocess.Popen(  # noqa: S603  # this very module
            [sys.executable, "-m", "bot.club.puzzle_generation", game, str(week), ATTACHED],
            cwd=ROOT,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
            creationflags=APART,
        )

    @property
    def done(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def result(self) -> list[str]:
        """Return the generated puzzles of an ended process; nothing after a failure."""
        assert self._process.stdout is not None
        lines = self._process.stdout.read().splitlines()
        self._close()
        return lines if self._process.returncode == 0 else []

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._close()

    def _close(self) -> None:
        """Close the input of a process after its end.

        The end of the input would end the process itself.
        """
        self._process.wait()
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            pipe.close()


def generate_puzzles(game: str, week: str) -> Iterator[str]:
    """Yield the puzzles of a week as found; each takes from seconds to minutes.

    week: any text.
    """
    reasons, numbers, left = list[str](), count(), PUZZLES_PER_WEEK
    while left:
        found = puzzle(GAMES[game], week, next(numbers))
        if found and _is_varied(found, reasons):
            left -= 1
            yield found.to_json()


def _is_varied(found: Puzzle, reasons: list[str]) -> bool:
    """Tell whether a puzzle differs from these reasons, and append the puzzle's own reason."""
    if found.why is None:
        return True
    reasons.append(found.why.name)
    return reasons.count(found.why.name) <= MAX_SAME_REASON


def shipped_puzzles(game: str, week: date) -> list[str]:
    """Return a week's puzzles out of those shipped with the bot; the weeks rotate."""
    lines = (SHIPPED / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    begin = week.toordinal() // WEEK.days % (len(lines) // PUZZLES_PER_WEEK) * PUZZLES_PER_WEEK
    return lines[begin : begin + PUZZLES_PER_WEEK]


def end_with_input() -> None:
    """End this process once its input ends.

    The bot holds the other end of the pipe, and loses the pipe however the bot ends.
    """

    def wait() -> None:
        os.read(sys.stdin.fileno(), 1)
        os._exit(1)

    Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if ATTACHED in sys.argv[3:]:
        end_with_input()
    for line in generate_puzzles(sys.argv[1], sys.argv[2]):
        print(line, flush=True)  # noqa: T201  # the output of this program
