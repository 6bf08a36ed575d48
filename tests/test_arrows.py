"""The arrows of the design: allowed imports, forbidden names, and required columns.

Knows the imports as they stand in the source, those inside functions and under TYPE_CHECKING included.
"""

import ast
import collections
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import JSON, BigInteger, Boolean, Column, Integer, Text

from bot.store.schema import metadata
from bot.store.schema.columns import KEY, Counter, TimestampType

ROOT = Path(__file__).parents[1]
SOURCES = sorted(path for top in ("bot", "cogs") for path in (ROOT / top).rglob("*.py"))
EVERYTHING = sorted({*SOURCES, *(ROOT / "tests").rglob("*.py")})

SQL = ("sqlalchemy", "alembic")
PURE = ("discord", *SQL, "asyncio", "time", "datetime", "logging")
FILES = ("os", "io", "pathlib", "shutil", "tempfile", "tomllib", "importlib")
# what of the tree a room may import beside itself: the whole of other rooms, or single modules of them
MAY: dict[str, tuple[str, ...]] = {
    room: tuple(f"bot.{name}" for name in names.split())
    for room, names in {
        "bot.domain": "",
        "bot.runtime": "paths domain",
        "bot.rules": "domain.message_ids",
        "bot.games": "paths rules",
        "bot.ai": "domain rules",
        "bot.scene": "domain rules",
        "bot.ratings": "domain",
        "bot.store": "paths domain runtime",
        "bot.ai_pool": "domain runtime rules ai",
        "bot.table": "domain runtime rules games ai scene store ai_pool",
        "bot.history": "domain runtime rules games ai scene store table",
        "bot.club": "paths domain runtime rules games ai scene ratings store table",
        "bot.show": "paths domain rules games scene ratings",
        "bot.members": "domain runtime rules.core.sentences scene store table show.kit.words club.saved_rules",
        "bot.interactions": "domain runtime rules.core.sentences show store.errors table.core table.table",
        "bot.delivery": (
            "domain runtime rules scene table show club members.preferences interactions.private_replies "
            "store.errors store.repositories store.rows store.store"
        ),
        "bot.sharding": "domain runtime show store",
        "bot.sandbox": "domain",
        "bot.ops": (
            "paths domain runtime rules games store table show delivery sandbox club history client launch settings "
            "version"
        ),
        "cogs": (
            "domain runtime rules games scene ratings table show members club history interactions delivery "
            "store.errors store.rows store.store client wiring lifecycle localization settings version"
        ),
    }.items()
}
ROOMS = 17  # at most, so that one can keep the house in mind
FOLDER, SHELL_LINES, SHELL_METHODS = 25, 250, 25  # modules, lines and methods at most
# what of others' a room must not import
FOREIGN: dict[str, tuple[str, ...]] = {
    "bot.rules": (*PURE, *FILES),
    "bot.games": PURE,
    "bot.ai": (*PURE, *(name for name in FILES if name != "importlib")),  # strategies are found by their names
    "bot.domain": ("discord", *SQL, "asyncio", "logging", *FILES),
    "bot.scene": ("discord", *SQL, "asyncio", "logging"),
    "bot.ratings": ("discord", *SQL, "asyncio", "time", "logging", *FILES),
    "bot.ai_pool": ("discord", *SQL),
    "bot.table": ("discord", *SQL),
    "bot.history": ("discord", *SQL),
    "bot.club": ("discord", *SQL),
    "bot.store": ("discord",),
}
BANNED = {"util", "utils", "manager", "managers", "helper", "helpers", "base"}


def module(path: Path) -> str:
    """Return the dotted name of a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(path) for path in SOURCES}


class Source(NamedTuple):
    """What a file says. imports: the dotted names of all it imports."""

    imports: tuple[str, ...]
    docstring: str | None


@cache
def source(path: Path) -> Source:
    """Return what is asked of a file here; each is read once."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = tuple(name for node in _statements(tree) for name in _imports(node, path))
    return Source(imports, ast.get_docstring(tree))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within: an import is one, and to look through all expressions takes much longer."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, block, ()):
            yield each
            yield from _statements(each)


def names(path: Path) -> set[str]:
    """Return the names that a file gives to something, and its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {path.stem, *map(_name, ast.walk(tree))} - {""}


def imported(path: Path) -> tuple[str, ...]:
    """Return the dotted name of everything a file imports, of names out of modules too."""
    return source(path).imports


def _imports(node: ast.AST, path: Path) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{path.name} imports by dots; the arrows are read from whole names"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _name(node: ast.AST) -> str:
    """Return the assigned name; "" without one."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return name
    return ""


def within(name: str, parts: tuple[str, ...]) -> bool:
    """Tell whether a dotted name is one of these or lies below one."""
    return any(name == part or name.startswith(f"{part}.") for part in parts)


def imports_within(part: str) -> list[tuple[str, str]]:
    """Return who imports what in a part of the tree."""
    files = [path for path in SOURCES if within(module(path), (part,))]
    assert files
    return [(module(path), name) for path in files for name in imported(path)]


@pytest.mark.parametrize("room", MAY)
def test_imports_follow_the_allowed_arrows(room: str) -> None:
    ours = [(user, name) for user, name in imports_within(room) if within(name, ("bot", "cogs"))]
    assert [(user, name) for user, name in ours if not within(name, (room, *MAY[room]))] == []


@pytest.mark.parametrize("part", FOREIGN)
def test_third_party_packages_are_imported_only_in_their_packages(part: str) -> None:
    assert [(user, name) for user, name in imports_within(part) if within(name, FOREIGN[part])] == []


CORE = ("bot.domain", "bot.rules", "bot.games", "bot.ai", "bot.scene", "bot.store.rows", "bot.table.core")


def test_the_core_of_a_table_is_pure() -> None:
    """It waits for nothing, and knows no task, dice, log, file or time but the one it is told."""
    used = imports_within("bot.table.core")
    assert [(user, name) for user, name in used if within(name, ("bot", "cogs")) and not within(name, CORE)] == []
    banned = {*PURE, *FILES, "random", "secrets", "logging"} - {"datetime"}
    assert [(user, name) for user, name in used if within(name, tuple(banned))] == []
    sources = [path for path in SOURCES if within(module(path), ("bot.table.core",))]
    waits = ast.Await, ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith
    trees = {path.stem: ast.walk(ast.parse(path.read_text("utf-8"))) for path in sources}
    assert [name for name, nodes in trees.items() if any(isinstance(node, waits) for node in nodes)] == []
    assert [(path.stem, name) for path in sources for name in ("Any", "typing.Any") if name in imported(path)] == []
    assert len(sources) <= FOLDER


def test_the_shell_of_a_table_stays_small() -> None:
    """One class locks, writes and tells; nothing in the package is behind a method of a class above it."""
    shell = (ROOT / "bot" / "table" / "table.py").read_text("utf-8")
    assert shell.count("\n") <= SHELL_LINES
    assert len(re.findall(r"^    (?:async )?def ", shell, re.MULTILINE)) <= SHELL_METHODS
    package = [path for path in SOURCES if within(module(path), ("bot.table",))]
    assert [path.stem for path in package if "super()" in path.read_text("utf-8")] == []


def test_package_imports_are_acyclic() -> None:
    rooms = {module(path) for path in (ROOT / "bot").glob("*/__init__.py")}
    assert rooms == {room for room in MAY if room not in ("cogs", "bot.games", "bot.scene")}
    assert len(rooms) <= ROOMS
    arrows = {room: {other for other in MAY if within_any(MAY[room], other)} for room in MAY}
    assert list(TopologicalSorter(arrows).static_order())  # or it raises a CycleError, which names the rooms


def modules_used(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, or imports something of."""
    return {name if name in MODULES else name.rpartition(".")[0] for name in imported(path)} & MODULES - {module(path)}


def test_module_imports_are_acyclic_types_included() -> None:
    arrows = {module(path): modules_used(path) for path in SOURCES}
    assert list(TopologicalSorter(arrows).static_order())


def sub_package(name: str) -> str:
    """Return the sub-package of a module, or the module itself where it lies directly in a package."""
    depth = 1 if name.startswith("cogs.") else 2
    return name.rpartition(".")[0] if name.count(".") > depth else name


def test_sub_package_imports_are_acyclic() -> None:
    arrows: dict[str, set[str]] = {}
    for path in SOURCES:
        user = sub_package(module(path))
        arrows.setdefault(user, set()).update({sub_package(name) for name in modules_used(path)} - {user})
    assert list(TopologicalSorter(arrows).static_order())


def test_no_folder_has_too_many_modules() -> None:
    folders = collections.Counter(
        path.parent for path in SOURCES if path.stem != "__init__" and path.parent.name != "versions"
    )
    assert {str(folder.relative_to(ROOT)): count for folder, count in folders.items() if count > FOLDER} == {}


# Classes that play the same part in each game.
OF_EACH_GAME = {"Groups", "Options"}


def test_a_class_name_is_defined_once() -> None:
    trees = (
        ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in SOURCES if path.parent.name != "versions"
    )
    named = collections.Counter(node.name for tree in trees for node in tree if isinstance(node, ast.ClassDef))
    assert {name for name, count in named.items() if count > 1} <= OF_EACH_GAME


def within_any(names: tuple[str, ...], part: str) -> bool:
    """Tell whether a dotted name equals this part or lies below it."""
    return any(within(name, (part,)) for name in names)


def test_only_the_store_uses_sql() -> None:
    wrong = [(module(path), name) for path in SOURCES for name in imported(path) if within(name, SQL)]
    assert [(user, name) for user, name in wrong if not within(user, ("bot.store",))] == []


def test_rules_and_house_players_use_only_passed_random_generators() -> None:
    """``random.Random`` is a type there; the functions of the module share one hidden state."""
    for path in SOURCES:
        if within(module(path), ("bot.rules", "bot.games", "bot.ai")):
            used = re.findall(r"\brandom\.(\w+)\(", path.read_text(encoding="utf-8"))
            assert {name for name in used if name != "Random"} <= {"random"}, module(path)
            assert not any(name.startswith("random.") for name in imported(path)), module(path)


def test_rules_and_house_players_open_no_file() -> None:
    """What stands in data is read by the list of games and handed in."""
    opening = re.compile(r"\b(open|read_text|read_bytes)\(")
    readers = [module(path) for path in SOURCES if opening.search(path.read_text(encoding="utf-8"))]
    assert [name for name in readers if within(name, ("bot.rules", "bot.games", "bot.ai"))] == ["bot.games"]


def said(path: Path) -> set[str]:
    """Return a file's words and names; names are parsed from syntax if suspect."""
    return {path.stem, *re.findall(r"\w+", path.read_text(encoding="utf-8"))}


@cache
def words(name: str) -> set[str]:
    """Return the words of a name in either way of writing it."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def test_no_name_is_generic() -> None:
    assert words("GameManager") & words("file_utils") & BANNED == set()
    assert words("GameManager") & BANNED == {"manager"}
    assert words("is_SQLBase") & BANNED == {"base"}
    assert not words("database") & BANNED
    suspects = [path for path in EVERYTHING if any(words(word) & BANNED for word in said(path))]
    assert [(module(path), name) for path in suspects for name in names(path) if words(name) & BANNED] == []


def test_every_module_has_a_docstring() -> None:
    assert [module(path) for path in SOURCES if not source(path).docstring] == []


def wants_meaning(column: Column[Any]) -> bool:
    """Tell whether an id, a name or any text could stand in a column."""
    return not column.foreign_keys and isinstance(column.type, BigInteger | Text | JSON) and column.type is not Counter


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=str)
def test_every_column_states_the_users_it_refers_to(table: Any) -> None:
    silent = [column.name for column in table.columns if wants_meaning(column) and not column.info.get(KEY)]
    assert silent == [], "say it with info=... (bot/store/schema/columns.py)"


def test_only_id_columns_need_a_stated_user() -> None:
    assert wants_meaning(Column("by", BigInteger))
    assert wants_meaning(Column("more", JSON))
    assert not any(wants_meaning(Column("x", kind)) for kind in (Boolean(), Integer(), TimestampType(), Counter))


MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
STANDING = {
    "bot.client": "client",
    "bot.wiring": "wiring",
    "bot.hourly_work": "wiring",
    "bot.launch": "wiring",
    "bot.lifecycle": "wiring",
    "bot.localization": "wiring",
    "bot.games": "games",
    "bot.scene": "scene",
}  # modules that the map draws beside the rooms


def drawn(name: str) -> str | None:
    """Return what the map calls the room a dotted name lies in, None where it is not drawn."""
    if within(name, tuple(STANDING)):
        return STANDING[".".join(name.split(".")[:2])]
    return next((room.removeprefix("bot.") for room in MAY if within(name, (room,)) and room not in STANDING), None)


def reached(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the arrows with all that follow from them."""
    more = arrows | {(start, end) for start, middle in arrows for other, end in arrows if middle == other}
    return arrows if more == arrows else reached(more)


def test_the_drawn_map_matches_the_imports() -> None:
    arrows = {(drawn(module(path)), drawn(name)) for path in SOURCES for name in imported(path)}
    built = {(user, used) for user, used in arrows if user and used and user != used}
    shown = {(user, used) for user, used in re.findall(r"^    (\w+) --> (\w+)$", MAP, re.MULTILINE)}
    assert reached(shown) == reached(built)
    explained = set(re.findall(r"^\| `([\w/]+)`", MAP, re.MULTILINE))
    assert {room.replace(".", "/") for room in MAY if room not in STANDING} <= explained
