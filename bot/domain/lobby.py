"""What a lobby remembers: the words with which players cut the cards, and the last change of the terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.domain.ids import UserId
from bot.domain.pace import Pace


@dataclass(frozen=True, slots=True)
class Cut:
    """Whose word; seat: where they sit once the cards are dealt, before that where they sat when they gave it."""

    user: UserId
    seat: int
    word: str = field(repr=False)


def by_seat(cuts: Sequence[Cut], seats: int) -> tuple[str | None, ...]:
    """Return the words by seat, None where there is none."""
    given = {cut.seat: cut.word for cut in cuts}
    return tuple(given.get(seat) for seat in range(seats))


@dataclass(frozen=True, slots=True)
class Revision:
    """The last change of what people agree to in a lobby: who made it, when, and what held before it."""

    by: UserId
    name: str
    at: datetime
    preset: str
    options: Mapping[str, Any]
    pace: Pace
