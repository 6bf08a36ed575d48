"""A fault: a line of a module and what stands there instead; found, named and compiled.

Knows where a change could make no difference to any player: in annotations and docstrings, in what is only for type
checkers, in what a package says it gives, in how a dataclass is kept, and in what is merely logged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from tests.mutants.operators import OPERATORS, Known

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("bot", "cogs")
_NEVER_RUN = frozenset({"annotation", "returns", "type_params"})
_SILENT = frozenset(
    {
        "dict",
        "list",
        "set",
        "tuple",
        "frozenset",
        "deque",
        "Callable",
        "TypeAlias",
        "TypeVar",
        "NewType",
        "dataclass",
        "TYPE_CHECKING",
        "log",
        "__all__",
    }
)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the bot: the name it is imported by, and its file."""

    name: str
    path: Path

    @property
    def tree(self) -> ast.Module:
        """Its syntax, read again."""
        return ast.parse(self.path.read_bytes(), str(self.path))

    @property
    def room(self) -> str:
        """The part of the house it stands in: bot.rules, cogs."""
        parts = self.name.split(".")
        return parts[0] if len(parts) < 3 else ".".join(parts[:2])


@dataclass(frozen=True, slots=True)
class Fault:
    """A change in words. number: its place among all changes of the module; line: where it begins."""

    module: Module
    number: int
    line: int
    kind: str
    change: str

    def __str__(self) -> str:
        return f"{self.module.path.relative_to(ROOT)}:{self.line}: {self.kind}: {self.change}"


def modules() -> list[Module]:
    """Return all modules of the bot, in the order of their files."""
    paths = [path.relative_to(ROOT) for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    return [Module(".".join(path.with_suffix("").parts).removesuffix(".__init__"), ROOT / path) for path in paths]


def places(tree: ast.Module) -> list[tuple[ast.AST, ast.AST, str]]:
    """Return all changes of a module, always in the same order: what stands there, what instead, and the kind."""
    known = Known.of(tree)
    return [
        (node, new, kind)
        for node in _run(tree)
        for operator in OPERATORS
        for kind, new in operator(node, known)
        if ast.dump(new) != ast.dump(node)
    ]


def faults(module: Module) -> list[Fault]:
    """Return all faults that a module could have."""
    found = []
    for number, (node, new, kind) in enumerate(places(module.tree)):
        change = "  ->  ".join(_apart(_text(node), _text(new)))
        found.append(Fault(module, number, _line(node), kind, change))
    return found


def wrong(fault: Fault) -> ast.Module:
    """Return the module's syntax with the fault in it."""
    tree = fault.module.tree
    old, new, _ = places(tree)[fault.number]
    _Swap(old, new).visit(tree)
    return ast.fix_missing_locations(tree)


def planted(fault: Fault) -> CodeType:
    """Return the module's code with the fault in it."""
    return compile(wrong(fault), str(fault.module.path), "exec")


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and the nodes below that run."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in _NEVER_RUN:
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST) and not _is_silent(part):
                    yield from _run(part)


def _is_silent(node: ast.AST) -> bool:
    """Tell whether nobody could see a change: a type, a dataclass's own, a line in the log."""
    match node:
        case (
            ast.Subscript(value=ast.Name(id=name))
            | ast.AnnAssign(annotation=ast.Name(id=name))
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.If(test=ast.Name(id=name))
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
            | ast.Call(func=ast.Name(id=name))
        ):
            return name in _SILENT
    return isinstance(node, ast.Import | ast.ImportFrom)


class _Swap(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Visit a node."""
        return ast.copy_location(self._new, node) if node is self._old else self.generic_visit(node)


def _line(node: ast.AST) -> int:
    """Return the line of a node; of a part that has none, such as a case, that of what it holds."""
    return next(line for part in ast.walk(node) if (line := getattr(part, "lineno", 0)))


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _apart(before: str, after: str, most: int = 70) -> tuple[str, str]:
    """Cut two texts to where they differ."""
    same = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), 0)
    start = max(0, same - 20) if max(len(before), len(after)) > most else 0
    return before[start : start + most], after[start : start + most]
