"""Error messages of a database file, as sentences for the operator.

Maps SQLite's result codes. A sentence never holds the failed statement, which might contain a seed.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from errno import EDQUOT, ENOSPC, EROFS
from pathlib import Path

DAMAGED = (
    "The database {path} is damaged or not a database. Nothing was changed. "
    "Put a copy from the backups folder in its place, or move it away to start over."
)
READ_ONLY = (
    "The database {path} can't be written: the file or its folder is read-only or belongs to someone else. "
    "Give the bot the right to write there."
)
READ_ONLY_DISK = (
    "The disk with {path} is read-only. Make it writable, or choose another place: BIGGER_DATABASE. "
    "Nothing was changed."
)
BUSY = "The database {path} is locked by another program. Close that program and try again."
FULL = "The disk is full: nothing more can be stored in {path}. Free some space; nothing was half written."
BROKEN = "The disk refused to read or write {path}. Check the disk; what was being written wasn't stored."
OTHER = "The database {path} refused an operation ({error}). None of it was written."

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


LEAST_FREE = 64 * 1024  # bytes; below, SQLite may report an I/O error, since it maps a file in memory


def is_locked(error: BaseException | None) -> bool:
    """Tell whether another program holds a lock; a retry may succeed."""
    return primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damaged(error: BaseException | None) -> bool:
    """Tell whether a file is damaged or no database."""
    return primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def primary_code(error: BaseException | None) -> int:
    """Return SQLite's primary result code of an error, SQLITE_OK for any other error."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF  # the low byte


def sentence(path: Path, error: BaseException | None) -> str:
    """Return the sentence for an ``error`` of the driver or system, with the file ``path``."""
    if isinstance(error, OSError):
        known = of_disk(error) or (READ_ONLY if isinstance(error, PermissionError) else OTHER)
        return known.format(path=path, error=error.strerror)
    found = SENTENCES.get(primary_code(error))
    if found in {READ_ONLY, BROKEN}:
        found = _of_place(path) or found
    return (found or OTHER).format(path=path, error=error)


def of_disk(error: OSError) -> str | None:
    """Return the sentence for a full or read-only disk; None for other errors."""
    return {ENOSPC: FULL, EDQUOT: FULL, EROFS: READ_ONLY_DISK}.get(error.errno or 0)


def _of_place(path: Path) -> str | None:
    """Return the sentence for a full or read-only disk.

    Returns None for other disks, and if the system does not answer.
    """
    try:
        if shutil.disk_usage(path.parent).free < LEAST_FREE:
            return FULL
        read_only = sys.platform != "win32" and os.statvfs(path.parent).f_flag & os.ST_RDONLY
    except OSError:
        return None
    return READ_ONLY_DISK if read_only else None
