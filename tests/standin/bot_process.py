"""A bot in a process of its own that a test may kill and start again.

Knows how to start, stop and kill it and what it printed. Refuses to know what the bot does.
"""

import asyncio
import os
from typing import Self

from tests.standin.fork_server import Ready
from tests.standin.interactions import Interaction
from tests.standin.realm import LIMIT
from tests.standin.world import World

TROUBLE = (" ERROR ", " CRITICAL ", "Traceback", "never retrieved", "was destroyed but it is pending")
TRACEBACK = 40  # lines of one that are shown


class BotProcess:
    """``module`` is run as the main program against ``world``; ``env`` is added to the environment of this process.

    House players do not wait, unless it says so.

    ``async with BotProcess(world, env=...) as bot`` starts it, and kills it at the end.
    """

    def __init__(self, world: World, module: str = "bot", *arguments: str, env: dict[str, str] | None = None) -> None:
        self._world = world
        self._command = ("tests.standin.run", module, *arguments)
        self._env = {"BIGGER_HOUSE_DELAY_SECONDS": "0"} | (env or {})
        self._process: Ready | None = None
        self._reader: asyncio.Task[None] | None = None
        self.generation = 0
        self.lines: list[str] = []
        self.unanswered: list[Interaction] = []  # what it had been asked when it ended by itself

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill9()

    @property
    def output(self) -> str:
        """Its printed output and errors, over every run."""
        return "\n".join(self.lines)

    @property
    def troubles(self) -> list[str]:
        """The lines of its output that tell of a fault."""
        return [line for line in self.lines if any(word in line for word in TROUBLE)]

    @property
    def tracebacks(self) -> list[str]:
        """The beginning of each traceback in its output.

        To look for a word in the whole output of a long trial would cost pytest gigabytes to explain.
        """
        starts = (number for number, line in enumerate(self.lines) if "Traceback" in line)
        return ["\n".join(self.lines[start : start + TRACEBACK]) for start in starts]

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.returncode is None

    @property
    def ended(self) -> bool:
        """Whether it was started and lives no more."""
        return self._process is not None and not self.running

    @property
    def pid(self) -> int:
        """The number of the running process."""
        return self._running().pid

    async def start(self, timeout: float = LIMIT) -> None:  # noqa: ASYNC109 - as asyncio.wait_for
        """Start it and wait until it identifies at the gateway; RuntimeError with its output if it fails."""
        await self.begin()
        try:
            await self._world.until(lambda: self._connected() or not self.running, timeout)
        except TimeoutError:
            await self.kill9()
        if not self._connected():
            await self.wait()
            raise RuntimeError(f"the bot did not connect:\n{self.output}")

    async def begin(self) -> None:
        """Start it."""
        if self.running:
            raise RuntimeError("it is running")
        env = {**os.environ, **self._world.environment(), **self._env}
        self.generation = self._world.generation
        self._process = await Ready.start(*self._command, env=env)
        self._reader = asyncio.create_task(self._read(self._process))

    async def kill9(self) -> None:
        """Kill it like a power cut; do nothing if stopped."""
        if self.running:
            self._running().kill()
        await self.wait()

    async def stop(self, timeout: float = LIMIT) -> int:  # noqa: ASYNC109 - as asyncio.wait_for
        """Ask it to end (SIGTERM) and wait; its exit code."""
        self._running().terminate()
        return await asyncio.wait_for(self.wait(), timeout)

    async def wait(self) -> int:
        """Wait until it has ended; its exit code, negative for a signal."""
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

    def _running(self) -> Ready:
        if self._process is None or self._process.returncode is not None:
            raise RuntimeError(f"it does not run:\n{self.output}")
        return self._process

    async def _read(self, process: Ready) -> None:
        async for line in process.output:
            self.lines.append(line.decode(errors="replace").rstrip())
