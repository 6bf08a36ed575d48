"""Limits on how often an action is possible in a period; the store counts the uses (repositories/limits.py)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.domain.message_ids import N_

TOO_OFTEN = N_("That has been done often enough for now. You can do it again {when}.")


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of uses in a period, per user or per thing.

    kind: the name under which the store counts uses. refusal: the English message id for a use beyond the limit; its
    fields are {most} and {when}, the moment of the next possible use.
    """

    kind: str
    most: int
    within: timedelta
    refusal: str = TOO_OFTEN
