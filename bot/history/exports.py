"""Exports of finished matches: one match in a file, or many in two files.

The two files stay within Discord's size limit. Replaying a match with a hundred hands takes some tenths of a second, so
workers do the export. Access rights and the upload live elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from bot.domain.chairs import by_seat
from bot.domain.results import FinishedMatch
from bot.rules.matches.match_file import ExportedMatch, describe_match, export, faults
from bot.rules.matches.seal import Seal, seal
from bot.store.rows import TableRow
from bot.table.transcripts import Transcript, transcript_of

if TYPE_CHECKING:  # worker processes import this module, and need no database
    from bot.store.repositories.records import RecordRepository

MAX_FILE_BYTES = 4_500_000  # per file, two files per message: Discord accepts 10 MiB
MAX_MATCHES = 500  # per export, because of the replay of each match


@dataclass(slots=True, kw_only=True)
class Bundle:
    """Matches as JSON lines and as readable text. room: maximum bytes of each file.

    gone: the number of matches left out because their records no longer exist.
    """

    room: int = MAX_FILE_BYTES
    lines: bytearray = field(default_factory=bytearray)
    text: bytearray = field(default_factory=bytearray)
    count: int = 0
    gone: int = 0

    def add(self, line: bytes, text: bytes) -> bool:
        """Append a match to both files and return True, or False if a file has no room for it."""
        if max(len(self.lines) + len(line), len(self.text) + len(text)) > self.room:
            return False
        self.lines += line
        self.text += text
        self.count += 1
        return True


class ExportSource(NamedTuple):
    """A finished match on its way to a worker.

    points, places: by seat, as announced. words: of the cut.
    """

    transcript: Transcript
    names: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    words: tuple[str | None, ...] | None

    @classmethod
    async def read(cls, records: RecordRepository, row: TableRow, length: int, match: FinishedMatch) -> ExportSource:
        """Load a finished match with this number of steps. Raises StoreError."""
        ended = match.outcome.standings
        return cls(
            await transcript_of(records, row, length),
            tuple(one.name for one in ended),
            tuple(one.points for one in ended),
            tuple(one.place for one in ended),
            by_seat(row.cuts, row.seats),
        )

    def exported(self) -> ExportedMatch | None:
        """Return the exported match; None without a finished hand."""
        return export(self.transcript.record, self.names, self.places, self.words)


# Functions for workers: each replays a match, and returns None for a match without a finished hand.


def export_file(match: ExportSource) -> bytes | None:
    """Return the file of a match."""
    found = match.exported()
    return found.to_json().encode() if found else None


def export_line_and_text(match: ExportSource, title: str) -> tuple[bytes, bytes] | None:
    """Return a match as one JSON line and as readable text under a title."""
    found = match.exported()
    return line_and_text(found, title) if found else None


def line_and_text(found: ExportedMatch, title: str) -> tuple[bytes, bytes]:
    """Return an exported match as one JSON line and as readable text under a title."""
    return f"{found.to_line()}\n".encode(), "\n".join([f"# {title}", *describe_match(found), "", ""]).encode()


def verify_export(match: ExportSource) -> tuple[bool, Seal] | None:
    """Return whether a match agrees with its announced result, and its seal.

    The seal is the open one of the last finished deal. None without a finished hand.
    """
    found = match.exported()
    if found is None:
        return None
    last = found.record.replay()
    return not list(faults(replace(found, points=match.points))), seal(match.transcript.seed, last.deal, last.deal)
