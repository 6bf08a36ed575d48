"""Transcripts: records of matches as plain values for workers, loaded page by page.

A page has some hundred steps. Other users of the store get their turn between two pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bot.games import GAMES
from bot.rules.core.asks import read_action, write_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Openings, Record
from bot.store.rows import MatchStep, TableRow

if TYPE_CHECKING:  # worker processes import this module, and need no database
    from bot.store.repositories.records import RecordRepository

PAGE_STEPS: Final = 500  # steps
MIN_FOR_WORKER: Final = 1_000  # steps from which on a worker replays a match: some 20 ms of a core


class Transcript(NamedTuple):
    """A record in plain values.

    rules: the version of the rules. moves: seats and their actions, in stored form.
    """

    game: str
    preset: str
    seed: str
    options: Mapping[str, Any]
    rules: int
    moves: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, row: TableRow, steps: Iterable[MatchStep]) -> Transcript:
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
        return Record(
            GAMES[self.game], self.preset, seed=self.seed, options=self.options, steps=steps, version=self.rules
        )


async def transcript_of(records: RecordRepository, row: TableRow, length: int) -> Transcript:
    """Load the transcript of a match with this number of steps. Raises StoreError."""
    steps = list[MatchStep]()
    for first in range(0, length, PAGE_STEPS):
        steps += await records.steps(row.id, first, min(first + PAGE_STEPS, length))
    return Transcript.of(row, steps)


# Functions for workers


def replay_transcript(transcript: Transcript) -> Match:
    """Return the match after its last action. Raises Illegal for an illegal action."""
    return transcript.record.replay()


def write_openings(transcript: Transcript) -> str:
    """Return the openings of a match's hands, in the format of `Openings`."""
    return Openings.of(replay_transcript(transcript)).written()
