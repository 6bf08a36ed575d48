"""The progress of long work: its stages, and the message to an operator who interrupts it.

No screen and no log are used here: the process sets in `PROGRESS` where progress is shown; by default nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Reach: TypeAlias = Callable[[int], None]  # reports the completed amount of a stage, in its unit


class ProgressDisplay:
    """Shows the progress of long work; this class shows nothing. Stages may be nested.

    farewell: the sentence for an operator who interrupts the work: the saved results, and how to resume. "" outside of
    work.
    """

    def __init__(self) -> None:
        self.farewell = ""

    def begin(self, name: str, total: int, unit: str) -> None:
        """Begin a stage. total: its size in this unit; an estimate is allowed."""

    def reach(self, done: int) -> None:
        """Update the completed amount of the innermost stage."""

    def end(self) -> None:
        """End the innermost stage."""


PROGRESS: ContextVar[ProgressDisplay] = ContextVar("progress", default=ProgressDisplay())  # noqa: B039  # the default shows nothing


@contextmanager
def stage(name: str, total: int, unit: str) -> Iterator[Reach]:
    """Show a stage of long work; yields the function that reports its progress."""
    progress = PROGRESS.get()
    progress.begin(name, total, unit)
    try:
        yield progress.reach
    finally:
        progress.end()


def adding(reach: Reach, done: int = 0) -> Reach:
    """Return a function that reports further pieces of a stage.

    done: the amount before the first of them.
    """

    def add(more: int) -> None:
        nonlocal done
        done += more
        reach(done)

    add(0)
    return add


@contextmanager
def interruptible(farewell: str) -> Iterator[None]:
    """Set the sentence for an operator who interrupts this part of the work."""
    progress = PROGRESS.get()
    before, progress.farewell = progress.farewell, farewell
    try:
        yield
    finally:
        progress.farewell = before
