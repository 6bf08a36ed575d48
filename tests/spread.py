"""In which order tests run where several processes share them: half of the processes begin with those that wait.

What starts a bot of its own, a browser or a server waits most of the time. The other processes are at something else
meanwhile, so no core is idle, and none of these tests is left for the end, when nobody has anything else to do.
Knows how pytest-xdist deals out the tests: in their order, to each process as many as to the others.
"""

from __future__ import annotations

import os
from itertools import islice

import pytest

WAIT = (
    "tests/shards/", "tests/kill/", "tests/restart/", "tests/browser/", "tests/people/test_upkeep.py",
    "tests/test_main.py", "tests/test_stopping.py", "tests/test_slim.py", "tests/test_operating.py",
)  # fmt: skip


def spread(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return the tests in the order in which so many processes are to be given them."""
    waiting = [item for item in items if item.nodeid.startswith(WAIT)]
    others = iter([item for item in items if not item.nodeid.startswith(WAIT)])
    found, some = list[pytest.Item](), (processes + 1) // 2
    for process in range(processes):
        share = (len(items) - len(found)) // (processes - process)
        begin = waiting[process::some] if process < some else []
        found += [*begin, *islice(others, max(share - len(begin), 0))]
    return [*found, *others]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests into that order, once it is known which will run."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1:
        items[:] = spread(items, processes)
