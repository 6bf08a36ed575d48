"""``python -m tests.shards.fast_shards_bot``: one of several fast bots, on a Discord with faster identifies.

Its clock is BOT_AHEAD seconds ahead of that of the machine. It renews its lease BOT_PART times while that lasts, and
takes HOURS to have passed when it gets SIGUSR2.
"""

import os
import runpy
import signal
import time
from datetime import datetime, timedelta, tzinfo

from bot.ops import serving
from bot.sharding import interactions, sessions
from bot.store.cluster import membership

ANSWERS = float(os.environ.get("BOT_ANSWERS", "3"))  # seconds for which people wait
AHEAD = timedelta(seconds=float(os.environ.get("BOT_AHEAD", "0")))
HOURS = timedelta(hours=3)


class Ahead(datetime):
    """A clock that is ahead."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + AHEAD


class Passing:
    """Seconds that never go back, but may go by all at once."""

    def __init__(self) -> None:
        self._passed = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._passed

    def pass_hours(self, *_: object) -> None:
        self._passed += HOURS.total_seconds()


if __name__ == "__main__":
    interactions.MAX_RESPONSE_SECONDS = ANSWERS - 0.5  # seconds: here people may wait for longer than on Discord
    sessions.IDENTIFY_INTERVAL = timedelta(seconds=float(os.environ["BOT_GAP"]))
    serving.datetime = Ahead  # type: ignore[attr-defined]
    membership.RENEWALS_PER_LEASE = int(os.environ["BOT_PART"])  # type: ignore[misc]
    membership.time = passing = Passing()  # type: ignore[assignment, attr-defined]
    signal.signal(signal.SIGUSR2, passing.pass_hours)
    runpy.run_module("tests.restart.fast_clock_bot", run_name="__main__", alter_sys=True)
