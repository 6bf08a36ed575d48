"""Which version this is. Reads what the project says of itself; knows nothing else."""

from __future__ import annotations

import tomllib
from functools import cache

from bot.paths import ROOT

PROJECT = ROOT / "pyproject.toml"


@cache
def version() -> str:
    """Return the version as the project has it, such as ``1.2.0``."""
    return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
