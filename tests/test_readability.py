"""The measure of docstrings: what it counts, and failures of ``make check``."""

from __future__ import annotations

import ast
import asyncio
import builtins
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import discord
import pytest

from tests import readability
from tests.readability import faults, long_first_lines, main, mean, nine_in_ten, sentences
from tests.test_arrows import SOURCES

PLAIN = "Return the earliest time at which another notice fits into the hourly budget."
POOR = "Return when there may be one more in an hour than these, of which there may be so many."


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module of a project of its own."""
    monkeypatch.setattr(readability, "ROOT", tmp_path)
    return tmp_path / "module.py"


def test_a_sentence_is_measured_by_its_empty_words(module: Path) -> None:
    module.write_text(f'def one():\n    """{PLAIN}"""\n\n\ndef two():\n    """{POOR}"""\n', encoding="utf-8")
    poor, plain = sentences(["module.py"])
    assert (poor.text, plain.text) == (POOR, PLAIN)
    assert (poor.share, plain.share) == (12 / 19, 1 / 13)
    assert (poor.where, plain.where) == ("module.py:6", "module.py:2")
    assert mean([poor, plain]) == (12 / 19 + 1 / 13) / 2
    assert nine_in_ten([poor, plain]) == poor.share


def test_short_sentences_and_code_are_not_measured(module: Path) -> None:
    module.write_text(f'"""It is what it is."""\nTEXT = "{POOR}"\n', encoding="utf-8")
    assert sentences(["module.py"]) == []


def test_the_check_fails_on_a_sentence_that_says_too_little(module: Path) -> None:
    module.write_text(f'"""{POOR}"""\n', encoding="utf-8")
    assert len(faults(sentences(["module.py"]))) == 3
    with pytest.raises(SystemExit, match=r"module\.py:1 says too little"):
        main(["module.py", "--check"])
    module.write_text(f'"""{PLAIN}"""\n', encoding="utf-8")
    main(["module.py", "--check"])


def test_the_check_fails_on_a_long_first_line(module: Path) -> None:
    module.write_text(f'"""{PLAIN}"""\n\n\ndef one():\n    """{PLAIN[:-1]} of the server."""\n', encoding="utf-8")
    assert long_first_lines(["module.py"]) == ["module.py:5"]
    with pytest.raises(SystemExit, match=r"module\.py:5: the first line"):
        main(["module.py", "--check"])


def test_tests_have_separate_limits(module: Path) -> None:
    folder = module.parent / "tests"
    folder.mkdir()
    (folder / "test_one.py").write_text(f'"""{POOR}"""\n', encoding="utf-8")
    with pytest.raises(SystemExit, match=r"at most 0\.18 is allowed"):
        main(["tests", "--check"])


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax tree of each module of the bot."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def raised(tree: ast.AST) -> Iterator[str]:
    """Give each name after "Raises" in a docstring, up to the end of its sentence, that is written as a class is."""
    for node in ast.walk(tree):
        text = (ast.get_docstring(node) if isinstance(node, DOCUMENTED) else None) or ""
        for clause in re.findall(r"\b[Rr]aises?\b([^.]*)", text):
            yield from re.findall(r"(?<![\w.`])[A-Z][a-z]+(?:[A-Z][a-z]+)*\b", clause)


def names_of(trees: Iterable[ast.AST]) -> set[str]:
    """Return the names of all classes in these modules, and of everything that they import by name."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    return imported | {node.name for node in nodes if isinstance(node, ast.ClassDef)}


def test_every_error_that_a_docstring_names_exists() -> None:
    """After 600 renames, 70 docstrings named errors that were gone."""
    known = names_of(trees().values()) | {*dir(builtins), *dir(asyncio), *dir(discord), "Discord"}
    assert {(path.name, name) for path, tree in trees().items() for name in raised(tree) if name not in known} == set()


# Their docstrings explain values instead of names: kinds of paces, findings and checks
EXPLAINED_VALUES = {"Pace", "ReviewFinding", "CheckResult"}
EXPLAINED = re.compile(r"(?:^|(?<=[.;] ))((?:[a-z_]+, )*[a-z_]+): ")


def explained(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield the names that a docstring explains, such as "seat: from 0"."""
    for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
        for names in EXPLAINED.findall(" ".join(paragraph.split())):
            yield from names.split(", ")


def parameters(node: ast.AST) -> set[str]:
    """Return the names of the parameters of every function in a node."""
    return {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}


def names_in(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> set[str]:
    """Return the fields, attributes, methods and parameters of a class and its bases."""
    found = parameters(node)
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute):
            found.add(each.attr.lstrip("_"))
        elif isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(each.name)
    parents = [each.value if isinstance(each, ast.Subscript) else each for each in node.bases]
    known = [classes.get(each.id) for each in parents if isinstance(each, ast.Name) and each.id != node.name]
    return found.union(*(names_in(each, classes) for each in known if each is not None))


def test_every_name_that_a_docstring_explains_exists() -> None:
    """After renames of fields, thirty docstrings explained names that were gone."""
    kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = [(path, node) for path, tree in trees().items() for node in ast.walk(tree) if isinstance(node, kinds)]
    classes = {node.name: node for _, node in nodes if isinstance(node, ast.ClassDef)}
    wrong = set[tuple[str, str, str]]()
    for path, node in nodes:
        if names := set(explained(node)):
            known = names_in(node, classes) if isinstance(node, ast.ClassDef) else parameters(node.args)
            wrong |= {(path.name, node.name, name) for name in names - known}
    assert {each for each in wrong if each[1] not in EXPLAINED_VALUES} == set()
