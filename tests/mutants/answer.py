"""The answers of a test process to the process that started it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest


@dataclass
class Answer:
    """How many tests were run, which failed first, and why."""

    run: int = 0
    failed: str = ""
    why: str = ""

    def note(self, report: pytest.TestReport) -> None:
        """Note how a test went."""
        self.run += report.when == "call"
        if report.failed and not self.failed:
            lines = str(report.longreprtext).strip().splitlines() or [""]
            errors = [line[1:].strip() for line in lines if line.startswith("E ")]
            self.failed, self.why = report.nodeid, (errors or lines[-1:])[0]
