"""SIGTERM and SIGINT: at any time, both end the program within a few seconds, with code 0.

Handles the process and the program's one task. The task cleans up when cancelled; cleanup unfinished at the time limit
is done at the next start. This module imports no module of the bot, to handle signals during the other imports.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

MAX_SHUTDOWN_SECONDS = 4.5  # seconds from the signal to the end of the process, even if a task hangs


class SignalHandler:
    """Handles the signals. asked: whether one has come.

    code: the exit code of a process ended by a signal. farewell: called once after the first signal.
    """

    def __init__(self) -> None:
        self.asked = False
        self.code = 0
        self.farewell: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._told, self._tell = os.pipe()

    def listen(self) -> None:
        """Handle the signals from now on."""
        threading.Thread(target=self._watch, name="stop", daemon=True).start()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._heard())

    def _watch(self) -> None:
        """Exit some time after the first signal.

        A signal handler must not start a thread, so this one waits.
        """
        os.read(self._told, 1)
        time.sleep(MAX_SHUTDOWN_SECONDS)
        self._leave()
        os._exit(self.code)

    def _leave(self) -> None:
        """Call the farewell, once."""
        farewell, self.farewell = self.farewell, lambda: None
        farewell()

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        self._leave()
        task.cancel()

    def _heard(self) -> None:
        if self.asked or self._loop is None or self._task is None or self._loop.is_closed():
            os._exit(self.code)  # a second signal, or one before or after the task: nothing to clean up
        self.asked = True
        os.write(self._tell, b".")
        self._loop.call_soon_threadsafe(self._cancel, self._task)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the program until its end or a signal. Raises the program's errors."""
        try:
            asyncio.run(self._as_task(work))
        except asyncio.CancelledError:
            if not self.asked:
                raise

    async def _as_task(self, work: Coroutine[Any, Any, None]) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        await work
