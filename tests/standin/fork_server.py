"""Starts processes quickly: each is forked from a server process that has already imported the bot's modules.

Apart from that, each is an ordinary process with its own environment. Tests of a cold start run ``python -m bot``
themselves.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import runpy
import sys
from collections.abc import Mapping
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

from tests.standin.realm import WAIT_LIMIT

ROOT = Path(__file__).resolve().parents[2]
PRELOADED = ["tests.standin.preload"]
_RUNNING = set[ForkServerProcess]()


@atexit.register  # registered later than multiprocessing's handler, so run before: that one waits for all processes
def _kill_all() -> None:
    for process in _RUNNING:
        process.kill()


class ForkedProcess:
    """A running process. output: its standard output and, unless redirected, standard error."""

    def __init__(self, process: ForkServerProcess, output: asyncio.StreamReader) -> None:
        self._process, self.output, self._ended = process, output, asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(process.sentinel, self._end)
        _RUNNING.add(process)

    @classmethod
    async def start(cls, module: str, *words: str, env: Mapping[str, str], errors: int | None = None) -> ForkedProcess:
        """Start a process that runs the module as the main program.

        env: the whole environment. errors: a file descriptor for standard error; None to add it to the output.
        """
        end, begin = os.pipe()
        output = asyncio.StreamReader()
        reading = asyncio.StreamReaderProtocol(output)
        await asyncio.get_running_loop().connect_read_pipe(lambda: reading, os.fdopen(end, "rb"))
        passed = (_PassedDescriptor(begin), _PassedDescriptor(begin if errors is None else errors))
        process = _context().Process(target=_run_module, args=(module, words, dict(env), *passed))
        process.start()
        os.close(begin)
        return cls(process, output)

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._process.exitcode

    def kill(self) -> None:
        """Send SIGKILL."""
        self._process.kill()

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._process.terminate()

    async def wait(self) -> int:
        """Wait for the end and return the exit code."""
        await self._ended.wait()
        assert self._process.exitcode is not None
        return self._process.exitcode

    def _end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        self._process.join()
        _RUNNING.discard(self._process)
        self._ended.set()


async def run_program(module: str, *words: str, env: Mapping[str, str]) -> tuple[int, str]:
    """Run the module as the main program to its end; return the exit code and the output."""
    process = await ForkedProcess.start(module, *words, env=env)
    written, code = await asyncio.wait_for(asyncio.gather(process.output.read(), process.wait()), WAIT_LIMIT)
    return code, written.decode(env.get("PYTHONIOENCODING", "utf-8"))


class _PassedDescriptor:
    """A file descriptor passed to a new process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __reduce__(self) -> tuple[Any, ...]:
        return _detach, (DupFd(self._descriptor),)


def _detach(sent: Any) -> int:
    descriptor: int = sent.detach()
    return descriptor


@cache
def _context() -> ForkServerContext:
    """Return the process context, whose fork server starts with the first process."""
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def _run_module(module: str, words: tuple[str, ...], env: dict[str, str], output: int, errors: int) -> None:
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.close(output)
    os.close(errors)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(ROOT)
    if encoding := env.get("PYTHONIOENCODING"):
        sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding=encoding, closefd=False) for number in (1, 2))
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
