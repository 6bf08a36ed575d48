"""Nothing is left out: every article of the page has its test, and these tests reach every value of every option.

Knows the names and the text of the article tests. Refuses to know whether they are right.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bot.rules.conditions import frozen
from bot.rules.registry import GAMES
from bot.rules.sheet import Option
from bot.show.rulebook import book

TESTS = [path for each in ("articles", "variants") for path in Path(__file__).parent.glob(f"test_big_two_{each}*.py")]
TREES = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS]
GAME = GAMES["big_two"]
NAMED = re.compile(r"test_(c?\d+_\d+)_")


def test_every_article_has_its_test() -> None:
    names = [each.name for tree in TREES for each in tree.body if isinstance(each, ast.FunctionDef)]
    tested = {found[1].replace("_", ".").upper() for name in names if (found := NAMED.match(name))}
    page = {article.number for article in book("big_two")}
    assert sorted(tested - page) == []
    assert sorted(page - tested) == []
    assert len(page) > 240


def mentioned() -> Iterator[tuple[str, ast.expr]]:
    """Yield (option, value) wherever the tests name both, as an argument, in a table, or as one of several examples."""
    for node in (each for tree in TREES for each in ast.walk(tree)):
        match node:
            case ast.keyword(arg=str(name), value=value):
                yield name, value
            case ast.Dict(keys=keys, values=values):
                yield from zip(map(text, keys), values, strict=True)
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[name, ast.List(elts=values)]):
                yield from ((text(name), value) for value in values)


def text(piece: ast.AST | None) -> str:
    """Return what is written as plain text, or nothing."""
    return piece.value if isinstance(piece, ast.Constant) and isinstance(piece.value, str) else ""


def reached() -> dict[str, list[Any]]:
    """Return the values of each option that the tests mention, or that a preset has which they mention."""
    found: dict[str, list[Any]] = defaultdict(list)
    for name, value in mentioned():
        if name in GAME.options:
            with suppress(ValueError):  # a value that is worked out: the plain ones are enough
                found[name].append(frozen(ast.literal_eval(value)))
    for preset in {text(node) for tree in TREES for node in ast.walk(tree)} & set(GAME.presets):
        for name, value in GAME.presets[preset].items():
            found[name].append(value)
    return found


REACHED = reached()


@pytest.mark.parametrize("option", GAME.sheet.options.values(), ids=lambda option: option.name)
def test_every_value_is_reached(option: Option) -> None:
    plain = getattr(GAME.set_up("pagat"), option.name)
    found = [plain, *REACHED[option.name]]
    if option.kind in ("choice", "flag"):
        assert [choice.code for choice in option.choices if choice.value not in found] == []
    assert [value for value in found if value != plain] != []
