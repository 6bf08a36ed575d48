"""Making the puzzles of a week, in a process of its own that is in nobody's way and takes its time.

The same game and week give the same puzzles, whoever makes them: ``python -m bot.club.puzzle_generation GAME WEEK``
prints them, a line each, and those that come with the bot are such lines. Refuses to know when puzzles are wanted.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from typing import Final

from bot.games import DATA, GAMES
from bot.ground.pool import ROOT, environment
from bot.ground.puzzles import EACH, WEEK
from bot.house.puzzle import Puzzle
from bot.house.puzzling import puzzle

SHIPPED: Final = DATA / "puzzles"
MAX_SAME_REASON: Final = 2  # puzzles of a week with the same reason
NICENESS: Final = 19  # everything else comes first


class PuzzleProcess:
    """The puzzles of a week as they are made. week: its Monday. Raises OSError where no process can be started."""

    def __init__(self, game: str, week: date) -> None:
        self.game, self.week = game, week
        self._process = subprocess.Popen(  # noqa: S603  # this very module
            [sys.executable, "-m", "bot.club.puzzle_generation", game, str(week)],
            cwd=ROOT, env=environment(), stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True,
        )  # fmt: skip

    @property
    def done(self) -> bool:
        """Whether it has come to an end."""
        return self._process.poll() is not None

    def result(self) -> list[str]:
        """Return what was made, once it is done; nothing where that has failed."""
        lines = self._process.communicate()[0].splitlines()
        return lines if self._process.returncode == 0 else []

    def end(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.communicate()


def generate_puzzles(game: str, week: str, wanted: Callable[[], bool] = lambda: True) -> Iterator[str]:
    """Yield the puzzles of a week as they are found, which takes from seconds to minutes each.

    week: any text. wanted: asked before each hand that is looked through, whether to go on.
    """
    reasons, numbers, left = list[str](), count(), EACH
    while left and wanted():
        found = puzzle(GAMES[game], week, next(numbers))
        if found and _is_varied(found, reasons):
            left -= 1
            yield found.to_json()


def _is_varied(found: Puzzle, reasons: list[str]) -> bool:
    """Tell whether a puzzle is worth having beside others with these reasons, and note its own: one grows dull."""
    if found.why is None:
        return True
    reasons.append(found.why.name)
    return reasons.count(found.why.name) <= MAX_SAME_REASON


def shipped_puzzles(game: str, week: date) -> list[str]:
    """Return puzzles that come with the bot, other ones in the next week."""
    lines = (SHIPPED / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    begin = week.toordinal() // WEEK.days % (len(lines) // EACH) * EACH
    return lines[begin : begin + EACH]


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    parent = os.getppid()  # where the bot is killed nobody waits for them any more
    for line in generate_puzzles(sys.argv[1], sys.argv[2], lambda: os.getppid() == parent):
        print(line, flush=True)  # noqa: T201  # that is what it is for
