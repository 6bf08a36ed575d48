"""The record of a match as workers get it: in plain values, read from the store a few hundred steps at a time.

Whoever else needs the store meanwhile has it in between. Refuses to know what a record is needed for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from bot.games import GAMES
from bot.ground.ids import TableId
from bot.rules.actions import read_action, write_action
from bot.rules.match import Match
from bot.rules.openings import Openings
from bot.rules.record import Record
from bot.store.rows import Step, TableRow

PAGE_STEPS: Final = 500  # steps
MIN_FOR_WORKER: Final = 1_000  # steps from which on a match is played out by a worker: some 20 ms of a core


class StepStore(Protocol):
    """What this needs of a store."""

    async def steps(self, table: TableId, first: int, end: int) -> tuple[Step, ...]:
        """Return the steps from one ply up to another."""
        ...


class Transcript(NamedTuple):
    """A record in plain values. rules: their version. moves: seats and their actions, as they are kept."""

    game: str
    preset: str
    seed: str
    options: Mapping[str, Any]
    rules: int
    moves: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, row: TableRow, steps: Iterable[Step]) -> Transcript:
        """Return the transcript of a row's match with these steps."""
        moves = tuple((step.seat, step.action) for step in steps)
        return cls(row.game, row.preset, row.seed, row.options, row.rules, moves)

    @classmethod
    def of_record(cls, record: Record) -> Transcript:
        """Return the transcript of a record."""
        moves = tuple((seat, write_action(action)) for seat, action in record.steps)
        return cls(record.known.name, record.preset, record.seed, record.options, record.version, moves)

    @property
    def record(self) -> Record:
        """The record."""
        steps = tuple((seat, read_action(action)) for seat, action in self.moves)
        return Record(GAMES[self.game], self.preset, self.seed, self.options, steps, self.rules)


async def transcript_of(store: StepStore, row: TableRow, length: int) -> Transcript:
    """Read the transcript of a match of so many steps. Raises StoreError."""
    steps = list[Step]()
    for first in range(0, length, PAGE_STEPS):
        steps += await store.steps(row.id, first, min(first + PAGE_STEPS, length))
    return Transcript.of(row, steps)


# What workers do


def replay_transcript(transcript: Transcript) -> Match:
    """Return the match after its last action. Raises Illegal where one is not legal."""
    return transcript.record.replay()


def write_openings(transcript: Transcript) -> str:
    """Return where the hands of a match begin, as `Openings` writes it."""
    return Openings.of(replay_transcript(transcript)).written()
