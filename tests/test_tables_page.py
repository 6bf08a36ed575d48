"""The page about tables against the code: the ordered rules of the clock, and the core modules."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.table.core import clock_rules

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
CORE = ROOT / "bot" / "table" / "core"


def section(heading: str) -> str:
    """Return the text below a heading, up to the next one."""
    found = re.search(rf"(?ms)^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", PAGE)
    assert found, heading
    return found[1]


def walk(heading: str) -> list[tuple[int, str]]:
    """Return the numbers and names of a numbered list."""
    return [(int(number), name) for number, name in re.findall(r"(?m)^(\d+)\. `(\w+)`:", section(heading))]


def names(rules: tuple[Callable[..., Any], ...]) -> list[tuple[int, str]]:
    """Return how a page numbers these rules."""
    return [(number, rule.__name__) for number, rule in enumerate(rules, start=1)]


def test_a_timeout_ends_with_the_rules_for_a_late_player() -> None:
    """The page states the rules once, so each unhandled timeout must reach all of them."""
    assert clock_rules.ON_TIMEOUT[-len(clock_rules.ON_LATE_PLAYER) :] == clock_rules.ON_LATE_PLAYER


@pytest.mark.parametrize(
    ("heading", "rules"),
    [
        ("ON_RING", clock_rules.ON_RING),
        ("ON_DEADLINE", clock_rules.ON_DEADLINE),
        ("ON_TIMEOUT", clock_rules.ON_TIMEOUT[: -len(clock_rules.ON_LATE_PLAYER)]),
        ("ON_LATE_PLAYER", clock_rules.ON_LATE_PLAYER),
    ],
    ids=["ON_RING", "ON_DEADLINE", "ON_TIMEOUT", "ON_LATE_PLAYER"],
)
def test_the_documented_deadline_walk_matches_the_clock_rules(
    heading: str, rules: tuple[Callable[..., Any], ...]
) -> None:
    assert walk(heading) == names(rules)


def test_every_list_of_clock_rules_is_documented() -> None:
    tuples = [(name, value) for name, value in vars(clock_rules).items() if name.isupper() and isinstance(value, tuple)]
    assert {name for name, value in tuples if all(map(callable, value))} == {
        "ON_RING",
        "ON_DEADLINE",
        "ON_TIMEOUT",
        "ON_LATE_PLAYER",
    }


def test_each_core_module_is_documented_once() -> None:
    named = re.findall(r"(?m)^\| `(\w+\.py)` \|", section("The modules of the core"))
    assert sorted(named) == sorted(path.name for path in CORE.glob("*.py") if path.name != "__init__.py")
