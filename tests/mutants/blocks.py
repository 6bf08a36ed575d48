"""Blocks: consecutive statements of a function that always run together, so that one mark covers a block.

A mark is the assignment ``__reached__[number] = 1``, which costs very little. Statements outside functions run once, at
import, and belong to no block: the tests that depend on them are guessed from the names.
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
    """Consecutive statements of one body. names: the names by which other code refers to the block."""

    body: list[ast.stmt]
    start: int
    statements: list[ast.stmt]

    @property
    def names(self) -> frozenset[str]:
        """All names used in the block."""
        return frozenset(name for statement in self.statements for name in used_names(statement))


def blocks(tree: ast.Module) -> list[Block]:
    """Return the blocks of all functions, always in the same order."""
    bodies = (body for node in ast.walk(tree) if isinstance(node, _NAMED[:2]) for body in _bodies(node))
    return [block for body in bodies for block in _split(body)]


def instrument(tree: ast.Module, first: int) -> ast.Module:
    """Insert a mark into each block, with numbers from ``first`` on."""
    for number, block in reversed(list(enumerate(blocks(tree), first))):
        block.body[block.start : block.start] = ast.parse(f"__reached__[{number}] = 1").body
    return ast.fix_missing_locations(tree)


def find_block(tree: ast.Module, node: ast.AST) -> tuple[int | None, frozenset[str]]:
    """Return the number of the block that contains a node, if any, and the names by which others refer to it."""
    above = {id(child): parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    line = [node]
    while not isinstance(line[-1], ast.Module):
        line.append(above[id(line[-1])])
    if isinstance(node, ast.ExceptHandler | ast.match_case):
        line.insert(0, node.body[0])
    own = {id(statement): number for number, block in enumerate(blocks(tree)) for statement in block.statements}
    number = next((own[id(part)] for part in line if id(part) in own), None)
    return number, next((names for part in line if (names := defined_names(part))), frozenset())


def defined_names(node: ast.AST) -> frozenset[str]:
    """Return the names that a definition or an assignment defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return frozenset({name}) if not name.startswith("__") else frozenset()  # Python calls __init__ by the class
        case ast.Assign(targets=targets):
            return frozenset(part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            return frozenset({name})
    return frozenset()


def used_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names in a statement, except in the bodies below."""
    for node in _own_nodes(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _own_nodes(child)


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the bodies below a function or a statement, except those of nested functions and classes."""
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
    """Split a body after each compound statement; a docstring stays first in its function."""
    start = int(isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
    for at in range(start, len(body)):
        if isinstance(body[at], _COMPOUND) or at == len(body) - 1:
            yield Block(body, start, body[start : at + 1])
            start = at + 1
