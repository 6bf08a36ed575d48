"""The tool that plants faults: a fault changes a program where it says, the draw is fair, and marks tell the truth."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.mutants.__main__ import arguments, chosen
from tests.mutants.blocks import blocks, holder, marked
from tests.mutants.draw import drawn
from tests.mutants.faults import ROOT, Module, faults, modules, planted, wrong
from tests.mutants.fork_trials import put
from tests.mutants.reach import in_turn
from tests.mutants.record import START, Test, collected, reaching, write
from tests.mutants.trial import Verdict, tried
from tests.mutants.verdicts import Verdicts

KINDS = [
    ("a < b", "turned round", "a >= b"),
    ("a < b", "off by one", "a <= b"),
    ("a and b", "and/or", "a or b"),
    ("a and b", "condition missing", "b"),
    ("not a", "not missing", "a"),
    ("a + b", "other operation", "a - b"),
    ("f(1)", "number", "f(2)"),
    ("f(True)", "true/false", "f(False)"),
    ("a.x + a.y", "attribute", "a.y + a.y"),
    ("min(a)", "namesake", "max(a)"),
    ("a['x'] + a['y']", "word", "a['y'] + a['y']"),
    ("f(a, b)", "arguments", "f(b, a)"),
    ("f(a, b=c)", "argument missing", "f(a)"),
    ("x = [a, b]", "element missing", "x = [b]"),
    ("x = {1: a, 2: b}", "entry missing", "x = {2: b}"),
    ("match a:\n    case 1:\n        b\n    case 2:\n        c", "case missing", "match a:\n    case 2:\n        c"),
    ("a if b else c", "branch", "a if True else c"),
    ("while a:\n    b", "branch", "while False:\n    b"),
    ("[a for a in b if c]", "filter missing", "[a for a in b]"),
    ("match a:\n    case 1 if b:\n        c", "guard missing", "match a:\n    case 1:\n        c"),
    ("f()", "statement missing", "pass"),
    ("def f():\n    return a", "nothing returned", "def f():\n    return None"),
    ("try:\n    a\nexcept E:\n    b", "error not caught", "try:\n    a\nexcept E:\n    raise"),
]
GUARDED = """
def f(number):
    "Say what a number is."
    if number < 0:
        return "less"
    name = "more"
    for at in range(number):
        name += "!"
    try:
        return name * (6 // number)
    except ZeroDivisionError:
        return "nothing"
LIMIT = 3
"""


def module(folder: Path, name: str, source: str) -> Module:
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return Module(name, path)


@pytest.mark.parametrize(("before", "kind", "after"), KINDS)
def test_each_kind_of_fault(tmp_path: Path, before: str, kind: str, after: str) -> None:
    there = module(tmp_path, "there", before)
    assert after in {ast.unparse(wrong(fault)) for fault in faults(there) if fault.kind == kind}


def test_every_fault_of_the_bot_changes_a_program_that_can_still_be_read() -> None:
    for there in modules()[::60]:
        whole = ast.dump(there.tree)
        for fault in faults(there)[::90]:
            assert planted(fault).co_filename == str(there.path)
            assert fault.line <= len(there.path.read_text(encoding="utf-8").splitlines())
        assert ast.dump(there.tree) == whole


def test_nothing_is_changed_that_nobody_could_see(tmp_path: Path) -> None:
    silent = """
    def f(a: tuple[int, str] = LIMIT) -> dict[int, str]:
        'Return 1.'
        log.info('Told %s and %s', 1, a)
    """
    assert faults(module(tmp_path, "silent", "__all__ = ['A', 'B']\nclass A:" + silent)) == []


def test_a_draw_is_the_same_for_a_seed_and_follows_the_lines(tmp_path: Path) -> None:
    two = [module(tmp_path, name, "a = b < 1\n" * lines) for name, lines in (("short", 100), ("long", 300))]
    one = drawn("0badcafe", 80, two)
    assert one == drawn("0badcafe", 80, two)
    assert one != drawn("0badcaff", 80, two)
    assert len({(fault.module.name, fault.line) for fault in one}) == 80
    assert 50 <= Counter(fault.module.name for fault in one)["long"] <= 70


def test_a_longer_draw_begins_as_a_shorter_one(tmp_path: Path) -> None:
    there = [module(tmp_path, "there", "a = b < 1\n" * 300)]
    assert drawn("0badcafe", 80, there)[:20] == drawn("0badcafe", 20, there)


def test_one_may_draw_from_some_packages_alone() -> None:
    asked = arguments(["--seed", "0badcafe", "--count", "100", "--packages", "bot.store", "cogs"])
    assert (asked.seed, asked.count) == ("0badcafe", 100)
    found = {
        name for name in ("bot.store.store", "bot.storeroom", "bot.client", "cogs.lobby.lobby") if picked(name, asked)
    }
    assert found == {"bot.store.store", "cogs.lobby.lobby"}


def picked(name: str, asked: Any) -> bool:
    return chosen(Module(name, Path()), asked.packages)


def test_one_may_run_some_tests_alone() -> None:
    asked = arguments(["--tests", "tests/mutants/test_mutants.py"])
    assert any(test.endswith("::test_one_may_run_some_tests_alone") for test in collected(*asked.tests))


def test_what_was_tried_before_a_stop_is_known_after_it(tmp_path: Path) -> None:
    drawn_faults = dict(enumerate(faults(module(tmp_path, "there", "a = b < 1\nc = d + 1\n"))[:3], 1))
    kept = Verdicts(tmp_path / "some.verdicts")
    assert kept.known(drawn_faults) == {}
    verdicts = {number: Verdict(drawn_faults[number], "a test", "why", 1, 2, 3.0) for number in (1, 3)}
    for number, verdict in verdicts.items():
        kept.add(number, verdict)
    assert kept.known(drawn_faults) == verdicts
    kept.forget([3])
    assert set(kept.known(drawn_faults)) == {1}


@pytest.mark.parametrize(("number", "reached"), [(-1, {4, 5}), (0, {4, 6, 9, 10, 12}), (2, {4, 6, 8, 9, 10})])
def test_a_mark_is_made_where_a_program_was(number: int, reached: set[int]) -> None:
    tree = ast.parse(GUARDED)
    lines = [block.statements[0].lineno for block in blocks(tree)]
    marks = bytearray(len(lines))
    there = {"__reached__": marks}
    exec(compile(marked(tree, 0), "guarded", "exec"), there)
    f = there["f"]
    assert callable(f)
    f(number)
    assert f.__doc__ == "Say what a number is."
    assert {line for line, mark in zip(lines, marks, strict=True) if mark} == reached


def test_a_fault_belongs_to_the_block_it_stands_in_and_to_a_name() -> None:
    tree = ast.parse(GUARDED)
    starts = [block.statements[0].lineno for block in blocks(tree)]
    numbers = {node.value: holder(tree, node) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    inside = {value: (starts[at], names) for value, (at, names) in numbers.items() if at is not None}
    assert inside["less"] == (5, frozenset({"f"}))
    assert inside["more"] == (6, frozenset({"name"}))
    assert inside["nothing"] == (12, frozenset({"f"}))
    assert numbers[3] == (None, frozenset({"LIMIT"}))


def test_a_fault_is_put_into_what_is_loaded_where_it_stands_in_a_function(tmp_path: Path) -> None:
    there = module(tmp_path, "there", "def below(a):\n    return a < 3\nLIMIT = f(4)\n")
    loaded: dict[str, Any] = {"f": abs}
    exec(compile(there.tree, str(there.path), "exec"), loaded)
    by_kind = {fault.kind: fault for fault in faults(there)}
    assert not put(next(fault for fault in faults(there) if fault.line == 3))
    assert put(by_kind["off by one"])
    assert [loaded["below"](number) for number in (2, 3, 4)] == [True, True, False]


def test_the_cheap_come_first_which_are_quick_and_about_the_room_and_files_take_turns() -> None:
    room, elsewhere = reaching({0, 1}), reaching({2})
    tests = [
        Test("a::1", 1.5, room),
        Test("a::2", 1.2, room + elsewhere),  # 1.8 seconds for so much that is about the room
        Test("a::3", 1.4, room),
        Test("b::1", 2.0, room),
        Test("tests/browser/c::1", 0.1, room),
    ]
    assert [test.id for test in in_turn(tests, room)] == ["a::3", "b::1", "a::1", "a::2", "tests/browser/c::1"]


def test_a_fault_is_found_by_the_tests_that_concern_it_and_by_no_others() -> None:
    (there,) = (found for found in modules() if found.name == "bot.rules.big_two.score")
    fault = next(fault for fault in faults(there) if fault.kind == "nothing returned")
    assert tried(fault, ["tests/test_env_example.py", "tests/rules/test_big_two_variants_score.py"]).by
    verdict = tried(fault, ["tests/test_env_example.py"])
    assert (verdict.by, verdict.run > 0) == ("", True)


LOAD = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("a_name_of_its_own", sys.argv[1])
step = importlib.util.module_from_spec(spec)
spec.loader.exec_module(step)
print(step.upgrade.__code__.co_code.hex())
"""


def test_a_fault_in_a_step_of_migration_is_planted_too(tmp_path: Path) -> None:
    """Such a step is loaded by its file, under a name of its own."""
    (there,) = (found for found in modules() if found.name == "bot.store.migrations.versions.r0025_notices")
    fault = next(fault for fault in faults(there) if fault.kind == "arguments" and "create_index" in str(fault))
    write(tmp_path, [(there.name, planted(fault))])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(START), str(ROOT))), "MUTANTS_CODE": str(tmp_path)}
    command = [sys.executable, "-c", LOAD, str(there.path)]
    loaded = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.strip()
    assert loaded == upgrade(planted(fault)) != upgrade(compile(there.tree, str(there.path), "exec"))


def upgrade(module: CodeType) -> str:
    """Return the code of a step's function in hexadecimal digits."""
    (found,) = (part for part in module.co_consts if isinstance(part, CodeType) and part.co_name == "upgrade")
    return found.co_code.hex()
