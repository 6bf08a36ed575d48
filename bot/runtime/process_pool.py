"""Child processes that call functions.

They are started on demand, ended when idle, and killed when they hang. A child gets neither the token nor any address:
its environment contains only variables that Python needs, and its input only the arguments of calls. The caller decides
how many calls run at the same time.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Self, TypeVar

from bot.paths import ROOT
from bot.runtime.child_process import HEAD, framed
from bot.runtime.tasks import RunningTasks

T = TypeVar("T")

NEEDED: Final = ("PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "SYSTEMROOT")  # environment: no token, no address
STARTS: Final = 30.0  # seconds for a child to get ready, even on a busy machine
# On Windows: Ctrl-C in the bot's terminal does not end its children, and they run with lower priority.
if sys.platform == "win32":
    APART: Final = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
else:
    APART: Final = 0
IDLE: Final = 60.0  # seconds


class ChildEnded(Exception):  # named after the event
    """A child has ended."""


class ChildHung(ChildEnded):
    """A child has not answered in time, and was killed."""


class CallFailed(Exception):
    """A function has raised an error in a child: its traceback, as text."""


def environment() -> dict[str, str]:
    """Return the environment of a child."""
    return {name: value for name in NEEDED if (value := os.environ.get(name))}


class Child:
    """A child process."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._calls, self._answers = process, process.stdin, process.stdout
        self.ending: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls, *words: str) -> Self:
        """Start a child, and wait until it is ready.

        words: arguments of the child's ``main``. Raises ChildEnded.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot.runtime.child_process",
                *words,
                cwd=ROOT,
                env=environment(),
                stdin=PIPE,
                stdout=PIPE,
                start_new_session=True,
                creationflags=APART,
            )
        except OSError as error:
            raise ChildEnded(f"cannot be started ({error.strerror})") from error
        child = cls(process)
        try:
            async with asyncio.timeout(STARTS):
                await child._hear()
        except BaseException as error:
            child.kill()
            await child.gone()
            raise ChildEnded("did not begin") if isinstance(error, TimeoutError) else error from error
        return child

    async def call(self, framed_call: bytes) -> Any:
        """Return the result of a call. Raises ChildEnded, CallFailed."""
        try:
            self._calls.write(framed_call)
            await self._calls.drain()
        except OSError as error:
            raise ChildEnded("has ended") from error
        result, failed = await self._hear()
        if failed:
            raise CallFailed(failed)
        return result

    async def _hear(self) -> Any:
        try:
            [length] = HEAD.unpack(await self._answers.readexactly(HEAD.size))
            return pickle.loads(await self._answers.readexactly(length))  # noqa: S301  # sent by our own child
        except (OSError, EOFError) as error:
            raise ChildEnded("has ended") from error

    def kill(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self.process.kill()

    async def gone(self) -> None:
        """Wait for the end of the process, and close its pipes.

        On its own, asyncio closes the pipes only after reading their ends.
        """
        await self.process.wait()
        self.process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  # no public way exists


class Pool:
    """Child processes of one kind.

    modules: imported before the first call, to make that call as fast as later ones. nice: the children's niceness, up
    to 19. idle: seconds until a child without work ends.
    """

    def __init__(self, *modules: str, nice: int, idle: float = IDLE) -> None:
        self._words = (str(nice), *modules)
        self.idle = idle
        self.all = set[Child]()
        self._idle = list[Child]()
        self._starting, self._ending = RunningTasks(), RunningTasks()

    async def call(self, limit: float, function: Callable[..., T], *args: object) -> T:
        """Return the result of a module's function for picklable arguments, called in a child.

        limit: seconds until the child is killed. Raises CallFailed with the traceback of an error, ChildEnded if the
        child ends, ChildHung after the limit. A cancelled caller kills the child.
        """
        framed_call = framed((function, args))
        child = await self._idle_or_new()
        try:
            async with asyncio.timeout(limit):
                result: T = await child.call(framed_call)
        except TimeoutError:
            self._end(child)
            raise ChildHung("does not answer") from None
        except CallFailed:
            self._rest(child)
            raise
        except BaseException:
            self._end(child)
            raise
        self._rest(child)
        return result

    async def _idle_or_new(self) -> Child:
        """Return an idle child, or a new one. Raises ChildEnded.

        A child whose caller was cancelled during its start serves the next caller.
        """
        while self._idle:
            child = self._idle.pop()
            if child.ending:
                child.ending.cancel()
            if child.process.returncode is None:
                return child
            self._end(child)  # killed from outside meanwhile
        starting = self._starting.begin_awaited(self._started())
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._rest_late)
            raise

    async def _started(self) -> Child:
        child = await Child.start(*self._words)
        self.all.add(child)
        return child

    def _rest_late(self, starting: asyncio.Task[Child]) -> None:
        if not starting.cancelled() and starting.exception() is None:
            self._rest(starting.result())

    def _rest(self, child: Child) -> None:
        self._idle.append(child)
        child.ending = asyncio.get_running_loop().call_later(self.idle, self._end, child)

    def _end(self, child: Child) -> None:
        self.all.discard(child)
        if child in self._idle:
            self._idle.remove(child)
        child.kill()
        self._ending.begin(child.gone())

    async def close(self) -> None:
        """Kill all children, and wait for their end."""
        self._starting.stop()
        for child in tuple(self.all):
            if child.ending:
                child.ending.cancel()
            self._end(child)
        await self._starting.ended()
        await self._ending.ended()
