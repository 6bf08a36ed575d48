"""Sentences are marked where they stand: an unmarked one would be shown in English to every player."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# packages without words at hand that speak to people; no other constants of theirs have several words
SPEAKING = ("bot/domain", "bot/rules", "bot/ai", "bot/table", "bot/club", "bot/history", "bot/members", "cogs")
KEYS = {"rematch of table {}", "table before {}"}  # of what the store remembers


def constants(source: str) -> Iterator[str]:
    """Yield the strings in the constants of a module, but those that are handed to a call."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            yield from strings(node.value)


def strings(value: ast.expr) -> Iterator[str]:
    """Yield the strings in tuples, and in the values of dictionaries."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Dict(values=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from strings(part)


@pytest.mark.parametrize("package", SPEAKING)
def test_no_constant_is_an_unmarked_sentence(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    found = [(path.stem, text) for path in files for text in constants(path.read_text("utf-8")) if text not in KEYS]
    assert [(file, text) for file, text in found if " " in text and re.search("[a-z]{3}", text)] == []


def test_unmarked_strings_are_found_in_tables_too() -> None:
    source = 'ONE = "One."\nMANY: Final = {"two": N_("Two."), "three": ("4.1", N_("Three."), {"four": "Four."})}\n'
    assert list(constants(source)) == ["One.", "4.1", "Four."]
