"""Finished matches as they leave: one, or many in two files that fit into a message.

Knows how much room there is. Refuses to know who may have them, and what Discord is.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.ground.cut import by_seat
from bot.ground.results import Finished
from bot.rules.exported import Exported, export, story
from bot.store.rows import TableRow
from bot.table.kept import record_of

ROOM = 4_500_000  # bytes of one file: Discord takes 10 MiB with a message, and there are two
MOST = 500  # matches at a time, since each is played out again


@dataclass(slots=True)
class Bundle:
    """Matches as JSON lines, and as text to read. room: bytes that each may have.

    gone: of how many matches nothing can be put in, because what was played in them is no longer kept.
    """

    room: int = ROOM
    lines: bytearray = field(default_factory=bytearray)
    told: bytearray = field(default_factory=bytearray)
    count: int = 0
    gone: int = 0

    def add(self, found: Exported, title: str) -> bool:
        """Put a match in, where there is still room for all of it; tell whether there was."""
        line = f"{found.to_line()}\n".encode()
        told = "\n".join([f"# {title}", *story(found), "", ""]).encode()
        if max(len(self.lines) + len(line), len(self.told) + len(told)) > self.room:
            return False
        self.lines += line
        self.told += told
        self.count += 1
        return True


async def leave(row: TableRow, match: Finished) -> Exported | None:
    """Return a match as it leaves, off the event loop; None where no hand of it was played to its end."""
    ended = match.outcome.standings
    names, places = tuple(one.name for one in ended), tuple(one.place for one in ended)
    return await asyncio.to_thread(lambda: export(record_of(row), names, places, by_seat(row.cuts, row.seats)))
