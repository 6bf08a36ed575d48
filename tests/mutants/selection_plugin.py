"""A pytest plugin that runs listed tests in order until one fails or the time is over.

MUTANTS_LIST: a JSON file of test ids, and of file names for all their tests. The result is written as JSON beside it.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.mutants.budget import Budget
from tests.mutants.run_result import RunResult

LIST_FILE = Path(os.environ["MUTANTS_LIST"])
result = RunResult()
budget = Budget()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select and sort the tests."""
    place = {name: at for at, name in enumerate(json.loads(LIST_FILE.read_text(encoding="utf-8")))}
    keys = {item: place.get(item.nodeid, place.get(item.nodeid.partition("::")[0])) for item in items}
    items[:] = sorted((item for item in items if keys[item] is not None), key=lambda item: keys[item] or 0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record the report of a test."""
    result.note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Record a file that cannot be imported."""
    if report.failed and not result.failed:
        result.failed, result.reason = report.nodeid, str(report.longreprtext).strip().splitlines()[-1]


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Stop when the time is over."""
    if budget.is_over():
        item.session.shouldstop = "the time is up"


def pytest_sessionfinish() -> None:
    """Write the result."""
    LIST_FILE.with_suffix(".answer").write_text(json.dumps(asdict(result)), encoding="utf-8")
