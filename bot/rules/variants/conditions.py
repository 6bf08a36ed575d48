"""Conditions on the options of a game, in the notation of rule pages and option sheets.

Option values as text. ``straight_scheme=ace_low|no_a2345, players=3, stake!=0``: a comma means and, ``|`` means or
among values, ``!=`` means none of the values; `` or `` separates whole conditions, one of which suffices. Independent
of any game's options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

OptionKind: TypeAlias = Literal["choice", "flag", "number", "list", "table"]

_TEST = re.compile(r"(\w+)\s*(!?=)\s*([^\s,|=!]+(?:\s*\|\s*[^\s,|=!]+)*)")
_NUMBER = r"-?\d{1,9}"
_FORMS: Mapping[OptionKind, re.Pattern[str]] = {
    "number": re.compile(_NUMBER),
    "list": re.compile(rf"none|{_NUMBER}(?:\.{_NUMBER})*"),
    "table": re.compile(rf"{_NUMBER}:{_NUMBER}(?:;{_NUMBER}:{_NUMBER})*"),
}
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NONE = "none"


@dataclass(frozen=True, slots=True)
class Test:
    """A test of an option: one of these values, or with ``negated`` none of them.

    values: as :func:`write_value` writes.
    """

    __test__ = False  # pytest would collect a class of this name

    name: str
    values: tuple[str, ...]
    negated: bool = False

    def holds(self, options: Any) -> bool:
        """Tell whether the options pass the test. Raises AttributeError for an unknown option."""
        return (write_value(getattr(options, self.name)) in self.values) != self.negated


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows of tests: at least one row must pass completely.

    Without rows the condition always holds.
    """

    rows: tuple[tuple[Test, ...], ...] = ()

    def holds(self, options: Any) -> bool:
        """Tell whether the options fulfil the condition.

        Raises AttributeError for an unknown option.
        """
        return not self.rows or any(all(test.holds(options) for test in row) for row in self.rows)

    @property
    def tests(self) -> tuple[Test, ...]:
        """The tests of every row."""
        return tuple(test for row in self.rows for test in row)


ALWAYS = Condition()


def condition(text: str) -> Condition:
    """Parse a condition; empty text always holds. Raises ValueError for invalid text."""
    if not text.strip():
        return ALWAYS
    return Condition(tuple(tuple(_test(part) for part in row.split(",")) for row in text.split(" or ")))


def _test(text: str) -> Test:
    found = _TEST.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a condition: {text.strip()!r}")
    return Test(found[1], tuple(value.strip() for value in found[3].split("|")), found[2] == "!=")


def write_value(value: Any) -> str:
    """Return an option value as conditions and rule codes write it.

    Examples: ``true``, ``5``, ``5.3.1.0``, ``1:1;10:2``.
    """
    match value:
        case None | () | []:
            return _NONE
        case bool():
            return str(value).lower()
        case [[_, _], *_]:
            return ";".join(f"{start}:{points}" for start, points in value)
        case [*_]:
            return ".".join(str(number) for number in value)
    return str(value)


def read_value(text: str, kind: OptionKind) -> Any:
    """Return the value of a text, the inverse of :func:`write_value` for values of this kind.

    Raises ValueError for text of another form, and always for a choice: only its option knows the values.
    """
    if kind == "flag" and text in _FLAGS:
        return _FLAGS[text]
    if kind not in _FORMS or not _FORMS[kind].fullmatch(text):
        raise ValueError(f"not a {kind}: {text!r}")
    return _READERS[kind](text)


def _list(text: str) -> tuple[int, ...]:
    return () if text == _NONE else tuple(int(number) for number in text.split("."))


def _table(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(number) for number in band.split(":")) for band in text.split(";"))


_READERS: Mapping[OptionKind, Callable[[str], Any]] = {"number": int, "list": _list, "table": _table}


def with_tuples(value: Any) -> Any:
    """Return the value with tuples, as in options, in place of the lists of JSON and TOML."""
    return tuple(with_tuples(part) for part in value) if isinstance(value, list | tuple) else value
