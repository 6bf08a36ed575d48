"""One fault on trial: planted in a process of its own, and the tests that it concerns run until one of them fails.

First a few tests, since most faults are found at once and every file of tests takes time to be read; then the others.
Where tests are many, the time is bounded: such a fault has survived these tests only.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.answer import Answer
from tests.mutants.budget import LONGEST
from tests.mutants.faults import ROOT, Fault, planted
from tests.mutants.record import pytest, write

FIRST, GRACE = 24, 120.0


@dataclass(frozen=True)
class Verdict:
    """How a trial ended. by: what found the fault, "" where nothing did; run: how many tests, of all there are."""

    fault: Fault
    by: str
    why: str
    run: int
    tests: int
    seconds: float

    def __str__(self) -> str:
        told = f"found by {self.by}: {self.why[:100]}" if self.by else f"survived {self.run} of {self.tests} tests"
        return f"{self.fault}\n    {told} ({self.seconds:.0f} s)"


def tried(fault: Fault, tests: Sequence[str]) -> Verdict:
    """Run these tests, in this order, against the fault."""
    start = time.monotonic()
    answer, count = Answer(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, [(fault.module.name, planted(fault))])
        for part in (tests[:FIRST], tests[FIRST:]):
            if part and not answer.failed:
                answer = _run(folder, part)
                count += answer.run
    return Verdict(fault, answer.failed, answer.why, count, len(tests), time.monotonic() - start)


def _run(folder: Path, tests: Sequence[str]) -> Answer:
    """Run some tests with the code of a folder until one fails."""
    listed, answered = folder / "tests.json", folder / "tests.answer"
    answered.unlink(missing_ok=True)
    listed.write_text(json.dumps(tests), encoding="utf-8")
    files = sorted({test.partition("::")[0] for test in tests})
    words = ("-x", "-p", "tests.mutants.selection_plugin", "-m", "not soak", "--tb=short", *files)
    command = pytest(*words, MUTANTS_CODE=str(folder), MUTANTS_LIST=str(listed))
    try:
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=LONGEST + GRACE)
    except subprocess.TimeoutExpired:
        return Answer()  # a test that hangs ends by its own limit, long before: this machine was too slow to tell
    if not answered.exists():
        return Answer(0, "loading", (done.stderr or done.stdout).strip()[-100:])
    return Answer(**json.loads(answered.read_text(encoding="utf-8")))
