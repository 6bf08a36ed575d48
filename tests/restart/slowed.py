"""``python -m tests.restart.slowed``: the program, whose long work takes its time and is shown often.

Each page that is read, each step of a migration and each result that is checked takes BOT_PAUSE seconds more.
"""

import asyncio
import os
import runpy
import sys
import time
from typing import Any

from bot.running import progress
from bot.store import copying, vacuuming
from bot.store.results import Results

PAUSE = float(os.environ["BOT_PAUSE"])
SLOW = os.environ.get("BOT_SLOW", "")


def slowed(owner: Any, name: str) -> None:
    """Let an asynchronous function begin later."""
    function = getattr(owner, name)

    async def later(*args: Any, **kwargs: Any) -> Any:
        await asyncio.sleep(PAUSE)
        return await function(*args, **kwargs)

    setattr(owner, name, later)


if __name__ == "__main__":
    progress.Logged.every = progress.Drawn.every = PAUSE / 4
    copying.PAGE = 200  # type: ignore[misc]
    vacuuming.LOOK_EVERY = PAUSE / 4  # type: ignore[misc]
    match SLOW:
        case "rows":
            slowed(copying, "rows")
        case "results":
            slowed(Results, "finished")
        case "ladders":
            slowed(Results, "reckon")
        case "steps":
            vacuum = progress.Shown.reach

            def reach(self: progress.Shown, done: int) -> None:
                vacuum(self, done)
                time.sleep(PAUSE)

            progress.Shown.reach = reach  # type: ignore[method-assign]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
    sys.exit()
