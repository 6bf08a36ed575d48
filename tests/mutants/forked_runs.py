"""Runs mutations without a cold start.

A process with all tests loaded is forked for each mutation, which is patched into the loaded functions. Values computed
at import, of the bot or of test modules, cannot change that way: surviving mutations are run again in a fresh process,
with only the first tests if the patch applied.
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

from tests.mutants.budget import MAX_WALL_SECONDS, Budget
from tests.mutants.fresh_run import FIRST_TEST_COUNT, START_GRACE, Verdict, run_in_fresh_process
from tests.mutants.mutations import Mutation, mutated_code
from tests.mutants.run_result import RunResult

FORK = get_context("fork")


@dataclass(frozen=True)
class MutationJob:
    """A mutation with its number in the draw, and the tests to run, in order."""

    number: int
    mutation: Mutation
    tests: Sequence[str]


@dataclass
class RunningMutation:
    """A forked process that runs a mutation."""

    job: MutationJob
    process: ForkProcess
    since: float


class ForkedRuns:
    """A pytest plugin that runs mutations in place of the tests. on_verdict: called with number and verdict."""

    def __init__(
        self, jobs: Sequence[MutationJob], concurrency: int, on_verdict: Callable[[int, Verdict], None]
    ) -> None:
        self._jobs, self._at_once, self._tell = list(jobs), concurrency, on_verdict
        self._result = RunResult()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all mutations, several concurrently."""
        items = {item.nodeid: item for item in session.items}
        running: dict[Connection, RunningMutation] = {}
        while self._jobs or running:
            while self._jobs and len(running) < self._at_once:
                self._begin(running, self._jobs.pop(0), items)
            wait(list(running), timeout=1)
            late = time.monotonic() - 3 * (MAX_WALL_SECONDS + START_GRACE)
            for end in [end for end, trial in running.items() if end.poll() or trial.since < late]:
                self._end(running, end)
        return True

    def _begin(
        self, running: dict[Connection, RunningMutation], job: MutationJob, items: Mapping[str, pytest.Item]
    ) -> None:
        is_in_packages = [items[test] for test in job.tests if test in items]
        ours, theirs = FORK.Pipe(duplex=False)
        process = FORK.Process(target=self._try, args=(job, is_in_packages, theirs))
        process.start()
        theirs.close()
        running[ours] = RunningMutation(job, process, time.monotonic())

    def _end(self, running: dict[Connection, RunningMutation], end: Connection) -> None:
        trial = running.pop(end)
        try:
            result = end.recv() if end.poll() else RunResult()  # hanging tests end earlier by their own timeout
        except EOFError:
            result = RunResult(0, "time", "the process is gone")
        trial.process.kill()
        job, seconds = trial.job, time.monotonic() - trial.since
        self._tell(job.number, Verdict(job.mutation, result.failed, result.reason, result.run, len(job.tests), seconds))

    def _try(self, job: MutationJob, items: Sequence[pytest.Item], end: Connection) -> None:
        """Run one mutation, in the forked process."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        if is_put := patch_loaded(job.mutation):
            self._run(items)
        if not self._result.failed:
            verdict = run_in_fresh_process(job.mutation, job.tests[: FIRST_TEST_COUNT if is_put else None])
            self._result = RunResult(max(self._result.run, verdict.run), verdict.by, verdict.reason)
        end.send(self._result)

    def _run(self, items: Sequence[pytest.Item]) -> None:
        budget = Budget()
        for item, following in zip_longest(items, items[1:]):
            is_over = budget.is_over()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None if is_over else following)
            if is_over or self._result.failed:
                return

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the report of a test."""
        self._result.note(report)


def patch_loaded(mutation: Mutation) -> bool:
    """Patch a mutation into the loaded functions and clear caches; return whether any function matched."""
    path, found = str(mutation.module.path), False
    codes = {(code.co_qualname, code.co_firstlineno): code for code in _nested_codes(mutated_code(mutation))}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == path:
            code = codes.get((thing.__code__.co_qualname, thing.__code__.co_firstlineno))
            if code and code != thing.__code__ and code.co_freevars == thing.__code__.co_freevars:
                thing.__code__, found = code, True
        elif isinstance(thing, functools._lru_cache_wrapper) and thing.__module__.startswith("bot."):
            thing.cache_clear()
    return found


def _nested_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _nested_codes(part)


def run(jobs: Sequence[MutationJob], concurrency: int, on_verdict: Callable[[int, Verdict], None]) -> None:
    """Run mutations, each against its tests."""
    files = sorted({test.partition("::")[0] for job in jobs for test in job.tests})
    words = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=sys", "-m", "not soak", "--tb=short")
    pytest.main([*words, *files], plugins=[ForkedRuns(jobs, concurrency, on_verdict)])
