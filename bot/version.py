"""The version of the bot, read from the project's metadata."""

from __future__ import annotations

import tomllib
from functools import cache

from bot.paths import ROOT

PROJECT = ROOT / "pyproject.toml"


@cache
def version() -> str:
    """Return the project's version, such as ``1.2.0``."""
    return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
