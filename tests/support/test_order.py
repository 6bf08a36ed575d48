"""The order of tests shared by several processes.

Two of the processes start with tests that wait.

What starts a bot of its own, a browser or a server waits most of the time. Other processes work meanwhile, so no core
idles, and such tests are never the last ones. A browser is started in one process only. Knows how pytest-xdist deals
out the tests: in their order, evenly to each process.
"""

from __future__ import annotations

import os
from itertools import chain, islice

import pytest

WAITING_TESTS = (
    ("tests/browser/", "tests/kill/", "tests/restart/"),
    (
        "tests/shards/",
        "tests/test_stopping.py",
        "tests/test_slim.py",
        "tests/test_main.py",
        "tests/test_operating.py",
        "tests/test_image.py",
        "tests/test_standin.py",
        "tests/test_watching.py",
        "tests/test_check.py",
        "tests/test_doctor.py",
        "tests/test_logging.py",
        "tests/people/test_upkeep.py",
    ),
)


def distribute(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in the order of distribution to the processes."""
    waiting = [[item for item in items if item.nodeid.startswith(group)] for group in WAITING_TESTS]
    others = iter([item for item in items if not item.nodeid.startswith(tuple(chain(*WAITING_TESTS)))])
    begins = waiting if processes > len(WAITING_TESTS) else [list(chain(*waiting))]
    found = list[pytest.Item]()
    for process in range(processes):
        share = (len(items) - len(found)) // (processes - process)
        begin = begins[process] if process < len(begins) else []
        found += [*begin, *islice(others, max(share - len(begin), 0))]
    return [*found, *others]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the selected tests for distribution."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1:
        items[:] = distribute(items, processes)
