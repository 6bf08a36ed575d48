"""The longest time for which a callback blocked the event loop."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

MAX_BUSY_SECONDS = 0.06  # seconds that anything may keep the loop busy: playing out 40 hands in one go takes 0.08
CALLS_PER_SECOND = 2_500_000  # that a usual processor makes in a second, with all that is done between them
MAX_SLOWDOWN = 20.0  # how much longer the same may take on a machine that does much else


@contextmanager
def record_busy_seconds() -> Iterator[list[float]]:
    """Collect the processor seconds of each callback of an event loop in this thread.

    Measured by calls, equal on every machine; long single calls add a share of real time. Garbage collection
    is off.
    """
    took: list[float] = []
    run: Callable[[Any], None] = asyncio.Handle._run

    def timed(handle: Any) -> None:
        calls = 0

        def count(*_: Any) -> None:
            nonlocal calls
            calls += 1

        began = time.thread_time()
        sys.setprofile(count)
        try:
            run(handle)
        finally:
            sys.setprofile(None)
        took.append(
            max(calls / 2 / CALLS_PER_SECOND, (time.thread_time() - began) / MAX_SLOWDOWN)
        )  # each call is told twice

    gc.disable()
    try:
        with patch.object(asyncio.Handle, "_run", timed):
            yield took
    finally:
        gc.enable()
