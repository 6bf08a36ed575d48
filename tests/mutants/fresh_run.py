"""Runs one mutation in fresh processes until a test fails.

First a few tests, since most mutations are killed at once and loading test files takes time; then the others. If there
are many tests, the time is limited: such a mutation has survived only the tests run.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.budget import MAX_WALL_SECONDS
from tests.mutants.mutations import ROOT, Mutation, mutated_code
from tests.mutants.record import pytest, write
from tests.mutants.run_result import RunResult

FIRST_TEST_COUNT, START_GRACE = 24, 120.0


@dataclass(frozen=True)
class Verdict:
    """The verdict on a mutation. by: the test that killed the mutation, or ""; run: number of tests run."""

    mutation: Mutation
    by: str
    reason: str
    run: int
    tests: int
    seconds: float

    def __str__(self) -> str:
        outcome = (
            f"found by {self.by}: {self.reason[:100]}" if self.by else f"survived {self.run} of {self.tests} tests"
        )
        return f"{self.mutation}\n    {outcome} ({self.seconds:.0f} s)"


def run_in_fresh_process(mutation: Mutation, tests: Sequence[str]) -> Verdict:
    """Run these tests in order against a mutation."""
    start = time.monotonic()
    result, count = RunResult(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, [(mutation.module.name, mutated_code(mutation))])
        for part in (tests[:FIRST_TEST_COUNT], tests[FIRST_TEST_COUNT:]):
            if part and not result.failed:
                result = _run(folder, part)
                count += result.run
    return Verdict(mutation, result.failed, result.reason, count, len(tests), time.monotonic() - start)


def _run(folder: Path, tests: Sequence[str]) -> RunResult:
    """Run tests with the code of a folder until one fails."""
    mutate_elements, answered = folder / "tests.json", folder / "tests.answer"
    answered.unlink(missing_ok=True)
    mutate_elements.write_text(json.dumps(tests), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    words = ("-x", "-p", "tests.mutants.selection_plugin", "-m", "not soak", "--tb=short", *files)
    command = pytest(*words, MUTANTS_CODE=str(folder), MUTANTS_LIST=str(mutate_elements))
    try:
        done = subprocess.run(
            command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=MAX_WALL_SECONDS + START_GRACE
        )
    except subprocess.TimeoutExpired:
        return RunResult()  # hanging tests end earlier by their own timeout: the machine was too slow
    if not answered.exists():
        return RunResult(0, "loading", (done.stderr or done.stdout).strip()[-100:])
    return RunResult(**json.loads(answered.read_text(encoding="utf-8")))
