"""SIGTERM and SIGINT: from the first line of the program to its last, both end it within a few seconds, with code 0.

Knows the process, and the one task that is the program once it runs. Refuses to know what has to be put in order:
whoever runs the task does that when it is cancelled, and whatever is not done when the time is up is done at the next
start. Loads nothing, so that it can listen before anything else is loaded.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

LIMIT = 4.5  # seconds from the signal to the end, whatever still hangs then


class Stop:
    """Hears the signals. asked: whether one has come.

    code: the exit code of a process that ends by a signal. farewell: called once when the first signal comes.
    """

    def __init__(self) -> None:
        self.asked = False
        self.code = 0
        self.farewell: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._told, self._tell = os.pipe()

    def listen(self) -> None:
        """Hear the signals from now on."""
        threading.Thread(target=self._watch, name="stop", daemon=True).start()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._heard())

    def _watch(self) -> None:
        """End the process some time after the first signal: a handler must not start a thread, so this one waits."""
        os.read(self._told, 1)
        time.sleep(LIMIT)
        self._leave()
        os._exit(self.code)

    def _leave(self) -> None:
        """Say the farewell, once."""
        farewell, self.farewell = self.farewell, lambda: None
        farewell()

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        self._leave()
        task.cancel()

    def _heard(self) -> None:
        if self.asked or self._loop is None or self._task is None or self._loop.is_closed():
            os._exit(
                self.code
            )  # a second signal, or one while there is nothing yet, or nothing any more, to put in order
        self.asked = True
        os.write(self._tell, b".")
        self._loop.call_soon_threadsafe(self._cancel, self._task)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the program until it ends by itself or by a signal; what it raises is raised."""
        try:
            asyncio.run(self._as_task(work))
        except asyncio.CancelledError:
            if not self.asked:
                raise

    async def _as_task(self, work: Coroutine[Any, Any, None]) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        await work
