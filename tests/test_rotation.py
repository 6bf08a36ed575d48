"""Cases of a test take turns: over all turns each has run, and a test that does not take turns always runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

SUITE = """
import pytest

@pytest.mark.rotates(3)
@pytest.mark.parametrize("number", range(7))
def test_seven(number):
    pass

@pytest.mark.rotates(3)
@pytest.mark.parametrize("number", range(2))
def test_two(number):
    pass

def test_one():
    pass
"""
Run = Callable[..., set[str]]
CASES = {"test_one", *(f"test_two[{number}]" for number in range(2)), *(f"test_seven[{number}]" for number in range(7))}


@pytest.fixture
def run(pytester: pytest.Pytester) -> Run:
    """Return which tests of SUITE run with some options."""
    pytester.makepyfile(test_suite=SUITE)
    pytester.makeini(
        "[pytest]\nasyncio_default_fixture_loop_scope = function\nturn = 2\nmarkers = rotates(turns): takes turns"
    )

    def ran(*options: str) -> set[str]:
        done = pytester.inline_run("-p", "tests.support.rotation", *options)
        return {report.nodeid.partition("::")[2] for report in done.getreports("pytest_runtest_logreport")}

    return ran


def test_every_case_runs_in_some_turn(run: Run) -> None:
    turns = [run(f"--turn={turn}") for turn in (1, 2, 3)]
    assert set.union(*turns) == CASES
    assert set.intersection(*turns) == {"test_one"}
    assert all(any(name.startswith("test_two") for name in turn) for turn in turns), "few cases: one in each turn"


def test_the_turn_comes_from_the_project_settings(run: Run) -> None:
    assert run() == run("--turn=2") != run("--turn=1")


def test_turn_all_runs_every_case(run: Run) -> None:
    assert run("--turn=all") == CASES


def test_a_named_case_runs_in_any_turn(run: Run) -> None:
    for number in range(7):
        assert run(f"test_suite.py::test_seven[{number}]") == {f"test_seven[{number}]"}


def test_the_turn_is_raised_with_each_release(pytestconfig: pytest.Config) -> None:
    changelog = (pytestconfig.rootpath / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = [line for line in changelog.splitlines() if line.startswith("## [")]  # with what is not released yet
    assert pytestconfig.getini("turn") == str(len(releases))
