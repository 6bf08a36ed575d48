"""``python -m tests.restart.slow_work_bot``: the program, whose long work takes its time and is shown often.

Each page that is read, each step of a migration, each result that is checked and every few instructions of a copy that
SQLite makes take BOT_PAUSE seconds more.
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
INSTRUCTIONS = 10  # of SQLite's, between two pauses


def slowed(owner: Any, name: str) -> None:
    """Let an asynchronous function begin later."""
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
            slowed(row_transfer, "rows")
        case "results":
            slowed(ResultRepository, "finished")
        case "ladders":
            slowed(LeaderboardRepository, "compute_entries")
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
