"""The files of a database: their owner's permissions, copies, journals and snapshots."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bot.runtime.progress import stage
from bot.runtime.tasks import start_awaited
from bot.store.errors import StoreError
from bot.store.sqlite import faults

log = logging.getLogger(__name__)

BACKUPS = "backups"  # the folder for copies, in the folder of the database
WORKSPACE = "new-"  # the name prefix of a folder for an unfinished copy
ABANDONED_AFTER = 24 * 60 * 60  # seconds
OTHERS_PERMISSIONS = stat.S_IRWXG | stat.S_IRWXO
SYSTEM_FOLDER_PARTS = 2  # the number of parts of a path such as /srv, which is shared even if empty
DATE = re.compile(r"-(20\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])")  # in the name of a copy
DATABASE = re.compile(r".+\.db(-\w+)?")
MENDED = "Others on this machine could read {files}. That's fixed: now only the bot's own user can."
NOT_MENDED = "Others on this machine can read {files}, and that can't be fixed from here. Run: chmod go= {files}"
MOVED = "The database has moved from {old} to {new}, a folder of its own that only the bot's user can look into."
NOT_MOVED = "The database {old} can't be moved to {path} ({why}). Give the bot the right to, or move it yourself."
IN_USE = "A running bot still uses the database {old}. Stop it first; then this one takes the database over."


def database_files(path: Path) -> Iterator[Path]:
    """Yield the existing files of a database, including its copies."""
    yield from path.parent.glob(f"{_literal(path.name)}*")
    yield from path.parent.joinpath(BACKUPS).glob(f"{_literal(path.stem)}-*")


def _literal(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


def is_own(folder: Path, path: Path) -> bool:
    """Tell whether a folder holds nothing but the database, and is not a folder of the system."""
    if len(folder.parts) <= SYSTEM_FOLDER_PARTS or folder.stat().st_mode & stat.S_ISVTX:
        return False
    names = {entry.name for entry in folder.iterdir()} - {BACKUPS}
    return all(DATABASE.fullmatch(name) or name.startswith(path.name) for name in names)


def exposed_files(path: Path) -> tuple[Path, ...]:
    """Return the files and own folders of a database with permissions for other users."""
    if os.name != "posix":
        return ()
    folders = [path.parent] if path.parent.is_dir() and is_own(path.parent, path) else []
    folders += [folder for folder in (path.parent / BACKUPS,) if folder.is_dir()]
    return tuple(found for found in (*folders, *database_files(path)) if _mode(found) & OTHERS_PERMISSIONS)


def _mode(path: Path) -> int:
    """Return the mode of a file, 0 for a file that has gone and for a link to nothing."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return 0


def restrict_to_owner(path: Path) -> None:
    """Restrict the files of a database to the bot's user.

    Log the files that were open to others.
    """
    mended, left = list[Path](), list[Path]()
    for found in exposed_files(path):
        try:
            found.chmod(stat.S_IMODE(found.stat().st_mode) & ~OTHERS_PERMISSIONS)
        except OSError:
            left.append(found)
        else:
            mended.append(found)
    for sentence, files in ((MENDED, mended), (NOT_MENDED, left)):
        if files:
            log.warning(sentence.format(files=" ".join(map(str, files))))


def move_old_database(old: Path, new: Path) -> None:
    """Move a database from the location of earlier versions, unless a new one exists.

    Raises StoreError if the old one is in use.
    """
    if new.exists() or not old.is_file():
        return
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        merge_journal_if_unused(old)
        for copy in copies(old):
            new.parent.joinpath(BACKUPS).mkdir(exist_ok=True)
            copy.replace(new.parent / BACKUPS / copy.name)
        old.replace(new)
    except sqlite3.Error as error:
        raise StoreError(faults.sentence(old, error)) from error
    except OSError as error:
        raise StoreError((faults.of_disk(error) or NOT_MOVED).format(path=new, old=old, why=error.strerror)) from error
    old.with_name(f"{old.name}-lock").unlink(missing_ok=True)
    log.warning(MOVED.format(old=old, new=new))


def merge_journal_if_unused(path: Path) -> None:
    """Merge the journal of an unused database into its file.

    Raises StoreError if the database is in use.
    """
    try:
        with closing(sqlite3.connect(lock_of(path), timeout=0)) as held:
            held.execute("BEGIN EXCLUSIVE")
            with closing(sqlite3.connect(path, timeout=0)) as database:
                database.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if faults.is_locked(error):
            raise StoreError(IN_USE.format(old=path)) from error
        raise


def lock_of(path: Path) -> Path:
    """Return the path of a database's lock file, the same for a symbolic link as for its file."""
    real = Path(os.path.realpath(path))
    return real.with_name(f"{real.name}-lock")


@contextmanager
def workspace(folder: Path) -> Iterator[Path]:
    """Create a folder for writing a copy, deleted at the end. May raise OSError.

    A day later it also deletes the remains of a killed process.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.glob(f"{WORKSPACE}*/"):
        if time.time() - left.stat().st_mtime > ABANDONED_AFTER:
            shutil.rmtree(left, ignore_errors=True)
    with TemporaryDirectory(dir=folder, prefix=WORKSPACE, ignore_cleanup_errors=True) as made:
        yield Path(made)


def copies(path: Path) -> tuple[Path, ...]:
    """Return the copies of a database, the oldest first.

    The copies of `bigger-test.db` are not those of `bigger.db`: a date in a name follows the name of the database.
    """
    found = path.parent.joinpath(BACKUPS).glob(f"{_literal(path.stem)}-*")
    return tuple(sorted((copy for copy in found if _is_copy_of(path, copy)), key=lambda one: one.name))


def _is_copy_of(path: Path, copy: Path) -> bool:
    date = DATE.search(copy.name.removeprefix(path.stem))
    return date is None or not date.start()


def end_copies(path: Path, since: datetime) -> None:
    """Delete the copies older than ``since``, dated by their name or else by their file."""
    for copy in copies(path):
        if copy_date(copy) < since:
            copy.unlink(missing_ok=True)
            log.info("The copy %s is older than copies are kept, and is deleted", copy.name)


def copy_date(copy: Path) -> datetime:
    """Return the date of a copy: the one in its name, else that of the file."""
    if found := DATE.search(copy.stem):
        with suppress(ValueError):  # a day such as February 30
            year, month, day = map(int, found.groups())
            return datetime(year, month, day, tzinfo=UTC)
    return datetime.fromtimestamp(copy.lstat().st_mtime, UTC)  # a link to nothing has a time as well


LOOK_EVERY: Final = 0.2  # seconds
SIZE: Final = (
    "SELECT page_size * (page_count - freelist_count) FROM pragma_page_size, pragma_page_count, pragma_freelist_count"
)
KILOBYTE: Final = 1024


async def vacuum_into(source: Path, target: Path, name: str) -> None:
    """Write a copy of a database into a new file.

    name: of the progress stage. Raises sqlite3.Error. Cancelling stops the copy at once; the caller deletes the partial
    file.
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
