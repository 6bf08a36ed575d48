"""``python -m tests.shards.fast_shards_bot``: one of several bots, on a Discord with faster limits.

The clock of the bot is BOT_AHEAD seconds ahead of the machine's. The bot renews its lease BOT_PART times per lease and
waits BOT_GAP seconds between two IDENTIFY frames; SIGUSR2 lets SKIPPED_TIME pass on its monotonic clock.
"""

import os
import runpy
import signal
import time
from datetime import datetime, timedelta, tzinfo

from bot.ops import serving
from bot.sharding import interactions, sessions
from bot.store.cluster import membership

ANSWER_WITHIN = float(os.environ.get("BOT_ANSWERS", "3"))  # seconds until a click counts as failed
CLOCK_OFFSET = timedelta(seconds=float(os.environ.get("BOT_AHEAD", "0")))
SKIPPED_TIME = timedelta(hours=3)


class OffsetClock(datetime):
    """A clock that is CLOCK_OFFSET ahead of the machine's."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + CLOCK_OFFSET


class SkippableClock:
    """A monotonic clock that can skip hours."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._skipped

    def skip(self, *_: object) -> None:
        self._skipped += SKIPPED_TIME.total_seconds()


if __name__ == "__main__":
    interactions.MAX_RESPONSE_SECONDS = ANSWER_WITHIN - 0.5  # seconds: the stand-in may wait longer than Discord
    sessions.IDENTIFY_INTERVAL = timedelta(seconds=float(os.environ["BOT_GAP"]))
    serving.datetime = OffsetClock  # type: ignore[attr-defined]
    membership.RENEWALS_PER_LEASE = int(os.environ["BOT_PART"])  # type: ignore[misc]
    membership.time = skippable = SkippableClock()  # type: ignore[assignment, attr-defined]
    signal.signal(signal.SIGUSR2, skippable.skip)
    runpy.run_module("tests.restart.fast_clock_bot", run_name="__main__", alter_sys=True)
