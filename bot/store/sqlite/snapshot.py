"""Copies of a database file, written by SQLite itself while other programs may use the file.

`VACUUM INTO` writes one snapshot, which includes the journal and omits deleted rows.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.runtime.progress import stage
from bot.runtime.tasks import start_awaited

LOOK_EVERY: Final = 0.2  # seconds
SIZE: Final = (
    "SELECT page_size * (page_count - freelist_count) FROM pragma_page_size, pragma_page_count, pragma_freelist_count"
)
KILOBYTE: Final = 1024


async def vacuum_into(source: Path, target: Path, name: str) -> None:
    """Write a copy of a database into a new file. name: of the progress stage. Raises sqlite3.Error.

    Cancelling stops the copy at once; the caller deletes the partial file.
    """
    with closing(open_read_only(source)) as database:
        (size,) = await asyncio.to_thread(lambda: database.execute(SIZE).fetchone())
        writing = start_awaited(asyncio.to_thread(database.execute, "VACUUM INTO ?", (str(target),)))
        with stage(name, size // KILOBYTE, "KB") as reach:
            try:
                while not (await asyncio.wait({writing}, timeout=LOOK_EVERY))[0]:
                    reach(min(size_of(target), size) // KILOBYTE)
            except asyncio.CancelledError:
                database.interrupt()
                await asyncio.gather(writing, return_exceptions=True)
                raise
            reach(size // KILOBYTE)
        await writing


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a database for reading."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)


def size_of(path: Path) -> int:
    """Return the size of a file in bytes, 0 for a missing one."""
    return path.stat().st_size if path.exists() else 0
