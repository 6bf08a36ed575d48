"""A bot in its own process, which a test can start, stop and kill repeatedly."""

import asyncio
import os
from typing import Self

from tests.standin.fork_server import ForkedProcess
from tests.standin.interactions import Interaction
from tests.standin.realm import WAIT_LIMIT
from tests.standin.world import World

TROUBLE_WORDS = (" ERROR ", " CRITICAL ", "Traceback", "never retrieved", "was destroyed but it is pending")
MAX_TRACEBACK_LINES = 40  # lines


class BotProcess:
    """A bot process that runs ``module`` as the main program against ``world``.

    ``env`` is added to the environment; house players act at once unless it says otherwise. ``async with
    BotProcess(world, env=...) as bot`` starts the process, and kills it at the end.
    """

    def __init__(self, world: World, module: str = "bot", *arguments: str, env: dict[str, str] | None = None) -> None:
        self._world = world
        self._command = ("tests.standin.run", module, *arguments)
        self._env = {"BIGGER_HOUSE_DELAY_SECONDS": "0"} | (env or {})
        self._process: ForkedProcess | None = None
        self._reader: asyncio.Task[None] | None = None
        self.generation = 0
        self.lines: list[str] = []
        self.unanswered: list[Interaction] = []  # received, but unanswered at a regular end

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill9()

    @property
    def output(self) -> str:
        """The output of all runs, standard error included."""
        return "\n".join(self.lines)

    @property
    def troubles(self) -> list[str]:
        """The lines of the output that report an error."""
        return [line for line in self.lines if any(word in line for word in TROUBLE_WORDS)]

    @property
    def tracebacks(self) -> list[str]:
        """The first lines of each traceback in the output.

        An assertion about the whole output of a long trial would cost pytest gigabytes to explain.
        """
        starts = (number for number, line in enumerate(self.lines) if "Traceback" in line)
        return ["\n".join(self.lines[start : start + MAX_TRACEBACK_LINES]) for start in starts]

    @property
    def running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.returncode is None

    @property
    def ended(self) -> bool:
        """Whether the process was started and has ended."""
        return self._process is not None and not self.running

    @property
    def pid(self) -> int:
        """The id of the running process."""
        return self._running().pid

    async def start(self, timeout: float = WAIT_LIMIT) -> None:  # noqa: ASYNC109 - as asyncio.wait_for
        """Start the bot and wait until its gateway session exists. Raises RuntimeError with the output on failure."""
        await self.begin()
        try:
            await self._world.until(lambda: self._connected() or not self.running, timeout)
        except TimeoutError:
            await self.kill9()
        if not self._connected():
            await self.wait()
            raise RuntimeError(f"the bot did not connect:\n{self.output}")

    async def begin(self) -> None:
        """Start the process without waiting."""
        if self.running:
            raise RuntimeError("it is running")
        env = {**os.environ, **self._world.environment(), **self._env}
        self.generation = self._world.generation
        self._process = await ForkedProcess.start(*self._command, env=env)
        self._reader = asyncio.create_task(self._read(self._process))

    async def kill9(self) -> None:
        """Kill the process with SIGKILL, if running."""
        if self.running:
            self._running().kill()
        await self.wait()

    async def stop(self, timeout: float = WAIT_LIMIT) -> int:  # noqa: ASYNC109 - as asyncio.wait_for
        """Send SIGTERM, wait for the end, and return the exit code."""
        self._running().terminate()
        return await asyncio.wait_for(self.wait(), timeout)

    async def wait(self) -> int:
        """Wait for the end and return the exit code, negative for a signal."""
        if self._process is None or self._reader is None:
            raise RuntimeError("it was never started")
        code = await self._process.wait()
        await self._reader
        if code == 0:
            self.unanswered += self._world.unanswered(self.generation)
        self._world.abandon(self.generation)
        return code

    def _connected(self) -> bool:
        return any(session.generation == self.generation for session in self._world.gateway.all_live())

    def _running(self) -> ForkedProcess:
        if self._process is None or self._process.returncode is not None:
            raise RuntimeError(f"it does not run:\n{self.output}")
        return self._process

    async def _read(self, process: ForkedProcess) -> None:
        async for line in process.output:
            self.lines.append(line.decode(errors="replace").rstrip())
