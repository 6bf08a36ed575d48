"""What is said again and again in a log is said once, and how often more a minute later.

Knows when two messages are the same. Refuses to know what they say and how they are written.
"""

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
class Said:
    """A message that was written. more: how often it came again since then."""

    record: logging.LogRecord
    at: float
    more: int = 0


class Repeats(logging.Filter):
    """Lets of the same messages one pass in a minute. write: writes what is said of the others."""

    def __init__(self, write: Callable[[logging.LogRecord], None], now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._write, self._now = write, now
        self._said: OrderedDict[Hashable, Said] = OrderedDict()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message is new; count it where it is not."""
        error = type(record.exc_info[1]) if record.exc_info else None
        same = record.name, record.levelno, record.getMessage(), error
        with self._lock:
            self.tell()
            if said := self._said.get(same):
                said.more += 1
                self._come_back()
                return False
            self._said[same] = Said(record, self._now())
            return True

    def tell(self, *, all_: bool = False) -> None:
        """Write how often those came again whose minute is over, or all; then they are new once more."""
        with self._lock:
            while self._said and (all_ or next(iter(self._said.values())).at <= self._now() - MINUTE):
                _, said = self._said.popitem(last=False)
                if said.more:
                    self._write(_summed(said))

    def _come_back(self) -> None:
        """Look again in a minute, should nothing be logged until then."""
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(MINUTE + 1, self.tell)
            self._timer.daemon = True
            self._timer.start()


def _summed(said: Said) -> logging.LogRecord:
    """Return a message with how often it came: put together of the same parts, so that its table can be told."""
    record, args = copy(said.record), said.record.args
    whole = isinstance(args, tuple) and bool(args)
    record.msg = f"{record.msg if whole else record.getMessage().replace('%', '%%')}{MORE}"
    record.args = (*(args if whole and isinstance(args, tuple) else ()), said.more)
    record.exc_info = record.exc_text = record.stack_info = None
    return record
