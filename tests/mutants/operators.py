"""Mutation operators: which nodes may replace a node of a program.

Each operator takes a node and yields kinds of mutations with the new node. Uses syntax, and the attributes and words
that occur in the module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

Changes: TypeAlias = Iterator[tuple[str, ast.AST]]
N = TypeVar("N", bound=ast.AST)

_OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.Div: ast.Mult,
}
_OFF_BY_ONE: dict[type[ast.AST], type[ast.AST]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_NAMESAKES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass
class Vocabulary:
    """Names that occur in a module. attributes: by owner, and whether called; words: by use."""

    attributes: dict[tuple[str, bool], set[str]] = field(default_factory=dict)
    words: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module) -> Vocabulary:
        """Collect the names of a module."""
        known = cls()
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        modules = {
            name.asname or name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in modules:
                known.attributes.setdefault((ast.unparse(node.value), id(node) in called), set()).add(node.attr)
            for use, word in _words(node):
                known.words.setdefault(use, set()).add(str(word.value))
        return known


def _words(node: ast.AST) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the string constants used as keys or in comparisons."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str()) as word):
            yield "key", word
        case ast.Compare(left=left, comparators=others):
            parts = (left, *others)
            yield from (("compared", part) for part in parts if isinstance(part, ast.Constant) and _is_word(part))
        case ast.MatchValue(value=ast.Constant(value=str()) as word):
            yield "compared", word


def _is_word(constant: ast.Constant) -> bool:
    return isinstance(constant.value, str) and bool(constant.value)


def with_fields(node: N, **fields: object) -> N:
    """Return a copy of a node with other fields."""
    return type(node)(**{**{name: getattr(node, name, None) for name in node._fields}, **fields})


def mutate_comparison(node: ast.AST, known: Vocabulary) -> Changes:
    """Reverse a comparison, or shift its boundary."""
    if isinstance(node, ast.Compare):
        for table, what in ((_OPPOSITE, "turned round"), (_OFF_BY_ONE, "off by one")):
            for at, found in enumerate(node.ops):
                if other := table.get(type(found)):
                    yield what, with_fields(node, ops=[*node.ops[:at], other(), *node.ops[at + 1 :]])


def mutate_logic(node: ast.AST, known: Vocabulary) -> Changes:
    """Swap and/or, drop a condition or a ``not``, change an operation."""
    match node:
        case ast.BoolOp(op=op, values=values):
            yield "and/or", with_fields(node, op=_OPPOSITE[type(op)]())
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield "condition missing", with_fields(node, values=rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not missing", operand
        case ast.BinOp(op=op) if type(op) in _OPPOSITE and not _is_text(node):
            yield "other operation", with_fields(node, op=_OPPOSITE[type(op)]())


def _is_text(node: ast.BinOp) -> bool:
    kinds = (ast.JoinedStr, ast.List, ast.Tuple)
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return isinstance(node.left, kinds) or isinstance(node.right, kinds) or any(map(_is_word, parts))


def mutate_number(node: ast.AST, known: Vocabulary) -> Changes:
    """Change a number by one; swap true and false."""
    match node:
        case ast.Constant(value=bool(value)):
            yield "true/false", ast.Constant(value=not value)
        case ast.Constant(value=int(value)):
            yield from (("number", ast.Constant(value=value + more)) for more in (1, -1))


def mutate_attribute(node: ast.AST, known: Vocabulary) -> Changes:
    """Use another attribute of the same owner, another key, the minimum in place of the maximum."""
    match node:
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
            for is_called in (False, True):
                if name in (found := known.attributes.get((ast.unparse(value), is_called), set())):
                    yield "attribute", with_fields(node, attr=_next(found, name))
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMESAKES:
            yield "namesake", with_fields(node, id=_NAMESAKES[name])
    for use, word in _words(node):
        yield "word", _with_child(node, word, ast.Constant(value=_next(known.words[use], str(word.value))))


def _next(names: set[str], name: str) -> str:
    """Return the name after this one in alphabetical order, cyclically."""
    return min((other for other in names if other > name), default=min(names))


def mutate_call(node: ast.AST, known: Vocabulary) -> Changes:
    """Swap two arguments; omit an argument that has a default."""
    if isinstance(node, ast.Call):
        args, keywords = node.args, node.keywords
        for at in range(len(args) - 1):
            two = args[at : at + 2]
            if not any(isinstance(arg, ast.Starred) for arg in two):
                yield "arguments", with_fields(node, args=[*args[:at], *reversed(two), *args[at + 2 :]])
        for at, keyword in enumerate(keywords):
            if keyword.arg:
                yield "argument missing", with_fields(node, keywords=[*keywords[:at], *keywords[at + 1 :]])


def mutate_elements(node: ast.AST, known: Vocabulary) -> Changes:
    """Drop an element, an entry or a case."""
    match node:
        case ast.List(elts=parts, ctx=ast.Load()) | ast.Set(elts=parts) | ast.Tuple(elts=parts, ctx=ast.Load()):
            for at in range(len(parts) if len(parts) > 1 else 0):
                yield "element missing", with_fields(node, elts=[*parts[:at], *parts[at + 1 :]])
        case ast.Dict(keys=keys, values=values):
            for at in range(len(keys) if len(keys) > 1 else 0):
                rest = {"keys": [*keys[:at], *keys[at + 1 :]], "values": [*values[:at], *values[at + 1 :]]}
                yield "entry missing", with_fields(node, **rest)
        case ast.Match(cases=cases):
            for at in range(len(cases) if len(cases) > 1 else 0):
                yield "case missing", with_fields(node, cases=[*cases[:at], *cases[at + 1 :]])


def mutate_branch(node: ast.AST, known: Vocabulary) -> Changes:
    """Make a condition always true or always false."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Constant):
            yield from (("branch", with_fields(node, test=ast.Constant(value=holds))) for holds in (True, False))
        case ast.While(test=test) if not isinstance(test, ast.Constant):
            yield "branch", with_fields(node, test=ast.Constant(value=False))
        case ast.comprehension(ifs=[_, *_]):
            yield "filter missing", with_fields(node, ifs=[])
        case ast.match_case(guard=ast.expr()):
            yield "guard missing", with_fields(node, guard=None)


def mutate_statement(node: ast.AST, known: Vocabulary) -> Changes:
    """Drop a statement, return nothing, do not catch an error."""
    match node:
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Continue():
            yield "statement missing", ast.Pass()
        case ast.Break() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "statement missing", ast.Pass()
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "nothing returned", with_fields(node, value=ast.Constant(value=None))
        case ast.ExceptHandler(body=body) if not isinstance(body[0], ast.Raise):
            yield "error not caught", with_fields(node, body=[ast.Raise(exc=None, cause=None)])


OPERATORS = (
    mutate_comparison,
    mutate_logic,
    mutate_number,
    mutate_attribute,
    mutate_call,
    mutate_elements,
    mutate_branch,
    mutate_statement,
)


def _with_child(node: ast.AST, old: ast.AST, new: ast.AST) -> ast.AST:
    """Return a copy of a node with one child replaced."""
    fields = dict(ast.iter_fields(node))
    for name, value in fields.items():
        if value is old:
            fields[name] = new
        elif isinstance(value, list):
            fields[name] = [new if part is old else part for part in value]
    return with_fields(node, **fields)
