"""The progress of long work: its stages, and what the operator is told who ends it now.

Knows no screen and no log: the process chooses in `PROGRESS` where progress is shown, and nowhere is the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Progress:
    """Shows the progress of long work; this class shows nothing.

    farewell: the sentence for an operator who ends the work now: what is kept, and how to resume. "" outside of work.
    """

    def __init__(self) -> None:
        self.farewell = ""

    def begin(self, name: str, total: int, unit: str) -> None:
        """Begin a stage. total: its size in this unit; an estimate is allowed."""

    def reach(self, done: int) -> None:
        """Show how much of the stage is done, in its unit."""

    def end(self) -> None:
        """End the stage."""


PROGRESS: ContextVar[Progress] = ContextVar("progress", default=Progress())  # noqa: B039  # its default shows nothing


@contextmanager
def stage(name: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """Show a stage of long work; yields the function that reports how much of the total is done."""
    progress = PROGRESS.get()
    progress.begin(name, total, unit)
    try:
        yield progress.reach
    finally:
        progress.end()


def on_interrupt(farewell: str) -> None:
    """Choose the sentence for an operator who ends the work from now on."""
    PROGRESS.get().farewell = farewell
