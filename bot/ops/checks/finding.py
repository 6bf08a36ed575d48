"""Findings of checks: a line with a state and a remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["ok", "note", "wrong"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The state of one thing.

    note: works, but is worth knowing; wrong: does not work, or is not safe.
    """

    verdict: Verdict
    what: str
    said: str

    def __str__(self) -> str:
        return f"{self.verdict:6}{self.what}: {self.said}"


def ok(what: str, text: str) -> CheckResult:
    """Return a finding without a fault."""
    return CheckResult("ok", what, text)


def note(what: str, text: str) -> CheckResult:
    """Return a finding worth knowing, without a fault."""
    return CheckResult("note", what, text)


def wrong(what: str, text: str) -> CheckResult:
    """Return a finding with a fault and its remedy."""
    return CheckResult("wrong", what, text)
