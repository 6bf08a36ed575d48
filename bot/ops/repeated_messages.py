"""Writes a repeated log message once, and a minute later the number of its repetitions."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from copy import copy
from dataclasses import dataclass
from time import monotonic

MINUTE = 60.0  # seconds
MORE = " (%d more within a minute)"


@dataclass(slots=True)
class LoggedMessage:
    """A written message. more: the number of its repetitions since then."""

    record: logging.LogRecord
    at: float
    more: int = 0


class Repeats(logging.Filter):
    """Lets one of equal messages pass per minute. write: writes the summaries of the others."""

    def __init__(self, write: Callable[[logging.LogRecord], None], now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._write, self._now = write, now
        self._said: OrderedDict[Hashable, LoggedMessage] = OrderedDict()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message is new; count a repeated message."""
        error = type(record.exc_info[1]) if record.exc_info else None
        same = record.name, record.levelno, record.getMessage(), error
        with self._lock:
            self.tell()
            if said := self._said.get(same):
                said.more += 1
                self._come_back()
                return False
            self._said[same] = LoggedMessage(record, self._now())
            return True

    def tell(self, *, all_: bool = False) -> None:
        """Write the counts of messages whose minute is over, or of all; these messages are new afterwards."""
        with self._lock:
            while self._said and (all_ or next(iter(self._said.values())).at <= self._now() - MINUTE):
                _, said = self._said.popitem(last=False)
                if said.more:
                    self._write(_summed(said))

    def _come_back(self) -> None:
        """Start a timer for the counts, in case no further message is logged."""
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(MINUTE + 1, self.tell)
            self._timer.daemon = True
            self._timer.start()


def _summed(said: LoggedMessage) -> logging.LogRecord:
    """Return a message with its count, built from the original parts, so that its table is still recognised."""
    record, args = copy(said.record), said.record.args
    whole = isinstance(args, tuple) and bool(args)
    record.msg = f"{record.msg if whole else record.getMessage().replace('%', '%%')}{MORE}"
    record.args = (*(args if whole and isinstance(args, tuple) else ()), said.more)
    record.exc_info = record.exc_text = record.stack_info = None
    return record
