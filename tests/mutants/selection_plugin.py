"""A plugin of pytest that runs the tests of a list, in its order, until one fails or the time is up, and says so.

MUTANTS_LIST: a file with the list as JSON: ids of tests, and names of files, which stand for all their tests. The
answer is stored beside it, also as JSON.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.mutants.answer import Answer
from tests.mutants.budget import Budget

LIST = Path(os.environ["MUTANTS_LIST"])
answer = Answer()
budget = Budget()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose and sort the tests."""
    place = {name: at for at, name in enumerate(json.loads(LIST.read_text(encoding="utf-8")))}
    keys = {item: place.get(item.nodeid, place.get(item.nodeid.partition("::")[0])) for item in items}
    items[:] = sorted((item for item in items if keys[item] is not None), key=lambda item: keys[item] or 0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how a test went."""
    answer.note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that cannot even be read."""
    if report.failed and not answer.failed:
        answer.failed, answer.why = report.nodeid, str(report.longreprtext).strip().splitlines()[-1]


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Stop when the time is up."""
    if budget.over():
        item.session.shouldstop = "the time is up"


def pytest_sessionfinish() -> None:
    """Write the answer."""
    LIST.with_suffix(".answer").write_text(json.dumps(asdict(answer)), encoding="utf-8")
