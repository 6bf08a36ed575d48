"""What the pages say is there: the links lead somewhere, and named files, modules and make targets exist.

Knows our Markdown subset. The rule pages in data are held by tests of their own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("bot", "cogs", "data", "docs", "tests", ".github")
FILES = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.*")]
PAGES = sorted(
    str(file.relative_to(ROOT))
    for file in (*ROOT.glob("*.md"), *FILES)
    if file.suffix == ".md" and ROOT / "data" / "rules" not in file.parents
)
NAMES = {file.name for file in FILES}
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
NAMED = re.compile(r"(?:[\w.*-]+/)+[\w.*-]*|[\w*-]+\.(?:py|md|toml|txt|yml|yaml|example)")  # a folder or a file
MAKE = re.compile(r"\bmake ([a-z]+)\b")
MODULE = re.compile(r"python -m ([a-z_.]+)")
PLACED = re.compile(r"`([A-Za-z_][\w.]*)`\s+(?:in\s+|of\s+|\()`((?:[\w-]+/)*\w+\.py)`")  # a symbol in a module
MADE_LATER = ("data/games/", "backups/")  # by the bot


def text(page: str) -> str:
    """Return what a page says."""
    return (ROOT / page).read_text(encoding="utf-8")


def code(page: str) -> Iterator[str]:
    """Yield what stands in backticks or in a block of code."""
    yield from CODE.findall(re.sub(r"(?ms)^```.*?^```", "", text(page)))
    yield from re.findall(r"(?m)^    (\S.*)$", text(page))


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are called in links."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def there(name: str, page: str) -> bool:
    """Tell whether a file or folder is there, seen from the root or from the page, or a file of that name anywhere."""
    return name in NAMES or any(any(start.glob(name.rstrip("/"))) for start in (ROOT, (ROOT / page).parent))


@cache
def symbols(file: Path) -> frozenset[str]:
    """Return what a module defines, at its top and in its classes and functions: all that it gives a name to."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    given = {node.name for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)}
    given |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    given |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return frozenset(given)


def docstrings(file: Path) -> Iterator[str]:
    """Yield the docstrings of a module, its classes and functions."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def defined(name: str, file: str, page: str) -> bool:
    """Tell whether a symbol, or for `Class.method` each part of it, is defined in a file that a page names."""
    paths = [path for start in (ROOT, (ROOT / page).parent) for path in start.glob(file)]
    paths = paths or [path for path in FILES if path.name == file]
    return any(set(name.split(".")) <= symbols(path) for path in paths)


@pytest.mark.parametrize("page", PAGES)
def test_links_have_existing_targets(page: str) -> None:
    for link in LINK.findall(text(page)):
        path, _, anchor = link.partition("#")
        target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        if "://" not in link:
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page: str) -> None:
    named = [part for part in CODE.findall(text(page)) if NAMED.fullmatch(part) and not part.startswith("/")]
    assert [name for name in named if not name.startswith(MADE_LATER) and not there(name, page)] == []


@pytest.mark.parametrize("page", PAGES)
def test_named_commands_exist(page: str) -> None:
    targets = set(re.findall(r"(?m)^([a-z]+):.*##", text("Makefile")))
    said = " \n".join(code(page))
    assert set(MAKE.findall(said)) <= targets
    assert [module for module in MODULE.findall(said) if find_spec(module) is None] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_symbol_named_together_with_its_file_is_defined_there(page: str) -> None:
    assert [f"{name} in {file}" for name, file in PLACED.findall(text(page)) if not defined(name, file, page)] == []


MODULES = sorted(str(file.relative_to(ROOT)) for top in ("bot", "cogs") for file in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("module", [module for module in MODULES if ".py`" in text(module)])
def test_a_docstring_names_files_and_symbols_that_exist(module: str) -> None:
    said = " ".join(" ".join(docstrings(ROOT / module)).replace("``", "`").split())
    files = [part for part in CODE.findall(said) if NAMED.fullmatch(part) and part.endswith(".py")]
    assert [name for name in files if not there(name, module)] == []
    assert [f"{name} in {file}" for name, file in PLACED.findall(said) if not defined(name, file, module)] == []


def test_every_page_in_docs_is_reached_from_the_readme() -> None:
    seen, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        links = (link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link)
        found = {(page.parent / link).resolve() for link in links if link.endswith(".md")} - seen
        seen |= found
        waiting += found
    assert {ROOT / page for page in PAGES if page.startswith(("docs/", "tests/"))} <= seen
