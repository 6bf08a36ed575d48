"""Blocks: statements of a function that run in sequence, so one mark covers the whole block.

Knows where control can leave or come back. A mark is an assignment, ``__reached__[number] = 1``, which costs next to
nothing. What stands outside functions is run once, when a module is loaded, and belongs to no block: dependents are
guessed from the names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPOUND = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
    *_NAMED,
)


@dataclass
class Block:
    """Statements of one body from one place on. names: names that belong to this block."""

    body: list[ast.stmt]
    start: int
    statements: list[ast.stmt]

    @property
    def names(self) -> frozenset[str]:
        """Every name used in it, in any role."""
        return frozenset(name for statement in self.statements for name in named(statement))


def blocks(tree: ast.Module) -> list[Block]:
    """Return the blocks of all functions, in an order that is always the same."""
    bodies = (body for node in ast.walk(tree) if isinstance(node, _NAMED[:2]) for body in _bodies(node))
    return [block for body in bodies for block in _split(body)]


def marked(tree: ast.Module, first: int) -> ast.Module:
    """Let each block say that it is reached, by numbers from the first on."""
    for number, block in reversed(list(enumerate(blocks(tree), first))):
        block.body[block.start : block.start] = ast.parse(f"__reached__[{number}] = 1").body
    return ast.fix_missing_locations(tree)


def holder(tree: ast.Module, node: ast.AST) -> tuple[int | None, frozenset[str]]:
    """Return the number of the block a node stands in, if any, and the names by which others come to it."""
    above = {id(child): parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    line = [node]
    while not isinstance(line[-1], ast.Module):
        line.append(above[id(line[-1])])
    if isinstance(node, ast.ExceptHandler | ast.match_case):
        line.insert(0, node.body[0])
    own = {id(statement): number for number, block in enumerate(blocks(tree)) for statement in block.statements}
    number = next((own[id(part)] for part in line if id(part) in own), None)
    return number, next((names for part in line if (names := given(part))), frozenset())


def given(node: ast.AST) -> frozenset[str]:
    """Return the names that a definition or an assignment gives."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return frozenset({name}) if not name.startswith("__") else frozenset()  # Python calls __init__ by the class
        case ast.Assign(targets=targets):
            return frozenset(part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            return frozenset({name})
    return frozenset()


def named(statement: ast.stmt) -> Iterator[str]:
    """Yield the names in a statement, without those in the bodies below it."""
    for node in _own(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name


def _own(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _own(child)


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the bodies below a function or a statement, but for those of functions and classes in it."""
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            yield body
            for statement in body:
                if not isinstance(statement, _NAMED):
                    yield from _bodies(statement)
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from _bodies(part)


def _split(body: list[ast.stmt]) -> Iterator[Block]:
    """Cut a body after each statement that has others below it; a docstring stays the first thing in its function."""
    start = int(isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
    for at in range(start, len(body)):
        if isinstance(body[at], _COMPOUND) or at == len(body) - 1:
            yield Block(body, start, body[start : at + 1])
            start = at + 1
