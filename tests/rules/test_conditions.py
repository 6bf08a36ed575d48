"""Conditions on options hold or not, and option values are written and read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.rules.variants.conditions import OptionKind, condition, read_value, write_value


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", True),
        ("players=3", True),
        ("players=2|3", True),
        ("players = 2 | 3 , straight_scheme != ace_low", False),
        ("straight_scheme=ace_low|no_a2345, players=3, stake!=0", True),
        ("straight_scheme!=hong_kong|no_a2345", True),
        ("straight_scheme!=hong_kong|ace_low", False),
        ("triples=false", True),
        ("limit=none, announce_at=none", True),
        ("places_points=5.3.1.0", True),
        ("bands=1:1;10:2", True),
        ("bands!=std|flat", True),
        ("players=4 or triples=false", True),
        ("players=4, triples=false or players=2", False),
    ],
)
def test_conditions_are_evaluated(text: str, *, holds: bool) -> None:
    table = SimpleNamespace(
        players=3,
        straight_scheme="ace_low",
        stake=5,
        triples=False,
        limit=None,
        announce_at=(),
        places_points=(5, 3, 1, 0),
        bands=((1, 1), (10, 2)),
    )
    assert condition(text).holds(table) == holds


@pytest.mark.parametrize(
    "text", ["players", "players=", "=3", "players==3", "players=3,", "players=2 3", "players=2||3"]
)
def test_an_invalid_condition_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a condition"):
        condition(text)


def test_equal_conditions_are_equal_values() -> None:
    assert condition("players=3|4, stake!=0") == condition(" players = 3 | 4 ,stake!=0")
    assert {condition("players=3"), condition("players=3")} == {condition("players=3")}


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (5, "number", "5"),
        (True, "flag", "true"),
        (False, "flag", "false"),
        ((), "list", "none"),
        ((1,), "list", "1"),
        ((5, 3, 1, 0), "list", "5.3.1.0"),
        (((1, 1),), "table", "1:1"),
        (((1, 1), (10, 2)), "table", "1:1;10:2"),
    ],
)
def test_values_are_written_and_read(value: Any, kind: OptionKind, text: str) -> None:
    assert write_value(value) == text
    assert read_value(text, kind) == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("five", "number"),
        ("", "number"),
        ("9" * 10, "number"),
        ("1:1", "list"),
        ("5..3", "list"),
        ("", "list"),
        ("1", "table"),
        ("none", "table"),
        ("1:1;", "table"),
        ("maybe", "flag"),
        ("ace_low", "choice"),
    ],
)
def test_a_value_of_another_form_is_refused(text: str, kind: OptionKind) -> None:
    with pytest.raises(ValueError, match="not a"):
        read_value(text, kind)
