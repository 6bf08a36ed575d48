"""What a check has found: a line that says how it stands, and what to do.

Knows how a line is written. Refuses to know what is checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["ok", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing stands. note: it works, but should be known; wrong: it does not work, or is not safe."""

    verdict: Verdict
    what: str
    said: str

    def __str__(self) -> str:
        return f"{self.verdict:6}{self.what}: {self.said}"


def ok(what: str, said: str) -> Finding:
    """Return that something is in order."""
    return Finding("ok", what, said)


def note(what: str, said: str) -> Finding:
    """Return what should be known, though nothing is wrong."""
    return Finding("note", what, said)


def wrong(what: str, said: str) -> Finding:
    """Return what has to be put right, and how."""
    return Finding("wrong", what, said)
