"""Replays of whole records, without a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.chairs import Chair
from bot.domain.ids import TableId
from bot.rules.matches.record import Record
from bot.rules.matches.replay import Playback, Snapshot
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import Words
from bot.show.matches.replay import ReplayScene, ReplayStep, replay


@dataclass(frozen=True)
class FullReplay:
    """A match replayed to its end."""

    record: Record
    replayed: ReplayScene
    _hands: dict[int, tuple[Snapshot, ...]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, table: int, number: int, record: Record, chairs: Sequence[Chair], *, ended: bool = False) -> FullReplay:
        return cls(
            record,
            ReplayScene(
                table=TableId(table),
                number=number,
                game=record.game,
                chairs=tuple(chairs),
                playback=Playback.of(record, ended=ended),
            ),
        )

    @property
    def last(self) -> int:
        return self.replayed.playback.last

    @property
    def deals(self) -> list[int]:
        return [each.step for each in self.replayed.playback.openings]

    def hand(self, deal: int) -> tuple[Snapshot, ...]:
        if deal not in self._hands:
            first, end = self.replayed.playback.plies(deal)
            self._hands[deal] = self.replayed.playback.snapshots(deal, self.record.steps[first:end])
        return self._hands[deal]

    def snapshot(self, step: int) -> Snapshot:
        return [snapshot for snapshot in self.hand(self.replayed.playback.deal_of(step)) if snapshot.step <= step][-1]

    def screen(self, step: int, w: Words, seat: int | None = None) -> PrivateScreen:
        snapshot = self.snapshot(step)
        return replay(self.replayed, ReplayStep(snapshot, self.hand(snapshot.match.deal - 1), seat=seat), w)
