"""Nothing is left out: every article of a page has its test, and these tests reach every value of every option.

Checks the names and the text of the article tests of each game, not their correctness.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.variants.conditions import with_tuples
from bot.rules.variants.option_sheet import Option
from bot.show.rulebook.articles import book

NAMED = re.compile(r"test_([a-z]?\d+_\d+)_")
# how many there are at least
ARTICLES = {"big_two": 241, "big_a": 139, "a_bao": 91, "big_little_a": 78, "tien_len": 62}
OPTIONS = [(name, option) for name, game in GAMES.items() for option in game.sheet.options.values()]


@cache
def trees(game: str) -> list[ast.Module]:
    """Return the article tests of a game, parsed."""
    paths = [
        path for each in ("articles", "variants") for path in Path(__file__).parent.glob(f"test_{game}_{each}*.py")
    ]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in paths]


@pytest.mark.parametrize("game", GAMES)
def test_every_article_has_its_test(game: str) -> None:
    names = [each.name for tree in trees(game) for each in tree.body if isinstance(each, ast.FunctionDef)]
    tested = {found[1].replace("_", ".").upper() for name in names if (found := NAMED.match(name))}
    page = {article.number for article in book(game)}
    assert sorted(tested - page) == []
    assert sorted(page - tested) == []
    assert len(page) >= ARTICLES[game]


def mentioned(game: str) -> Iterator[tuple[str, ast.expr]]:
    """Yield (option, value) wherever the tests name both, as an argument, in a table, or as one of several examples."""
    for node in (each for tree in trees(game) for each in ast.walk(tree)):
        match node:
            case ast.keyword(arg=str(name), value=value):
                yield name, value
            case ast.Dict(keys=keys, values=values):
                yield from zip(map(text, keys), values, strict=True)
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[name, ast.List(elts=values)]):
                yield from ((text(name), value) for value in values)


def text(piece: ast.AST | None) -> str:
    """Return an annotation as plain text, or nothing."""
    return piece.value if isinstance(piece, ast.Constant) and isinstance(piece.value, str) else ""


@cache
def reached(game: str) -> dict[str, list[Any]]:
    """Return the values of each option that the tests mention, or that a preset has which they mention."""
    found: dict[str, list[Any]] = defaultdict(list)
    for name, value in mentioned(game):
        if name in GAMES[game].options:
            with suppress(ValueError):  # a value that is worked out: the plain ones are enough
                found[name].append(with_tuples(ast.literal_eval(value)))
    presets = GAMES[game].presets
    for preset in {text(node) for tree in trees(game) for node in ast.walk(tree)} & set(presets):
        for name, value in presets[preset].items():
            found[name].append(value)
    return found


@pytest.mark.parametrize(("game", "option"), [pytest.param(*each, id=f"{each[0]} {each[1].name}") for each in OPTIONS])
def test_every_value_is_reached(game: str, option: Option) -> None:
    plain = getattr(GAMES[game].set_up(next(iter(GAMES[game].presets))), option.name)
    found = [plain, *reached(game)[option.name]]
    if option.kind in ("choice", "flag"):
        assert [choice.code for choice in option.choices if choice.value not in found] == []
    assert [value for value in found if value != plain] != []
