"""A word that somebody has put on top of the seed before the first card. Refuses to know what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.ids import UserId


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
