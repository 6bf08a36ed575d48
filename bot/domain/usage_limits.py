"""How often something may be done within a while: values that the store counts by (bot/store/limits.py)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

OFTEN = "That has been done often enough for now. You can do it again {when}."


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many uses within a span of time, of each person or of each thing.

    kind: the name under which the store counts the uses. refusal: the English message id for a use that is too many;
    {most} and {when}, the moment from which another use is possible, fill its fields.
    """

    kind: str
    most: int
    within: timedelta
    refusal: str = OFTEN
