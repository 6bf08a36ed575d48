"""A mutation: a change of one line of a module, described and compiled.

Excludes changes without an observable effect: in annotations and docstrings, in code for type checkers only, in
``__all__``, in the storage of dataclasses, and in log messages.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from tests.mutants.operators import OPERATORS, Vocabulary

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("bot", "cogs")
_NOT_EXECUTED = frozenset({"annotation", "returns", "type_params"})
_UNOBSERVABLE = frozenset(
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
    """A module of the bot: its import name and its file."""

    name: str
    path: Path

    @property
    def tree(self) -> ast.Module:
        """The syntax tree, parsed again at each access."""
        return ast.parse(self.path.read_bytes(), str(self.path))

    @property
    def package(self) -> str:
        """The package, such as bot.rules or cogs."""
        parts = self.name.split(".")
        return parts[0] if len(parts) < 3 else ".".join(parts[:2])


@dataclass(frozen=True, slots=True)
class Mutation:
    """A described change. number: its index among all changes of the module; line: of the changed node."""

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


def changes_in(tree: ast.Module) -> list[tuple[ast.AST, ast.AST, str]]:
    """Return all changes of a module in a fixed order: old node, new node, kind."""
    known = Vocabulary.of(tree)
    return [
        (node, new, kind)
        for node in _executed_nodes(tree)
        for operator in OPERATORS
        for kind, new in operator(node, known)
        if ast.dump(new) != ast.dump(node)
    ]


def mutations(module: Module) -> list[Mutation]:
    """Return all possible mutations of a module."""
    found = []
    for number, (node, new, kind) in enumerate(changes_in(module.tree)):
        change = "  ->  ".join(_differing_parts(_text(node), _text(new)))
        found.append(Mutation(module, number, _line(node), kind, change))
    return found


def mutated_tree(mutation: Mutation) -> ast.Module:
    """Return the syntax tree with the mutation."""
    tree = mutation.module.tree
    old, new, _ = changes_in(tree)[mutation.number]
    _Replacement(old, new).visit(tree)
    return ast.fix_missing_locations(tree)


def mutated_code(mutation: Mutation) -> CodeType:
    """Return the compiled module with the mutation."""
    return compile(mutated_tree(mutation), str(mutation.module.path), "exec")


def _executed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and its descendants that are executed."""
    yield node
    for name, value in ast.iter_fields(node):
        if name not in _NOT_EXECUTED:
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST) and not _is_unobservable(part):
                    yield from _executed_nodes(part)


def _is_unobservable(node: ast.AST) -> bool:
    """Whether changes of a node have no observable effect: types, dataclass storage, log messages."""
    match node:
        case (
            ast.Subscript(value=ast.Name(id=name))
            | ast.AnnAssign(annotation=ast.Name(id=name))
            | ast.Assign(targets=[ast.Name(id=name)])
            | ast.If(test=ast.Name(id=name))
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
            | ast.Call(func=ast.Name(id=name))
        ):
            return name in _UNOBSERVABLE
    return isinstance(node, ast.Import | ast.ImportFrom)


class _Replacement(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace the node, or visit its children."""
        return ast.copy_location(self._new, node) if node is self._old else self.generic_visit(node)


def _line(node: ast.AST) -> int:
    """Return the line of a node, or of its first descendant with one."""
    return next(line for part in ast.walk(node) if (line := getattr(part, "lineno", 0)))


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _differing_parts(before: str, after: str, most: int = 70) -> tuple[str, str]:
    """Cut two texts to the part around their first difference."""
    same = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), 0)
    start = max(0, same - 20) if max(len(before), len(after)) > most else 0
    return before[start : start + most], after[start : start + most]
