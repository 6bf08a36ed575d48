"""A plugin of pytest that writes down which tests have passed, and leaves them out of the next run.

SOAK_PASSED: the file, a line a test.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def passed() -> Path:
    """Return the file."""
    return Path(os.environ["SOAK_PASSED"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what has passed before a stop."""
    before = set(passed().read_text(encoding="utf-8").splitlines()) if passed().exists() else set()
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in before])
    items[:] = [item for item in items if item.nodeid not in before]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down a test that has passed."""
    if report.when == "call" and report.passed and "PYTEST_XDIST_WORKER" not in os.environ:
        with passed().open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")
