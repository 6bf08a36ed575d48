"""A pytest plugin that records passed tests in a file and skips them in the next run.

SOAK_PASSED: the file, one test id a line.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def passed_file() -> Path:
    """Return the file of passed tests."""
    return Path(os.environ["SOAK_PASSED"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that have passed before."""
    before = set(passed_file().read_text(encoding="utf-8").splitlines()) if passed_file().exists() else set()
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in before])
    items[:] = [item for item in items if item.nodeid not in before]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a test that has passed."""
    if report.when == "call" and report.passed and "PYTEST_XDIST_WORKER" not in os.environ:
        with passed_file().open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")
