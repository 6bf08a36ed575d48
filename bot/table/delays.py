"""The delays of house players: similar to a person's, so that actions stay visible and their time reveals nothing.

Live tables draw from one distribution, other tables from a shorter one, regardless of cards, action and thinking time:
see `HousePlayers`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final

RANDOM: Final = SystemRandom()
# As multiples of the mean delay: with the usual 1.9 seconds, 1.3 to 2.5 seconds, and 0.8 to 1.5 elsewhere.
MIN_DELAY, MAX_DELAY = 1.3 / 1.9, 2.5 / 1.9  # at live tables
MIN_OTHER_DELAY, MAX_OTHER_DELAY = 0.8 / 1.9, 1.5 / 1.9
# The delay of a premove: longer than a house player's, shorter than until a silent player's reminder, so that no
# reminder reveals a missing premove.
MIN_PREMOVE_DELAY, MAX_PREMOVE_DELAY = 1.6, 4.5
OPEN_QUESTION_DELAYS: Final = (
    5  # delays that a question stays open to all players where the table answers for some of them
)


class HouseDelay:
    """The time of the next house action at a table."""

    def __init__(self) -> None:
        self._moment = -1
        self._due: datetime | None = None

    def wait(self, moment: int, now: datetime, delay: float, *, live: bool = True) -> float:
        """Return the seconds from now until a house player acts: one draw per moment of a match.

        A secret answer never moves the time. After a pause or a substitution, a new draw replaces a past one. moment:
        the number of public actions so far. delay: the mean in seconds at live tables, 0 for no delay.
        """
        if self._due is None or moment != self._moment or self._due <= now:
            least, most = (MIN_DELAY, MAX_DELAY) if live else (MIN_OTHER_DELAY, MAX_OTHER_DELAY)
            self._moment, self._due = moment, now + timedelta(seconds=delay * RANDOM.uniform(least, most))
        return (self._due - now).total_seconds()


def seconds_left_open(since: datetime, now: datetime, delay: float) -> float:
    """Return the seconds until the table answers for players without a choice, of a simultaneous question.

    The same for every player. since: the start of the question.
    """
    return max(0.0, OPEN_QUESTION_DELAYS * delay - (now - since).total_seconds())
