"""``python -m tests.shards.quick``: the hurried bot, one of several, for a Discord that lets one identify sooner.

Its clock is BOT_AHEAD seconds ahead of that of the machine.
"""

import os
import runpy
from datetime import datetime, timedelta, tzinfo

from bot.running import serving
from bot.sharing import crossing, sessions

OVERLOADED = float(os.environ["BOT_ANSWERS"])
AHEAD = timedelta(seconds=float(os.environ.get("BOT_AHEAD", "0")))


class Ahead(datetime):
    """A clock that is ahead."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + AHEAD


if __name__ == "__main__":
    crossing.FRESH = OVERLOADED - 1  # seconds: here people wait for longer than on Discord
    sessions.GAP = timedelta(seconds=float(os.environ["BOT_GAP"]))
    serving.datetime = Ahead  # type: ignore[attr-defined]
    runpy.run_module("tests.restart.hurried", run_name="__main__", alter_sys=True)
