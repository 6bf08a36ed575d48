"""At which hours how many of those at a table have time, without telling of anybody what they keep to themselves.

Counted are whoever looks and those who let others see their hours, and nobody else, however many they are. For a number
in which somebody is contained who keeps theirs hidden tells them to whoever knows the rest of it: by taking away those
whose hours are shown, from what stood there before one of them was, or from the numbers of another table at which some
of the same people sit. A number that none of the hidden hours goes into tells nothing of them, whatever else is known.

Pure. Refuses to know who they are, and how it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.domain.working_hours import HOUR, Day

Row: TypeAlias = tuple[bool, ...]  # by hour of the viewer's day, whether somebody has time
HOURS = 24


@dataclass(frozen=True, slots=True)
class Together:
    """How many have time at each hour of a day.

    counted: of how many. hidden: how many keep theirs to themselves. silent: how many have said nothing.
    """

    count: tuple[int, ...]
    counted: int
    hidden: int
    silent: int

    @property
    def best(self) -> tuple[tuple[int, int], ...]:
        """The hours at which most have time, from and up to, the longest first; over midnight they go on."""
        most = max(self.count)
        there = [number == most for number in self.count]
        if all(there):
            return ((0, HOURS),)
        starts = [at for at in range(HOURS) if there[at] and not there[at - 1]]
        spans = [(at, next(end for end in range(at, at + HOURS) if not there[end % HOURS])) for at in starts]
        return tuple(sorted(spans, key=lambda span: span[0] - span[1]))


def row(day: Day, midnight: datetime) -> Row:
    """Return at which hours of a day that begins then somebody has time, for most of the hour."""
    return tuple(day.active(at, at + HOUR) > HOUR / 2 for at in (midnight + n * HOUR for n in range(HOURS)))


def together(own: Day, others: Sequence[Day], midnight: datetime) -> Together:
    """Return how many have time. own: of who looks. others: of everybody else who sits there."""
    said = [day for day in others if day.hours]
    counted = [own, *(day for day in said if day.shared)]
    rows = [row(day, midnight) for day in counted]
    count = tuple(sum(hour) for hour in zip(*rows, strict=True))
    return Together(count, len(counted), len(said) + 1 - len(counted), len(others) - len(said))
