"""The data of a lobby: the words with which players cut the cards, and the latest change of the terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.domain.ids import UserId
from bot.domain.pace import Pace


@dataclass(frozen=True, slots=True)
class Cut:
    """A player's word for the cut. seat: the player's seat after the deal, before the deal when the word was given."""

    user: UserId
    seat: int
    word: str = field(repr=False)


def by_seat(cuts: Sequence[Cut], seats: int) -> tuple[str | None, ...]:
    """Return the words by seat, None for seats without a word."""
    given = {cut.seat: cut.word for cut in cuts}
    return tuple(given.get(seat) for seat in range(seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The latest change of a lobby's terms: its author and time, and the terms before."""

    by: UserId
    name: str
    at: datetime
    preset: str
    options: Mapping[str, Any]
    pace: Pace
