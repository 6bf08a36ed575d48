"""How long the event loop was kept busy in one go: as long nobody else was answered."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

LONGEST = 0.05  # seconds that anything may keep the loop busy


@contextmanager
def busy() -> Iterator[list[float]]:
    """Collect how many seconds of the processor each callback of an event loop took in this thread.

    As in timeit no garbage is collected meanwhile: how long that takes is up to all that the tests have in memory.
    """
    took: list[float] = []
    run: Callable[[Any], None] = asyncio.Handle._run

    def timed(handle: Any) -> None:
        began = time.thread_time()
        run(handle)
        took.append(time.thread_time() - began)

    gc.collect()
    gc.disable()
    try:
        with patch.object(asyncio.Handle, "_run", timed):
            yield took
    finally:
        gc.enable()
