"""The selection of cases of rotating tests in a run.

Each turn runs some cases of tests marked ``rotates``.

``@pytest.mark.rotates(3)`` on a test with 34 presets runs every third of them: those of turn 1, 2 or 3, then again
those of 1. The number of the turn stands in pyproject.toml and is raised with each release; ``--turn=N`` repeats any
turn, ``--turn=all`` runs every case, as ``make soak`` does. A test that is named with its case always runs.

Cases of one game are adjacent, so that each turn covers each game while presets
outnumber turns.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

ALL = "all"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the option for the turn."""
    parser.addini("turn", "which cases of the tests marked `rotates` run; raised with each release", default="1")
    parser.addoption("--turn", help="which cases of the tests marked `rotates` run: a number, or `all`")


def turn_of(config: pytest.Config) -> str:
    """Return the number of the turn, or ``all``."""
    return str(config.getoption("--turn") or config.getini("turn"))


def cases_of_turn(items: list[pytest.Item], turn: int) -> list[pytest.Item]:
    """Return the tests that run in a turn, in their order."""
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    return [item for item in items if _runs_in_turn(item, cases[item.nodeid.partition("[")[0]], turn)]


def _runs_in_turn(item: pytest.Item, cases: list[pytest.Item], turn: int) -> bool:
    mark = item.get_closest_marker("rotates")
    turns = min(mark.args[0], len(cases)) if mark else 1
    return cases.index(item) % turns == turn % turns


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the cases of other turns."""
    turn = turn_of(config)
    if turn == ALL or any("::" in arg for arg in config.args):
        return
    kept = cases_of_turn(items, int(turn))
    left = set(items).difference(kept)
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = kept


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the turn."""
    terminalreporter.write_line(
        f"Turn {turn_of(config)}; any is repeated by ARGS=--turn=N, all cases run by --turn=all."
    )
