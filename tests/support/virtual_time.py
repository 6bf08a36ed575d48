"""An event loop whose time is simulated.

Without ready callbacks, time jumps to the next timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that never waits; no sockets and no threads."""

    _ready: Any
    _scheduled: Any

    def __init__(self) -> None:
        super().__init__()
        self._seconds = 0.0

    def time(self) -> float:
        """Return the simulated seconds since the loop was created."""
        return self._seconds

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self._seconds = max(self._seconds, self._scheduled[0].when())
        super()._run_once()  # type: ignore[misc]


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in simulated time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Run a test in simulated time."""

    @wraps(test)
    def simulated(*args: P.args, **how: P.kwargs) -> T:
        return run(test(*args, **how))

    return simulated
