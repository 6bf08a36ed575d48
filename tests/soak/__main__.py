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

KEPT = ROOT / ".soak"
PROCESSES = ("tests/kill", "tests/restart", "tests/shards", "tests/browser")
LAWS = (
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
    "tests/test_names.py",
)
TABLES = "tests/table"
ENDS = "end_again_and_again"
AT_ONCE = ("-n", "2", "--dist", "worksteal")
ALOUD = ("-s", "-m", "soak")  # one test after another, each of which prints how far it is


@dataclass(frozen=True)
class Part:
    """A part of the long trials: the words for pytest, and what it is."""

    what: str
    words: tuple[str, ...]


PARTS = {
    "kill": Part("bots killed, stopped and restarted again and again", (*ALOUD, "tests/kill", "tests/restart")),
    "shards": Part("several bots that share the shards of 300 tables", (*ALOUD, "-k", f"not {ENDS}", "tests/shards")),
    "ends": Part("one to three bots that end, killed or stopped", (*ALOUD, "-k", ENDS, "tests/shards")),
    "browser": Part("whole walks in a browser", ("-m", "soak", "tests/browser")),
    "tables": Part("tables walked at random, two million decisions", ("-m", "soak", *AT_ONCE, TABLES)),
    "others": Part(
        "all other tests that are too long for make test",
        ("-m", "soak", *AT_ONCE, *(word for folder in (*PROCESSES, TABLES) for word in ("--ignore", folder))),
    ),
    "turns": Part("the cases of all turns at once", ("-m", "rotates and not soak", *AT_ONCE)),
    "laws": Part("every law ten times as often", ("-m", "not soak", "--hypothesis-profile=long", *AT_ONCE, *LAWS)),
}


def main() -> None:
    """Run the parts that are asked for; exit with 1 where a test fails."""
    asked = _arguments()
    failed = [name for name in asked.parts or PARTS if not _passes(name, asked.again)]
    if failed:
        raise SystemExit(f"Failed: {', '.join(failed)}.")


def _passes(name: str, again: bool) -> bool:
    """Run a part; return whether all its tests have passed."""
    start = time.monotonic()
    passed = KEPT / f"{name}.{digest(name)}"
    KEPT.mkdir(exist_ok=True)
    if again:
        passed.unlink(missing_ok=True)
    print(f"== {name}: {PARTS[name].what}", flush=True)
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.soak.passed_plugin",
        "--timeout=0",
        "--turn=all",
        *PARTS[name].words,
    )
    code = subprocess.run(command, cwd=ROOT, check=False, env=os.environ | {"SOAK_PASSED": str(passed)}).returncode
    print(f"== {name}: {(time.monotonic() - start) / 60:.0f} minutes", flush=True)
    return code == pytest.ExitCode.OK or (code == pytest.ExitCode.NO_TESTS_COLLECTED and passed.exists())


def _arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    listed = "\n".join(f"  {name:10}{part.what}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        "python -m tests.soak",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"{__doc__.partition(': ')[2]}\nparts:\n{listed}",
    )
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="part", help="run these alone")
    parser.add_argument("--again", action="store_true", help="run anew what has passed before")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
