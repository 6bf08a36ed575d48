"""What the tests may not do: depend on a quiet machine, print a whole world, or be skipped for an unnamed reason.

Where a limit is what is promised (a stop ends within five seconds), the line says so in a comment: ``# contract: ...``.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import tests.kill
import tests.shards
import tests.standin

TESTS = Path(__file__).parent
SPEED = ("bench", "mutants")  # folders that measure
CLOCKS = {  # clocks of the machine
    "monotonic",
    "perf_counter",
    "process_time",
    "thread_time",
    "monotonic_ns",
    "perf_counter_ns",
}
MEASURED = {"seconds", "slowest", "born", "hits"}  # attributes of the stand-in's that hold what such a clock said
LEAST = 60  # seconds that a wait may take at least, before it counts as failed
EXCUSE = "# contract: "
WAITS = {"timeout": 0, "wait_for": 1, "until": 1}  # where their limit stands among the arguments
MEASURES = re.compile(rf"\b(?:{'|'.join(CLOCKS)}|(?:time|loop)\.time)\(|\.(?:{'|'.join(MEASURED)})\b")
SUSPECT = re.compile(rf"{MEASURES.pattern}|\.(?:{'|'.join(WAITS)})\(")


def checked(source: str) -> list[str]:
    """Return the lines of a source that hold measured time against a number, or wait for too short a time."""
    tree, lines = ast.parse(source), source.splitlines()
    found: list[ast.Assert | ast.Call] = [*_comparisons(tree, lines), *_short_waits(tree)]
    faults = [node for node in found if not any(EXCUSE in line for line in lines[node.lineno - 1 : node.end_lineno])]
    return [f"{node.lineno}: {lines[node.lineno - 1].strip()}" for node in faults]


def _comparisons(tree: ast.Module, lines: list[str]) -> Iterator[ast.Assert]:
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    for function in functions:
        if MEASURES.search("\n".join(lines[function.lineno - 1 : function.end_lineno])):
            measured = {name for name, value in _assigned(function) if _measures(value, set())}
            yield from (
                node for node in ast.walk(function) if isinstance(node, ast.Assert) and _compares(node.test, measured)
            )


def _assigned(within: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for node in ast.walk(within):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.NamedExpr(ast.Name(id=name), value):
                yield name, value


def _compares(test: ast.AST, names: set[str]) -> bool:
    ordered = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    return any(
        isinstance(node, ast.Compare)
        and any(isinstance(how, ordered) for how in node.ops)
        and any(_measures(part, names) for part in (node.left, *node.comparators))
        for node in ast.walk(test)
    )


def _measures(value: ast.AST, names: set[str]) -> bool:
    """Whether an expression holds what a clock of the machine said."""
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in CLOCKS:
                return True
            case ast.Call(func=ast.Attribute(ast.Name(id="time" | "loop"), "time")):
                return True
            case ast.Attribute(attr=name) if name in MEASURED:
                return True
            case ast.Name(id=name) if name in names:
                return True
    return False


def _short_waits(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the calls that give up before LEAST seconds, said as a number or by a constant of the module."""
    known = {name: value.value for name, value in _assigned(tree) if isinstance(value, ast.Constant)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in WAITS:
                for limit in args[WAITS[name] :]:
                    value = limit.value if isinstance(limit, ast.Constant) else known.get(getattr(limit, "id", ""))
                    if isinstance(value, int | float) and value < LEAST:
                        yield node


def test_no_test_measures_time_or_waits_too_short() -> None:
    found = {str(path.relative_to(TESTS)): checked(path.read_text(encoding="utf-8")) for path in sources()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def sources() -> list[Path]:
    """Return the files in which such a line could stand: to read all of them takes seconds."""
    files = (path for path in sorted(TESTS.rglob("*.py")) if path.relative_to(TESTS).parts[0] not in SPEED)
    return [path for path in files if SUSPECT.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    "line",
    [
        "assert time.monotonic() - began < 3",
        "assert told.seconds < 3",
        "took = perf_counter() - began\n    assert 0.3 <= took",
        "await world.until(lambda: ready, 20)",
        "async with asyncio.timeout(5): pass",
        "await asyncio.wait_for(bot.wait(), 15)",
        "await asyncio.wait_for(bot.wait(), SHORT)",
    ],
)
def test_lines_that_depend_on_speed_are_found(line: str) -> None:
    assert len(checked(f"SHORT = 5.0\nasync def test():\n    {line}\n")) == 1
    assert not checked(f"SHORT = 5.0\nasync def test():\n    {line}  # contract: a stop ends in time\n")


@pytest.mark.parametrize(
    "line",
    [
        "assert clock.now() - began == span",
        "async with asyncio.timeout(60):\n        pass",
        "await world.until(lambda: ready)",
        "print(time.monotonic() - began)",
        "while loop.time() < deadline:\n        pass",
    ],
)
def test_other_lines_are_not_reported(line: str) -> None:
    assert not checked(f"SHORT = 5.0\nasync def test():\n    {line}\n")


@pytest.mark.parametrize("package", [tests.kill, tests.shards, tests.standin], ids=lambda package: package.__name__)
def test_a_failed_assertion_does_not_print_a_world(package: ModuleType) -> None:
    """A class whose fields lead to a simulated Discord has no generated repr: pytest would build gigabytes of text."""
    modules = [import_module(name) for _, name, _ in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")]
    classes = {found for module in modules for found in vars(module).values() if isinstance(found, type)}
    ours = [found for found in classes if found.__module__.startswith(package.__name__)]
    dataclasses = [(found.__name__, getattr(found, "__dataclass_params__", None)) for found in ours]
    assert [name for name, of in dataclasses if of and of.repr and not of.frozen] == []


def test_every_reason_for_a_skip_is_named_in_the_readme() -> None:
    named = (
        (TESTS / "README.md").read_text(encoding="utf-8").partition("## What may be skipped")[2].partition("\n## ")[0]
    )
    found = {reason for path in TESTS.rglob("*.py") for reason in skips(path.read_text(encoding="utf-8"))}
    assert found
    assert {reason for reason in found if reason not in named} == set()


def skips(source: str) -> Iterator[str]:
    """Yield the reasons for which a source skips tests: what of them is said in words."""
    if "pytest.skip" not in source and "skipif" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(ast.Name(id="pytest"), "skip"), args=[reason, *_]):
                yield _words(reason)
            case ast.Call(func=ast.Attribute(attr="skipif"), keywords=keywords):
                yield from (_words(each.value) for each in keywords if each.arg == "reason")


def _words(reason: ast.expr) -> str:
    """Return the words a reason begins with, or, where it is worked out, its source."""
    first = reason.values[0] if isinstance(reason, ast.JoinedStr) else reason
    return str(first.value).partition("(")[0].strip(" :") if isinstance(first, ast.Constant) else ast.unparse(reason)
