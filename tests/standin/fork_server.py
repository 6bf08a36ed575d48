"""Processes that become the program at once: they are forked from a process with loaded modules.

Knows how such a process begins. Each is then an ordinary process with its own environment. That the program starts from
nothing is told by the tests that run ``python -m bot`` themselves.
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

from tests.standin.realm import LIMIT

ROOT = Path(__file__).resolve().parents[2]
READ = ["tests.standin.preload"]
_RUNNING = set[ForkServerProcess]()


@atexit.register  # later than what multiprocessing does at the end, so before it: that waits for all of them
def _leave_none() -> None:
    for process in _RUNNING:
        process.kill()


class Ready:
    """A running process. output: all that it prints, line by line."""

    def __init__(self, process: ForkServerProcess, output: asyncio.StreamReader) -> None:
        self._process, self.output, self._ended = process, output, asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(process.sentinel, self._end)
        _RUNNING.add(process)

    @classmethod
    async def start(cls, module: str, *words: str, env: Mapping[str, str], errors: int | None = None) -> Ready:
        """Start a process that runs the module as the main program.

        env: its whole environment. errors: a descriptor for its standard error, which is part of its output otherwise.
        """
        end, begin = os.pipe()
        output = asyncio.StreamReader()
        reading = asyncio.StreamReaderProtocol(output)
        await asyncio.get_running_loop().connect_read_pipe(lambda: reading, os.fdopen(end, "rb"))
        passed = (_Passed(begin), _Passed(begin if errors is None else errors))
        process = _context().Process(target=_become, args=(module, words, dict(env), *passed))
        process.start()
        os.close(begin)
        return cls(process, output)

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, negative for a signal; None while it runs."""
        return self._process.exitcode

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    async def wait(self) -> int:
        """Wait until it has ended; its exit code."""
        await self._ended.wait()
        assert self._process.exitcode is not None
        return self._process.exitcode

    def _end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        self._process.join()
        _RUNNING.discard(self._process)
        self._ended.set()


async def ran(module: str, *words: str, env: Mapping[str, str]) -> tuple[int, str]:
    """Run the module as the main program to its end; return its exit code and all it has printed."""
    process = await Ready.start(module, *words, env=env)
    told, code = await asyncio.wait_for(asyncio.gather(process.output.read(), process.wait()), LIMIT)
    return code, told.decode(env.get("PYTHONIOENCODING", "utf-8"))


class _Passed:
    """A file descriptor on its way to a process that begins."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrived, (DupFd(self._descriptor),)


def _arrived(sent: Any) -> int:
    descriptor: int = sent.detach()
    return descriptor


@cache
def _context() -> ForkServerContext:
    """Return the process context; the fork server starts with the first process."""
    context = get_context("forkserver")
    context.set_forkserver_preload(READ)
    return context


def _become(module: str, words: tuple[str, ...], env: dict[str, str], output: int, errors: int) -> None:
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
