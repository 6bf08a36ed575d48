"""Output on the terminal: any text in any encoding, and the progress of long work."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
import time
import unicodedata
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from datetime import timedelta
from typing import Any, ClassVar

from bot.runtime.progress import ProgressDisplay

JOINERS = "\u200c\u200d"  # valid inside words of some scripts, and between emoji


def printable(line: str) -> str:
    """Return a line with escape codes in place of characters that act on the terminal.

    Such characters move the cursor, or change the colour or direction of the text.
    """
    return "".join(character if _is_printable(character) else _code(character) for character in line)


def _is_printable(character: str) -> bool:
    return character.isprintable() or character in JOINERS or unicodedata.category(character) == "Zs"


def _code(character: str) -> str:
    return character.encode("unicode_escape").decode()


def write_any_text() -> None:
    """Write characters outside of the terminal's encoding as codes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(OSError):  # the stream was replaced by a pipe
                stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Discard all further output: the reader of the pipe, such as `head`, has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


log = logging.getLogger(__name__)

BAR = "{desc}: {percentage:3.0f} %|{bar}| {n:,}/{total:,} {unit}, {elapsed} gone, {remaining} left"

WIDTH, ROWS = 80, 20  # of a terminal of unknown size


@dataclass(slots=True)
class Stage:
    """A stage of long work. began: by the monotonic clock."""

    name: str
    total: int
    unit: str
    _: KW_ONLY
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        """Describe the stage in a line, with its progress and the time gone and left.

        An example is "copying: 34,000 of 120,000 rows (28 %), 0:00:12 gone, 0:00:31 left".
        """
        gone = time.monotonic() - self.began
        done, total = min(self.done, self.total), self.total
        left = f", {_span(gone * (total - done) / done)} left" if done else ""
        share = f" ({100 * done // total} %)" if total else ""
        return f"{self.name}: {done:,} of {total:,} {self.unit}{share}, {_span(gone)} gone{left}"


def _span(seconds: float) -> timedelta:
    return timedelta(seconds=round(seconds))


class PeriodicDisplay(ProgressDisplay, ABC):
    """Shows the innermost stage at regular intervals until closed.

    every: the interval in seconds.
    """

    every: ClassVar[float]

    def __init__(self) -> None:
        super().__init__()
        self.stages = list[Stage]()
        self._lock, self._closed = threading.RLock(), threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, name: str, total: int, unit: str) -> None:
        """Begin a stage."""
        with self._lock:
            self.stages.append(Stage(name, total, unit))
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="progress", daemon=True)
                self._thread.start()

    def reach(self, done: int) -> None:
        """Update the completed amount of the innermost stage."""
        if self.stages:
            self.stages[-1].done = done

    def end(self) -> None:
        """End the innermost stage."""
        with self._lock:
            self.stages.pop()
            self.clear()

    def close(self) -> None:
        """Show nothing more."""
        self._closed.set()
        with self._lock:
            self.clear()

    def _watch(self) -> None:
        while not self._closed.wait(self.every):
            with self._lock:
                if self.stages and not self._closed.is_set():
                    self.show(self.stages[-1])

    @abstractmethod
    def show(self, stage: Stage) -> None:
        """Show the state of a stage."""

    def clear(self) -> None:
        """Remove the display of an ended stage."""


class LogDisplay(PeriodicDisplay):
    """Writes lines into the log."""

    every = 10.0

    def show(self, stage: Stage) -> None:
        """Write a line."""
        log.info("%s", stage)


class BarDisplay(PeriodicDisplay):
    """Draws a bar on a terminal."""

    every = 0.2

    def __init__(self) -> None:
        super().__init__()
        self._bar: Any = None

    def show(self, stage: Stage) -> None:
        """Draw or redraw the bar."""
        if self._bar is None:
            self._bar = _bar(stage)
        self._bar.n, self._bar.ncols = min(stage.done, stage.total), _columns()
        self._bar.refresh()

    def clear(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _bar(stage: Stage) -> Any:
    from tqdm.std import tqdm  # noqa: PLC0415  # loaded only for drawing

    tqdm.monitor_interval = 0  # no monitor thread
    bar = tqdm(
        desc=stage.name,
        total=stage.total,
        unit=stage.unit,
        file=sys.stderr,
        leave=False,
        ncols=_columns(),
        nrows=ROWS,
        bar_format=BAR,
    )
    bar.start_t -= time.monotonic() - stage.began
    return bar


def _columns() -> int:
    """Return the width of the terminal; some terminals report none."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or WIDTH
    except OSError:
        return WIDTH


def shown() -> PeriodicDisplay:
    """Return the display of progress for this process: a bar on a terminal, else log lines."""
    if sys.stderr.isatty():
        return BarDisplay()
    log.setLevel(logging.INFO)  # also for commands that otherwise log errors only
    return LogDisplay()
