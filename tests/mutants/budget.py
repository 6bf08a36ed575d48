"""The time limit of the tests against one mutation, in CPU seconds, so that a busy machine finds as much."""

from __future__ import annotations

import os
import time

MAX_CPU_SECONDS = 60.0  # of this process and its children
MAX_WALL_SECONDS = 300.0  # for tests that wait


class Budget:
    """The time from now on."""

    def __init__(self) -> None:
        self._spent, self._since = cpu_seconds(), time.monotonic()

    def is_over(self) -> bool:
        """Whether the time is over."""
        return cpu_seconds() - self._spent > MAX_CPU_SECONDS or time.monotonic() - self._since > MAX_WALL_SECONDS


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its ended children."""
    return sum(os.times()[:4])
