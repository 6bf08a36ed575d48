"""How long house players take: as long as people do, so that each action is seen, and its time tells nothing.

Drawn from one distribution at live tables and from a shorter one at all others, whatever is held, played or passed, and
however long a house player thinks: see `HousePlayers`. Refuses to know what is played.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final

RANDOM: Final = SystemRandom()
# In delays of house players; with the usual delay of 1.9 seconds these are 1.3 to 2.5, and 0.8 to 1.5 seconds.
MIN_DELAY, MAX_DELAY = 1.3 / 1.9, 2.5 / 1.9  # at live tables
MIN_OTHER_DELAY, MAX_OTHER_DELAY = 0.8 / 1.9, 1.5 / 1.9
# How long a premove waits: longer than a house player, and less than until a silent player is called, so that no call
# tells who had premoved nothing.
MIN_PREMOVE_DELAY, MAX_PREMOVE_DELAY = 1.6, 4.5
OPEN_QUESTION_DELAYS: Final = (
    5  # delays that a question stays open to all players where the table answers for some of them
)


class HouseDelay:
    """When house players act at a table."""

    def __init__(self) -> None:
        self._moment = -1
        self._due: datetime | None = None

    def wait(self, moment: int, now: datetime, delay: float, *, live: bool = True) -> float:
        """Return the seconds from now until a house player acts: one draw for each moment of a match.

        So secret answers do not move the time. A draw that has passed (the table was paused, a substitute took over)
        is replaced by a new draw. moment: the number of public actions so far. delay: the mean in seconds at live
        tables, 0 where no time is to be taken.
        """
        if self._due is None or moment != self._moment or self._due <= now:
            least, most = (MIN_DELAY, MAX_DELAY) if live else (MIN_OTHER_DELAY, MAX_OTHER_DELAY)
            self._moment, self._due = moment, now + timedelta(seconds=delay * RANDOM.uniform(least, most))
        return (self._due - now).total_seconds()


def seconds_left_open(since: datetime, now: datetime, delay: float) -> float:
    """Return the seconds until those are answered for who have nothing to decide, of a question put to several.

    The same time from the beginning, whoever has. since: when they were asked.
    """
    return max(0.0, OPEN_QUESTION_DELAYS * delay - (now - since).total_seconds())
