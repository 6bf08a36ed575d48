"""``python -m tests.restart.slow_work_bot``: the program, with slow long-running work and frequent progress.

BOT_SLOW names the slow part: each page read, migration step, checked result or few instructions of an SQLite copy takes
BOT_PAUSE seconds longer.
"""

import asyncio
import os
import runpy
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

from bot.ops import terminal
from bot.store.copies import row_transfer
from bot.store.repositories.leaderboards import LeaderboardRepository
from bot.store.repositories.results import ResultRepository
from bot.store.sqlite import files

PAUSE = float(os.environ["BOT_PAUSE"])
SLOW = os.environ.get("BOT_SLOW", "")
INSTRUCTIONS = 10  # of SQLite between two pauses


def slow_down(owner: Any, name: str) -> None:
    """Delay each call of an asynchronous function."""
    function = getattr(owner, name)

    async def later(*args: Any, **kwargs: Any) -> Any:
        await asyncio.sleep(PAUSE)
        return await function(*args, **kwargs)

    setattr(owner, name, later)


if __name__ == "__main__":
    terminal.LogDisplay.every = terminal.BarDisplay.every = PAUSE
    row_transfer.PAGE = 200  # type: ignore[misc]
    files.LOOK_EVERY = PAUSE / 4  # type: ignore[misc]
    match SLOW:
        case "rows":
            slow_down(row_transfer, "rows")
        case "results":
            slow_down(ResultRepository, "finished")
        case "ladders":
            slow_down(LeaderboardRepository, "compute_entries")
        case "vacuum":
            given = files.open_read_only

            def opened(path: Path) -> sqlite3.Connection:
                database = given(path)
                database.set_progress_handler(lambda: time.sleep(PAUSE), INSTRUCTIONS)
                return database

            files.open_read_only = opened
        case "steps":
            reached = terminal.PeriodicDisplay.reach

            def reach(self: terminal.PeriodicDisplay, done: int) -> None:
                reached(self, done)
                time.sleep(PAUSE)

            terminal.PeriodicDisplay.reach = reach  # type: ignore[method-assign]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
    sys.exit()
