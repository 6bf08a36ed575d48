"""How fast a table is, and when something happens at it by itself. Refuses to know how long anything takes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

Pace: TypeAlias = Literal["live", "slow", "none"]


@dataclass(frozen=True, slots=True)
class Deadline:
    """When something happens to a table if nobody acts, and when those awaited are reminded once (None: never).

    shut_out: since when this turn waits for somebody who could not see the table then; kept once they are back.
    """

    at: datetime
    remind_at: datetime | None = None
    reminded: bool = False
    shut_out: datetime | None = None

    @property
    def next(self) -> datetime:
        """The next moment at which the clock has something to do."""
        return self.at if self.remind_at is None or self.reminded else self.remind_at
