"""The shape of calls: four arguments by position, parts instead of the bot for cogs, no wait that swallows a cancel."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 4
EXEMPT_PACKAGES = ("bot/ai", "bot/store")  # house players call in hot loops; queries follow their columns
OF_A_ROW = {
    "DebtEntry",
    "Duplicate",
    "PlayerResult",
    "OutboxRow",
    "PlayerTotals",
    "Result",
}  # read from the database, in order
ANY_NUMBER = {"screen_message"}  # a message takes any number of files
EXEMPT = OF_A_ROW | ANY_NUMBER


@dataclass(frozen=True)
class Callee:
    """A function or class that takes arguments by position, and how many."""

    where: str
    name: str
    arguments: int


def named(decorator: ast.expr) -> str:
    """Return the name of a decorator or of a class above, without its arguments."""
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator).partition("[")[0]


def is_keyword_only(decorator: ast.expr) -> bool:
    """Tell whether a decorator makes a dataclass all of whose fields are given by name."""
    return isinstance(decorator, ast.Call) and any(
        keyword.arg == "kw_only" and ast.unparse(keyword.value) == "True" for keyword in decorator.keywords
    )


def positional_fields(made: ast.ClassDef) -> int:
    """Count the fields of a dataclass that its constructor takes by position."""
    count = 0
    for field in made.body:
        if isinstance(field, ast.AnnAssign):
            if ast.unparse(field.annotation) == "KW_ONLY":
                break
            is_left_out = field.value is not None and "init=False" in ast.unparse(field.value)
            count += not is_left_out and "ClassVar" not in ast.unparse(field.annotation)
    return count


def positional_arguments(made: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the arguments of a function that may be given by position."""
    return sum(each.arg not in ("self", "cls") for each in (*made.args.posonlyargs, *made.args.args))


def callees(node: ast.AST, where: str) -> Iterator[Callee]:
    """Yield all functions and dataclasses of a file. Protocols count like implementations, named tuples like tuples."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            if "Protocol" in map(named, child.bases):
                continue
            dataclasses = [each for each in child.decorator_list if named(each) == "dataclass"]
            if dataclasses and not is_keyword_only(dataclasses[0]):
                yield Callee(where, child.name, positional_fields(child))
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Callee(where, child.name, positional_arguments(child))
        yield from callees(child, where)


@cache
def all_callees() -> tuple[Callee, ...]:
    """Return all functions and dataclasses of the bot and its cogs."""
    paths = sorted(path for top in ("bot", "cogs") for path in (ROOT / top).rglob("*.py"))
    trees = ((path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths)
    return tuple(each for where, tree in trees for each in callees(tree, where))


def test_no_function_takes_more_than_four_positional_arguments() -> None:
    wide = [each for each in all_callees() if each.arguments > MOST and not each.where.startswith(EXEMPT_PACKAGES)]
    assert [each for each in wide if each.name not in EXEMPT] == []
    assert {each.name for each in wide} == EXEMPT, "an exception that is none any more"


def test_positional_arguments_are_counted_correctly() -> None:
    source = (
        "@dataclass\nclass A:\n    a: int\n    b: int = field(init=False)\n    _: KW_ONLY\n    c: int\n"
        "@dataclass(kw_only=True)\nclass B:\n    a: int\n"
        "class C(Protocol):\n    def f(self, a, b): ...\n"
        "class D:\n    async def g(self, a, b, *, c): ...\n"
    )
    assert [(each.name, each.arguments) for each in callees(ast.parse(source), "x")] == [("A", 1), ("g", 2)]


def test_cogs_receive_parts_instead_of_the_bot() -> None:
    """Only ``setup`` sees the bot, and takes the parts from it."""
    names = set[tuple[str, str]]()
    for path in sorted((ROOT / "cogs").rglob("*.py")):
        for made in ast.parse(path.read_text(encoding="utf-8")).body:
            if not (isinstance(made, ast.AsyncFunctionDef) and made.name == "setup"):
                used = {node.id for node in ast.walk(made) if isinstance(node, ast.Name)}
                names |= {(path.stem, name) for name in used & {"bot", "Bigger"}}
    assert names == set()


def test_no_wait_swallows_a_cancellation() -> None:
    """Up to Python 3.11 ``asyncio.wait_for`` returns when it is cancelled at the moment at which its work is done.

    A loop then continues after its cancellation, and a stop that awaits its end hangs. ``asyncio.timeout`` re-raises.
    """
    sources = [path for top in ("bot", "cogs") for path in (ROOT / top).rglob("*.py")]
    assert [path.name for path in sources if "wait_for(" in path.read_text(encoding="utf-8")] == []
