"""A digest of the sources of bot and tests.

Recorded results of other sources are discarded.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("bot", "cogs", "data", "tests")
SOURCE_SUFFIXES = {
    ".py",
    ".json",
    ".jsonl",
    ".md",
    ".po",
    ".toml",
    ".txt",
}  # sources, and what they read; no database of games


def digest(*words: str) -> str:
    """Return a file name derived from some words and all sources."""
    told = hashlib.blake2s(repr(words).encode(), digest_size=8)
    files = (
        path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SOURCE_SUFFIXES
    )
    for path in (ROOT / "pyproject.toml", *files):
        told.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return told.hexdigest()
