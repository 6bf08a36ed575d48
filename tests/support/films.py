"""Films of whole records, as the store would give them a piece at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.chairs import Chair
from bot.domain.ids import TableId
from bot.rules.matches.record import Record
from bot.rules.matches.replay import Film, Shot
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import Words
from bot.show.matches.replay import Filmed, Frame, replay


@dataclass(frozen=True)
class Whole:
    """A match that was filmed to its end."""

    record: Record
    filmed: Filmed
    _hands: dict[int, tuple[Shot, ...]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, table: int, number: int, record: Record, chairs: Sequence[Chair], *, ended: bool = False) -> Whole:
        return cls(
            record,
            Filmed(
                table=TableId(table),
                number=number,
                game=record.game,
                chairs=tuple(chairs),
                film=Film.of(record, ended=ended),
            ),
        )

    @property
    def last(self) -> int:
        return self.filmed.film.last

    @property
    def deals(self) -> list[int]:
        return [each.step for each in self.filmed.film.openings]

    def hand(self, deal: int) -> tuple[Shot, ...]:
        if deal not in self._hands:
            first, end = self.filmed.film.plies(deal)
            self._hands[deal] = self.filmed.film.shots(deal, self.record.steps[first:end])
        return self._hands[deal]

    def shot(self, step: int) -> Shot:
        return [shot for shot in self.hand(self.filmed.film.deal_of(step)) if shot.step <= step][-1]

    def screen(self, step: int, w: Words, seat: int | None = None) -> PrivateScreen:
        shot = self.shot(step)
        return replay(self.filmed, Frame(shot, self.hand(shot.match.deal - 1), seat), w)
