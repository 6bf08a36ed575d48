"""Checks without Discord: settings, database, files, disk, and installed packages."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bot.ops.checks.finding import CheckResult, note, ok, wrong
from bot.paths import ROOT
from bot.runtime.store_address import DatabaseServer, warnings
from bot.settings import Settings, unknown_names
from bot.store.engine.deletion_ledger import FileDeletionLedger, ledger_path
from bot.store.engine.migration import newest_revision
from bot.store.errors import StoreError
from bot.store.postgres.opening import other_users, read_server_revision
from bot.store.sqlite import faults, files
from bot.store.sqlite.opening import revision_in
from bot.version import version as our_version

MEGABYTE = 1024 * 1024
LEAST_FREE = 100 * MEGABYTE


def machine(settings: Settings, env_file: Path) -> Iterator[CheckResult]:
    """Yield the findings about this machine."""
    yield from check_settings(settings)
    for warning in unknown_names(env_file):
        yield note("settings", warning)
    if isinstance(settings.database, Path):
        yield database(settings.database)
        yield deletions(settings.database)
    yield permissions(settings.copied, env_file)
    yield disk(settings.copied)


def check_settings(settings: Settings) -> Iterator[CheckResult]:
    """Yield the findings about valid settings."""
    changed = [name for name, given in settings.given().items() if given]
    yield ok("settings", f"{len(changed)} set, the rest by default" if changed else "all by default")
    if settings.sandbox:
        yield note("token", "none, so the bot opens the sandbox. For Discord set DISCORD_TOKEN in .env")
    elif not (settings.operator and settings.contact):
        yield wrong("operator", "the privacy policy names nobody. Set BIGGER_OPERATOR and BIGGER_CONTACT in .env")
    else:
        yield ok("operator", f"{settings.operator}, {settings.contact}")


def database(path: Path) -> CheckResult:
    """Return the finding about the database's integrity and version."""
    if not path.exists():
        return note("database", f"there's none yet; the first start creates it: {path}")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            return sound(path, opened)
    except sqlite3.Error as error:
        return wrong("database", faults.sentence(path, error))


def sound(path: Path, opened: sqlite3.Connection) -> CheckResult:
    """Return the finding about an open database, in the same sentences as a refused start."""
    if opened.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        return wrong("database", faults.DAMAGED.format(path=path))
    try:
        version = revision_in(opened, path)
    except StoreError as error:
        return wrong("database", str(error))
    if version is None:
        return note("database", f"it's still empty; the next start creates its tables: {path}")
    size = f"{path.stat().st_size / MEGABYTE:.1f} MB"
    if version == newest_revision():
        return ok("database", f"sound, schema {version}, {size}: {path}")
    return note("database", f"sound, schema {version}, {size}; the next start brings it up to {newest_revision()}")


def deletions(path: Path) -> CheckResult:
    """Return whether the list of deletions is readable."""
    try:
        return ok(
            "deletions", f"{len(FileDeletionLedger(ledger_path(path)).deletions)} on the list that outlasts copies"
        )
    except StoreError as error:
        return wrong("deletions", str(error))


def permissions(path: Path, env_file: Path) -> CheckResult:
    """Return whether other users of the machine can read the bot's files."""
    open_ = list(files.exposed_files(path)) if path.parent.is_dir() else []
    if os.name == "posix" and env_file.is_file() and env_file.stat().st_mode & files.OTHERS_PERMISSIONS:
        open_.append(env_file)
    if open_:
        named = " ".join(map(str, open_))
        return wrong("files", f"others on this machine can read {named}. Run: chmod go= {named}")
    folder = path.parent
    if (
        os.name == "posix"
        and folder.is_dir()
        and not files.is_own(folder, path)
        and stat.S_IMODE(folder.stat().st_mode) & files.OTHERS_PERMISSIONS
    ):
        return note("files", f"others can see which files are in {folder}. A folder of its own would be better")
    return ok("files", "nobody else on this machine can read them")


def disk(path: Path) -> CheckResult:
    """Return whether the disk has room for new data, and for a copy of the present data."""
    folder = next(parent for parent in path.absolute().parents if parent.is_dir())
    if not os.access(folder, os.W_OK):
        return wrong("disk", f"the bot can't write to the folder {folder}. Give its user the right to")
    if path.exists() and not os.access(path, os.W_OK):
        return wrong("disk", f"the bot can't write to the file {path}. Give its user the right to")
    free, size = shutil.disk_usage(folder).free, path.stat().st_size if path.exists() else 0
    text = f"{free / MEGABYTE:,.0f} MB free"
    if free < max(LEAST_FREE, 2 * size):
        return wrong("disk", f"{text} at {folder}. Free some space: nothing can be stored once it's full")
    return ok("disk", text)


OTHERS = (
    "other users of that server may connect to it: {names}. They can read nothing, but they can hold a lock for which "
    "every bot waits. Run there: REVOKE CONNECT ON DATABASE ... FROM PUBLIC"
)


async def server(database: DatabaseServer) -> list[CheckResult]:
    """Return the findings about the address, the database and its users."""
    unused = [note("address", warning) for warning in warnings(database.connection_string)]
    users = await others(database)
    return [*unused, await reached(database), *([users] if users else [])]


async def reached(database: DatabaseServer) -> CheckResult:
    """Return the finding about the connection and the schema's version."""
    try:
        version = await read_server_revision(database)
    except StoreError as error:
        return wrong("database", str(error))
    if version is None:
        return note("database", f"it's still empty; the first start creates its tables: {database}")
    if version != newest_revision():
        return note(
            "database", f"reached, schema {version}; the next start brings it up to {newest_revision()}: {database}"
        )
    return ok("database", f"reached, schema {version}: {database}")


async def others(database: DatabaseServer) -> CheckResult | None:
    """Return the finding about other users with access to the database.

    Returns None if there are none, or without a connection.
    """
    try:
        names = await other_users(database)
    except StoreError:
        return None
    return note("database users", OTHERS.format(names=", ".join(names))) if names else None


CONSTRAINTS = ROOT / "constraints.txt"
PINNED = re.compile(r"(?m)^([\w.-]+)==([\w.]+)")
MEND = "Run make run, which installs them"


def versions() -> Iterator[CheckResult]:
    """Yield the finding about the installed versions."""
    text = f"Bigger {our_version()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    others = [
        f"{name} {there} instead of {wanted}"
        for name, wanted in PINNED.findall(CONSTRAINTS.read_text("utf-8"))
        if (there := _installed(name)) not in (None, wanted)
    ]
    if others:
        yield note("versions", f"{text}; not what it's tested with: {', '.join(others)}. {MEND}")
    else:
        yield ok("versions", f"{text}, all packages as tested")


def _installed(name: str) -> str | None:
    """Return the version of a package, None if not installed.

    A missing required package stops the program anyway.
    """
    try:
        return version(name)
    except PackageNotFoundError:
        return None
