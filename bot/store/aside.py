"""Changing one small note of a database from beside the bot that runs on it, which looks at it again by itself.

Knows the one table it touches. Refuses to know what stands in the note. Everything else in a database is for the one
process that holds it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bot.store import faults
from bot.store.errors import StoreError

PATIENCE = 5.0  # seconds to wait for the bot, which writes a few milliseconds at a time
NONE_YET = "There is no database yet: {path}. Start the bot once, then say it again."


def noted(path: Path, key: str) -> str | None:
    """Return what is remembered under a key. Raises StoreError."""
    found: str | None = None

    def look(value: str | None) -> None:
        nonlocal found
        found = value

    amend(path, key, look)
    return found


def amend(path: Path, key: str, change: Callable[[str | None], str | None]) -> None:
    """Put what the change makes of it in the place of what is remembered under a key; None leaves it as it is.

    Raises StoreError, and what the change raises: then nothing is written.
    """
    if not path.is_file():
        raise StoreError(NONE_YET.format(path=path))
    try:
        uri = f"{path.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)) as opened:
            opened.execute("BEGIN IMMEDIATE")
            row = opened.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
            changed = change(row[0] if row else None)
            if changed is not None:
                opened.execute("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)", (key, changed))
            opened.execute("COMMIT")
    except sqlite3.Error as error:
        raise StoreError(faults.sentence(path, error)) from error
