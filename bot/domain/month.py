"""A month of a year, by the clock of a zone: as it is written, when it begins and ends, and the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import MINYEAR, UTC, datetime, tzinfo
from typing import NamedTuple, Self

WRITTEN = re.compile(r"([1-9]\d{3})-(0[1-9]|1[0-2])")


class Month(NamedTuple):
    """A month. number: from 1."""

    year: int
    number: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the month that ``str`` has written. Raises ValueError for anything else."""
        found = WRITTEN.fullmatch(text.strip())
        if found is None:
            raise ValueError(text)
        return cls(int(found[1]), int(found[2]))

    @classmethod
    def of(cls, moment: datetime, zone: tzinfo = UTC) -> Self:
        """Return the month in which a moment lies."""
        local = moment.astimezone(zone)
        return cls(local.year, local.month)

    def __str__(self) -> str:
        return f"{self.year:04}-{self.number:02}"

    def later(self, months: int) -> Month:
        """Return the month so many months later, or with a negative number earlier."""
        year, number = divmod(self.year * 12 + self.number - 1 + months, 12)
        return Month(year, number + 1)

    def span(self, zone: tzinfo = UTC) -> tuple[datetime, datetime]:
        """Return when it begins, and when the next one does."""
        begins, ends = (datetime(*month, 1, tzinfo=zone).astimezone(UTC) for month in (self, self.later(1)))
        return begins, ends

    def back_to(self, first: Month) -> Iterator[Month]:
        """Yield the months from this one back to another."""
        month = self
        while month >= first and month.year > MINYEAR:
            yield month
            month = month.later(-1)
