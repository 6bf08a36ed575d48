"""What the pages say is there: the links lead somewhere, and named files, modules and make targets exist.

Knows Markdown as far as our pages use it. The rule pages in data are held by tests of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

from bot.table.table import Table

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


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
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


def test_the_classes_of_a_table_are_drawn_as_they_are() -> None:
    tower = [cls for cls in reversed(Table.__mro__) if cls.__module__.startswith("bot.")]
    names = [cls.__name__ for cls in tower]
    page = text("docs/architecture.md")
    assert re.findall(r"(?m)^    (\w+) <\|-- (\w+)$", page) == list(pairwise(names))
    files = [f"{cls.__module__.rpartition('.')[2]}.py" for cls in tower]
    assert re.findall(r"(?m)^\| `(Told|\w*Table)` \| `(\w+\.py)`", page) == list(zip(names, files, strict=True))


def test_every_page_in_docs_is_reached_from_the_readme() -> None:
    seen, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        links = (link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link)
        found = {(page.parent / link).resolve() for link in links if link.endswith(".md")} - seen
        seen |= found
        waiting += found
    assert {ROOT / page for page in PAGES if page.startswith(("docs/", "tests/"))} <= seen
