"""What a database's error means, in a sentence for whoever runs the bot.

Knows SQLite's result codes; refuses to know which statement failed, so that no seed gets into a message.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

DAMAGED = (
    "The database {path} is damaged or not a database. Nothing was changed. "
    "Put a copy from the backups folder in its place, or move it away to begin anew."
)
READ_ONLY = (
    "The database {path} cannot be written: the file or its folder is read-only or belongs to somebody else. "
    "Give the bot the right to write there."
)
BUSY = "The database {path} is locked by another program. Close that program and try again."
FULL = "The disk is full: nothing more can be kept in {path}. Free some space; nothing was half written."
BROKEN = "The disk refused to read or write {path}. Check the disk; what was being written was not kept."
OTHER = "The database {path} refused an operation ({error}). Nothing of it was written."

SENTENCES = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_IOERR: BROKEN,
}


def is_locked(error: BaseException | None) -> bool:
    """Tell whether another program stands in the way: it may have gone a moment later."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def sentence(path: Path, error: BaseException | None) -> str:
    """Say what an ``error`` of the driver or the system means for the database at ``path``."""
    if isinstance(error, PermissionError):
        return READ_ONLY.format(path=path)
    if isinstance(error, OSError):
        return OTHER.format(path=path, error=error.strerror)
    code = getattr(error, "sqlite_errorcode", None)
    known = None if code is None else SENTENCES.get(code & 0xFF)  # the low byte is the primary code
    return (known or OTHER).format(path=path, error=error)
