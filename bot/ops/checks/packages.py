"""Checks the installed versions of packages against the tested ones."""

from __future__ import annotations

import platform
import re
import sqlite3
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from bot.ops.checks.finding import CheckResult, note, ok
from bot.paths import ROOT
from bot.version import version as our_version

CONSTRAINTS = ROOT / "constraints.txt"
PINNED = re.compile(r"(?m)^([\w.-]+)==([\w.]+)")
MEND = "Say: make run, which installs them"


def versions() -> Iterator[CheckResult]:
    """Yield the finding about the installed versions."""
    said = f"Bigger {our_version()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    others = [
        f"{name} {there} instead of {wanted}"
        for name, wanted in PINNED.findall(CONSTRAINTS.read_text("utf-8"))
        if (there := _installed(name)) not in (None, wanted)
    ]
    if others:
        yield note("versions", f"{said}; not what it is tested with: {', '.join(others)}. {MEND}")
    else:
        yield ok("versions", f"{said}, and all packages as they are tested")


def _installed(name: str) -> str | None:
    """Return the version of a package, None if not installed; a missing required package stops the program anyway."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
