"""A stopped part of the long trials resumes, and repeats failed tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.__main__ import PARTS

SUITE = """
from pathlib import Path

def test_sound():
    pass

def test_broken():
    assert Path("repaired").exists()
"""


def test_a_resumed_run_skips_passed_tests_and_repeats_failed_ones(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOAK_PASSED", str(pytester.path / "passed"))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makepyfile(test_suite=SUITE)
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")

    def run() -> tuple[int, int]:
        passed, _, failed = pytester.inline_run("-p", "tests.soak.passed_plugin").listoutcomes()
        return len(passed), len(failed)

    assert run() == (1, 1)
    assert run() == (0, 1)
    (pytester.path / "repaired").touch()
    assert run() == (1, 0)
    assert run() == (0, 0)


def test_every_path_that_a_part_names_exists() -> None:
    named = {word for part in PARTS.values() for word in part.arguments if word.startswith("tests/")}
    assert named
    assert all(Path(__file__).parents[2].joinpath(word).exists() for word in named)
