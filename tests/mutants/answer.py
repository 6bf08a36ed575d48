"""What a process that runs tests answers to the one that has started it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Answer:
    """How many tests were run, which failed first, and why."""

    run: int = 0
    failed: str = ""
    why: str = ""
