"""Trials without a start.

A process with all tests loaded is forked for each fault, which is patched into the loaded code.

Knows how to replace a function's code while it exists. Values computed while modules are imported cannot change that
way, and values computed by a test module at import stay correct: faults that survive are tried in a fresh process, with
the first tests alone if the fault can apply.
"""

from __future__ import annotations

import functools
import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from types import CodeType, FunctionType

import pytest

from tests.mutants.answer import Answer
from tests.mutants.budget import LONGEST, Budget
from tests.mutants.faults import Fault, planted
from tests.mutants.trial import FIRST, GRACE, Verdict, tried

FORK = get_context("fork")


@dataclass(frozen=True)
class Job:
    """A fault by its number in the draw, and the tests that concern it, in order."""

    number: int
    fault: Fault
    tests: Sequence[str]


@dataclass
class Running:
    """A trial that goes on."""

    job: Job
    process: ForkProcess
    since: float


class Trials:
    """A plugin of pytest that tries faults where it would run the tests.

    tell: what is done with a verdict.
    """

    def __init__(self, jobs: Sequence[Job], at_once: int, tell: Callable[[int, Verdict], None]) -> None:
        self._jobs, self._at_once, self._tell = list(jobs), at_once, tell
        self._answer = Answer()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try all faults, some at the same time."""
        items = {item.nodeid: item for item in session.items}
        running: dict[Connection, Running] = {}
        while self._jobs or running:
            while self._jobs and len(running) < self._at_once:
                self._begin(running, self._jobs.pop(0), items)
            wait(list(running), timeout=1)
            late = time.monotonic() - 3 * (LONGEST + GRACE)
            for end in [end for end, trial in running.items() if end.poll() or trial.since < late]:
                self._end(running, end)
        return True

    def _begin(self, running: dict[Connection, Running], job: Job, items: Mapping[str, pytest.Item]) -> None:
        chosen = [items[test] for test in job.tests if test in items]
        ours, theirs = FORK.Pipe(duplex=False)
        process = FORK.Process(target=self._try, args=(job, chosen, theirs))
        process.start()
        theirs.close()
        running[ours] = Running(job, process, time.monotonic())

    def _end(self, running: dict[Connection, Running], end: Connection) -> None:
        trial = running.pop(end)
        try:
            answer = end.recv() if end.poll() else Answer()  # a test that hangs ends by its own limit, long before
        except EOFError:
            answer = Answer(0, "time", "the process is gone")
        trial.process.kill()
        job, seconds = trial.job, time.monotonic() - trial.since
        self._tell(job.number, Verdict(job.fault, answer.failed, answer.why, answer.run, len(job.tests), seconds))

    def _try(self, job: Job, items: Sequence[pytest.Item], end: Connection) -> None:
        """Try one fault; in a process of its own."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        if is_put := put(job.fault):
            self._run(items)
        if not self._answer.failed:
            verdict = tried(job.fault, job.tests[: FIRST if is_put else None])
            self._answer = Answer(max(self._answer.run, verdict.run), verdict.by, verdict.why)
        end.send(self._answer)

    def _run(self, items: Sequence[pytest.Item]) -> None:
        budget = Budget()
        for item, following in zip_longest(items, items[1:]):
            over = budget.over()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None if over else following)
            if over or self._answer.failed:
                return

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note how a test went."""
        self._answer.note(report)


def put(fault: Fault) -> bool:
    """Patch a fault into the loaded functions and clear their caches.

    Tell whether any matched.
    """
    path, found = str(fault.module.path), False
    codes = {(code.co_qualname, code.co_firstlineno): code for code in _all(planted(fault))}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == path:
            code = codes.get((thing.__code__.co_qualname, thing.__code__.co_firstlineno))
            if code and code != thing.__code__ and code.co_freevars == thing.__code__.co_freevars:
                thing.__code__, found = code, True
        elif isinstance(thing, functools._lru_cache_wrapper) and thing.__module__.startswith("bot."):
            thing.cache_clear()
    return found


def _all(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _all(part)


def run(jobs: Sequence[Job], at_once: int, tell: Callable[[int, Verdict], None]) -> None:
    """Try faults, each with its tests."""
    files = sorted({test.partition("::")[0] for job in jobs for test in job.tests})
    words = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=sys", "-m", "not soak", "--tb=short")
    pytest.main([*words, *files], plugins=[Trials(jobs, at_once, tell)])
