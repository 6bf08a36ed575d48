"""Finished matches as they leave: one, or many in two files that fit into a message.

A match of a hundred hands takes some tenths of a second, so workers do it. Knows how much room there is. Refuses to
know who may have them, and what Discord is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.ground.cut import by_seat
from bot.ground.results import Finished
from bot.rules.exported import Exported, export, faults, story
from bot.rules.seal import Seal, seal
from bot.store.rows import TableRow
from bot.table.transcripts import StepStore, Transcript, transcript_of

MAX_FILE_BYTES = 4_500_000  # bytes of one file: Discord takes 10 MiB with a message, and there are two
MAX_MATCHES = 500  # matches at a time, since each is played out again


@dataclass(slots=True)
class Bundle:
    """Matches as JSON lines, and as text to read. room: bytes that each may have.

    gone: of how many matches nothing can be put in, because what was played in them is no longer kept.
    """

    room: int = MAX_FILE_BYTES
    lines: bytearray = field(default_factory=bytearray)
    told: bytearray = field(default_factory=bytearray)
    count: int = 0
    gone: int = 0

    def add(self, line: bytes, told: bytes) -> bool:
        """Put a match in as both, where there is still room for all of it; tell whether there was."""
        if max(len(self.lines) + len(line), len(self.told) + len(told)) > self.room:
            return False
        self.lines += line
        self.told += told
        self.count += 1
        return True


class ExportSource(NamedTuple):
    """A finished match as a worker gets it. points, places: by seat, as they were announced. words: of the cut."""

    transcript: Transcript
    names: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    words: tuple[str | None, ...] | None

    @classmethod
    async def read(cls, store: StepStore, row: TableRow, length: int, match: Finished) -> ExportSource:
        """Read a finished match of so many steps. Raises StoreError."""
        ended = match.outcome.standings
        return cls(
            await transcript_of(store, row, length), tuple(one.name for one in ended),
            tuple(one.points for one in ended), tuple(one.place for one in ended), by_seat(row.cuts, row.seats),
        )  # fmt: skip

    def exported(self) -> Exported | None:
        """Return the match as it leaves; None where no hand of it was played to its end."""
        return export(self.transcript.record, self.names, self.places, self.words)


# What workers do: each plays a match out, and returns None where no hand of it was played to its end.


def export_file(match: ExportSource) -> bytes | None:
    """Return the file of a match."""
    found = match.exported()
    return found.to_json().encode() if found else None


def export_line_and_text(match: ExportSource, title: str) -> tuple[bytes, bytes] | None:
    """Return a match as a line of JSON, and as text to read under a title."""
    found = match.exported()
    return line_and_text(found, title) if found else None


def line_and_text(found: Exported, title: str) -> tuple[bytes, bytes]:
    """Return a match as both."""
    return f"{found.to_line()}\n".encode(), "\n".join([f"# {title}", *story(found), "", ""]).encode()


def verify_export(match: ExportSource) -> tuple[bool, Seal] | None:
    """Return whether a match is as it was announced, and what is open of its last deal played to its end."""
    found = match.exported()
    if found is None:
        return None
    last = found.record.replay()
    return not list(faults(replace(found, points=match.points))), seal(match.transcript.seed, last.deal, last.deal)
