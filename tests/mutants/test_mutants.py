"""The mutation tool: mutations change the described place, the draw is fair, and marks are correct."""

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

from tests.mutants.__main__ import is_in_packages, parse_arguments
from tests.mutants.blocks import blocks, find_block, instrument
from tests.mutants.draw import draw_mutations
from tests.mutants.forked_runs import patch_loaded
from tests.mutants.fresh_run import Verdict, run_in_fresh_process
from tests.mutants.mutations import ROOT, Module, modules, mutated_code, mutated_tree, mutations
from tests.mutants.reach import by_cost
from tests.mutants.record import START_FOLDER, Test, block_mask, collect_ids, write
from tests.mutants.verdicts import VerdictFile

MUTATION_KINDS = [
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
SAMPLE = """
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


@pytest.mark.parametrize(("before", "kind", "after"), MUTATION_KINDS)
def test_each_kind_of_mutation(tmp_path: Path, before: str, kind: str, after: str) -> None:
    there = module(tmp_path, "there", before)
    assert after in {ast.unparse(mutated_tree(mutation)) for mutation in mutations(there) if mutation.kind == kind}


def test_mutations_of_the_bot_compile_and_leave_the_module_unchanged() -> None:
    for there in modules()[::60]:
        whole = ast.dump(there.tree)
        for mutation in mutations(there)[::90]:
            assert mutated_code(mutation).co_filename == str(there.path)
            assert mutation.line <= len(there.path.read_text(encoding="utf-8").splitlines())
        assert ast.dump(there.tree) == whole


def test_code_without_observable_effect_has_no_mutations(tmp_path: Path) -> None:
    silent = """
    def f(a: tuple[int, str] = LIMIT) -> dict[int, str]:
        'Return 1.'
        log.info('Told %s and %s', 1, a)
    """
    assert mutations(module(tmp_path, "silent", "__all__ = ['A', 'B']\nclass A:" + silent)) == []


def test_a_draw_depends_on_the_seed_and_is_proportional_to_lines(tmp_path: Path) -> None:
    two = [module(tmp_path, name, "a = b < 1\n" * lines) for name, lines in (("short", 100), ("long", 300))]
    one = draw_mutations("0badcafe", 80, two)
    assert one == draw_mutations("0badcafe", 80, two)
    assert one != draw_mutations("0badcaff", 80, two)
    assert len({(mutation.module.name, mutation.line) for mutation in one}) == 80
    assert 50 <= Counter(mutation.module.name for mutation in one)["long"] <= 70


def test_a_longer_draw_starts_with_the_shorter_one(tmp_path: Path) -> None:
    there = [module(tmp_path, "there", "a = b < 1\n" * 300)]
    assert draw_mutations("0badcafe", 80, there)[:20] == draw_mutations("0badcafe", 20, there)


def test_a_draw_can_be_limited_to_packages() -> None:
    asked = parse_arguments(["--seed", "0badcafe", "--count", "100", "--packages", "bot.store", "cogs"])
    assert (asked.seed, asked.count) == ("0badcafe", 100)
    found = {
        name for name in ("bot.store.store", "bot.storeroom", "bot.client", "cogs.lobby.lobby") if picked(name, asked)
    }
    assert found == {"bot.store.store", "cogs.lobby.lobby"}


def picked(name: str, asked: Any) -> bool:
    return is_in_packages(Module(name, Path()), asked.packages)


def test_a_run_can_be_limited_to_test_files() -> None:
    asked = parse_arguments(["--tests", "tests/mutants/test_mutants.py"])
    assert any(test.endswith("::test_a_run_can_be_limited_to_test_files") for test in collect_ids(*asked.tests))


def test_verdicts_are_stored_for_a_resumed_run(tmp_path: Path) -> None:
    drawn_faults = dict(enumerate(mutations(module(tmp_path, "there", "a = b < 1\nc = d + 1\n"))[:3], 1))
    verdict_file = VerdictFile(tmp_path / "some.verdicts")
    assert verdict_file.known(drawn_faults) == {}
    verdicts = {number: Verdict(drawn_faults[number], "a test", "why", 1, 2, 3.0) for number in (1, 3)}
    for number, verdict in verdicts.items():
        verdict_file.add(number, verdict)
    assert verdict_file.known(drawn_faults) == verdicts
    verdict_file.forget([3])
    assert set(verdict_file.known(drawn_faults)) == {1}


@pytest.mark.parametrize(("number", "reached"), [(-1, {4, 5}), (0, {4, 6, 9, 10, 12}), (2, {4, 6, 8, 9, 10})])
def test_marks_show_which_blocks_were_reached(number: int, reached: set[int]) -> None:
    tree = ast.parse(SAMPLE)
    lines = [block.statements[0].lineno for block in blocks(tree)]
    marks = bytearray(len(lines))
    there = {"__reached__": marks}
    exec(compile(instrument(tree, 0), "guarded", "exec"), there)
    f = there["f"]
    assert callable(f)
    f(number)
    assert f.__doc__ == "Say what a number is."
    assert {line for line, mark in zip(lines, marks, strict=True) if mark} == reached


def test_a_mutation_belongs_to_its_block_and_to_names() -> None:
    tree = ast.parse(SAMPLE)
    starts = [block.statements[0].lineno for block in blocks(tree)]
    numbers = {node.value: find_block(tree, node) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    inside = {value: (starts[at], names) for value, (at, names) in numbers.items() if at is not None}
    assert inside["less"] == (5, frozenset({"f"}))
    assert inside["more"] == (6, frozenset({"name"}))
    assert inside["nothing"] == (12, frozenset({"f"}))
    assert numbers[3] == (None, frozenset({"LIMIT"}))


def test_a_mutation_within_a_function_is_patched_into_loaded_code(tmp_path: Path) -> None:
    there = module(tmp_path, "there", "def below(a):\n    return a < 3\nLIMIT = f(4)\n")
    loaded: dict[str, Any] = {"f": abs}
    exec(compile(there.tree, str(there.path), "exec"), loaded)
    by_kind = {mutation.kind: mutation for mutation in mutations(there)}
    assert not patch_loaded(next(mutation for mutation in mutations(there) if mutation.line == 3))
    assert patch_loaded(by_kind["off by one"])
    assert [loaded["below"](number) for number in (2, 3, 4)] == [True, True, False]


def test_cheap_tests_come_first_and_files_alternate() -> None:
    package, elsewhere = block_mask({0, 1}), block_mask({2})
    tests = [
        Test("a::1", 1.5, package),
        Test("a::2", 1.2, package + elsewhere),  # costs 1.8 seconds, by its share in the package
        Test("a::3", 1.4, package),
        Test("b::1", 2.0, package),
        Test("tests/browser/c::1", 0.1, package),
    ]
    assert [test.id for test in by_cost(tests, package)] == ["a::3", "b::1", "a::1", "a::2", "tests/browser/c::1"]


def test_a_mutation_is_killed_only_by_tests_that_concern_it() -> None:
    (there,) = (found for found in modules() if found.name == "bot.rules.big_two.score")
    mutation = next(mutation for mutation in mutations(there) if mutation.kind == "nothing returned")
    assert run_in_fresh_process(
        mutation, ["tests/test_env_example.py", "tests/rules/test_big_two_variants_score.py"]
    ).by
    verdict = run_in_fresh_process(mutation, ["tests/test_env_example.py"])
    assert (verdict.by, verdict.run > 0) == ("", True)


LOAD_MIGRATION = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("a_name_of_its_own", sys.argv[1])
step = importlib.util.module_from_spec(spec)
spec.loader.exec_module(step)
print(step.upgrade.__code__.co_code.hex())
"""


def test_a_mutation_of_a_migration_step_is_loaded(tmp_path: Path) -> None:
    """Migration steps are loaded by file, under other names."""
    (there,) = (found for found in modules() if found.name == "bot.store.migrations.versions.r0025_notices")
    mutation = next(
        mutation for mutation in mutations(there) if mutation.kind == "arguments" and "create_index" in str(mutation)
    )
    write(tmp_path, [(there.name, mutated_code(mutation))])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(START_FOLDER), str(ROOT))), "MUTANTS_CODE": str(tmp_path)}
    command = [sys.executable, "-c", LOAD_MIGRATION, str(there.path)]
    loaded = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.strip()
    assert loaded == upgrade_code(mutated_code(mutation)) != upgrade_code(compile(there.tree, str(there.path), "exec"))


def upgrade_code(module: CodeType) -> str:
    """Return the bytecode of a step's function in hexadecimal digits."""
    (found,) = (part for part in module.co_consts if isinstance(part, CodeType) and part.co_name == "upgrade")
    return found.co_code.hex()
