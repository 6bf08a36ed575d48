"""Films of whole records, as the store would give them a piece at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.ground.chair import Chair
from bot.ground.ids import TableId
from bot.rules.film import Film, Shot
from bot.rules.record import Record
from bot.show.layout import PrivateScreen
from bot.show.replay import Filmed, replay
from bot.show.words import Words


@dataclass(frozen=True)
class Whole:
    """A match that was filmed to its end."""

    record: Record
    filmed: Filmed

    @classmethod
    def of(cls, table: int, number: int, record: Record, chairs: Sequence[Chair], *, ended: bool = False) -> Whole:
        return cls(record, Filmed(TableId(table), number, record.game, tuple(chairs), Film.of(record, ended=ended)))

    @property
    def last(self) -> int:
        return self.filmed.film.last

    @property
    def deals(self) -> list[int]:
        return [each.step for each in self.filmed.film.openings]

    def shot(self, step: int) -> Shot:
        first, end = self.filmed.film.plies(step)
        return self.filmed.film.shot(step, self.record.steps[first:end])

    def screen(self, step: int, w: Words) -> PrivateScreen:
        return replay(self.filmed, self.shot(step), w)
