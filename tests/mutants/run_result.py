"""The result of a test process, for the process that started it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest


@dataclass
class RunResult:
    """The number of tests run, the first failed test, and the reason."""

    run: int = 0
    failed: str = ""
    reason: str = ""

    def note(self, report: pytest.TestReport) -> None:
        """Record the report of a test."""
        self.run += report.when == "call"
        if report.failed and not self.failed:
            lines = str(report.longreprtext).strip().splitlines() or [""]
            errors = [line[1:].strip() for line in lines if line.startswith("E ")]
            self.failed, self.reason = report.nodeid, (errors or lines[-1:])[0]
