"""How long the tests against one fault may take: in seconds of processors, so that a busy machine finds as much."""

from __future__ import annotations

import os
import time

SECONDS = 60.0  # of processors: this process and those it has started
LONGEST = 300.0  # by the clock on the wall, for tests that wait


class Budget:
    """The time from now on."""

    def __init__(self) -> None:
        self._spent, self._since = spent(), time.monotonic()

    def over(self) -> bool:
        """Tell whether it is up."""
        return spent() - self._spent > SECONDS or time.monotonic() - self._since > LONGEST


def spent() -> float:
    """Return the processor seconds of this process and of its ended children."""
    return sum(os.times()[:4])
