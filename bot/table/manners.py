"""How long house players take at a live table: like people, so that one sees what each does, and nothing more by it.

Drawn from one distribution, whatever is held, played or passed, and however long somebody thought. Refuses to know what
is played.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final

DICE: Final = SystemRandom()
LEAST, MOST = 1.3 / 1.9, 2.5 / 1.9  # delays of house players: between 1.3 and 2.5 seconds by the usual one
PATIENCE: Final = 5  # delays that a question stays open to all where some are answered for


class Manners:
    """When house players act at a table."""

    def __init__(self) -> None:
        self._moment = -1
        self._due: datetime | None = None

    def wait(self, moment: int, now: datetime, delay: float) -> float:
        """Return the seconds from now until one acts: drawn once for all that happens before all see the next action.

        So nobody can tell from it whether somebody else has answered in secret. moment: what all have seen so far.
        delay: seconds that they take on average; 0 where nobody looks on.
        """
        if self._due is None or moment != self._moment:
            self._moment, self._due = moment, now + timedelta(seconds=delay * DICE.uniform(LEAST, MOST))
        return max(0.0, (self._due - now).total_seconds())


def open_to_all(since: datetime, now: datetime, delay: float) -> float:
    """Return the seconds until those are answered for who have nothing to decide, of a question put to several.

    The same time from the beginning, whoever has. since: when they were asked.
    """
    return max(0.0, PATIENCE * delay - (now - since).total_seconds())
