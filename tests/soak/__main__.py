"""``python -m tests.soak``: run the long trials, or some of their parts.

Passed tests are stored in .soak while the bot and tests stay unchanged, so a stopped part resumes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.support.digest import ROOT, digest

RESULTS_FOLDER = ROOT / ".soak"
PROCESS_TESTS = ("tests/kill", "tests/restart", "tests/shards", "tests/browser")
LAW_PATHS = (
    "tests/laws",
    "tests/rules",
    "tests/discord_errors",
    "tests/golden",
    "tests/oracle",
    "tests/test_rulebook.py",
    "tests/test_house.py",
    "tests/test_house_a_bao.py",
    "tests/test_puzzles.py",
    "tests/test_show_hand.py",
    "tests/test_hand_rows.py",
    "tests/test_names.py",
)
TABLE_TESTS = "tests/table"
REPEATED_ENDS = "bots_end_repeatedly"
IN_PARALLEL = ("-n", "2", "--dist", "worksteal")
WITH_PROGRESS = ("-s", "-m", "soak")  # one test at a time, each of which prints its progress


@dataclass(frozen=True)
class Part:
    """A part of the long trials. title: what runs. arguments: for pytest."""

    title: str
    arguments: tuple[str, ...]


PARTS = {
    "kill": Part("bots killed, stopped and restarted again and again", (*WITH_PROGRESS, "tests/kill", "tests/restart")),
    "shards": Part(
        "several bots that share the shards of 300 tables",
        (*WITH_PROGRESS, "-k", f"not {REPEATED_ENDS}", "tests/shards"),
    ),
    "ends": Part(
        "one to three bots that end, killed or stopped", (*WITH_PROGRESS, "-k", REPEATED_ENDS, "tests/shards")
    ),
    "browser": Part("whole walks in a browser", ("-m", "soak", "tests/browser")),
    "tables": Part("tables walked at random, two million decisions", ("-m", "soak", *IN_PARALLEL, TABLE_TESTS)),
    "others": Part(
        "all other tests that are too long for make test",
        (
            "-m",
            "soak",
            *IN_PARALLEL,
            *(word for folder in (*PROCESS_TESTS, TABLE_TESTS) for word in ("--ignore", folder)),
        ),
    ),
    "turns": Part("the cases of all turns at once", ("-m", "rotates and not soak", *IN_PARALLEL)),
    "laws": Part(
        "every law ten times as often", ("-m", "not soak", "--hypothesis-profile=long", *IN_PARALLEL, *LAW_PATHS)
    ),
}


def main() -> None:
    """Run the requested parts; exit with 1 if a test fails."""
    asked = _arguments()
    failed = [name for name in asked.parts or PARTS if not _passes(name, asked.again)]
    if failed:
        raise SystemExit(f"Failed: {', '.join(failed)}.")


def _passes(name: str, again: bool) -> bool:
    """Run a part; return whether all its tests have passed."""
    start = time.monotonic()
    passed = RESULTS_FOLDER / f"{name}.{digest(name)}"
    RESULTS_FOLDER.mkdir(exist_ok=True)
    if again:
        passed.unlink(missing_ok=True)
    print(f"== {name}: {PARTS[name].title}", flush=True)
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.soak.passed_plugin",
        "--timeout=0",
        "--turn=all",
        *PARTS[name].arguments,
    )
    code = subprocess.run(command, cwd=ROOT, check=False, env=os.environ | {"SOAK_PASSED": str(passed)}).returncode
    print(f"== {name}: {(time.monotonic() - start) / 60:.0f} minutes", flush=True)
    return code == pytest.ExitCode.OK or (code == pytest.ExitCode.NO_TESTS_COLLECTED and passed.exists())


def _arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    listed = "\n".join(f"  {name:10}{part.title}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        "python -m tests.soak",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"{__doc__.partition(': ')[2]}\nparts:\n{listed}",
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="part", help="run only these parts")
    parser.add_argument("--again", action="store_true", help="run passed tests again")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
