"""Selects the tests to run against a mutation, and their order.

First the tests that reach the line. If there are few, other tests of the same files are added, then tests that reach
users of the line's names, or its module: a value computed once per process is reached by one test and used by others.
Cheap tests come first: quick ones that mostly reach the mutation's package. Files alternate, since similar tests are in
the same file. Browser tests come last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.mutants.blocks import blocks, defined_names, find_block, used_names
from tests.mutants.mutations import ROOT, Module, Mutation, changes_in
from tests.mutants.record import Record, Test, block_mask

ENOUGH_TESTS = 20
MIN_FOCUS = 0.01  # lowest share of blocks in the package to assume


class Reach:
    """Selects tests by a record of which test reaches which block."""

    def __init__(self, record: Record, modules: Iterable[Module]) -> None:
        self._record = record
        self._package_names: dict[str, set[int]] = {}
        self._modules: dict[str, set[int]] = {}
        self._blocks_naming: dict[str, set[int]] = {}  # name -> blocks that use it
        self._definitions_using: dict[str, set[str]] = {}  # name -> names defined with it
        for module in modules:
            self._read(module)

    def _read(self, module: Module) -> None:
        tree = module.tree
        for number, block in enumerate(blocks(tree), self._record.first[module.name]):
            self._package_names.setdefault(module.package, set()).add(number)
            self._modules.setdefault(module.name, set()).add(number)
            for name in block.names:
                self._blocks_naming.setdefault(name, set()).add(number)
        for statement in tree.body:
            for name in used_names(statement):
                self._definitions_using.setdefault(name, set()).update(defined_names(statement))

    def tests(self, mutation: Mutation) -> list[str]:
        """Return the ids of the tests to run, in order; whole files newer than the record come first."""
        tree = mutation.module.tree
        number, names = find_block(tree, changes_in(tree)[mutation.number][0])
        found = [] if number is None else self._reaching({self._record.first[mutation.module.name] + number})
        package = block_mask(self._package_names.get(mutation.module.package, ()))
        ids = dict.fromkeys(
            test.id for test in by_cost(found if len(found) >= ENOUGH_TESTS else self._same_file_tests(found), package)
        )
        for ring in (*self._dependency_rings(names), self._modules.get(mutation.module.name, ())):
            if len(found) >= ENOUGH_TESTS:
                break
            found = self._reaching(ring)
            ids |= dict.fromkeys(test.id for test in by_cost(found, package))
        return [*self._newer_files(), *ids]

    def _dependency_rings(self, names: frozenset[str]) -> Iterator[set[int]]:
        """Yield the blocks that use these names, then the users of names defined in the last ring, and so on."""
        known = set[str]()
        while names := frozenset(names - known):
            yield {number for name in names for number in self._blocks_naming.get(name, ())}
            known |= names
            names = frozenset(onward for name in names for onward in self._definitions_using.get(name, ()))

    def _reaching(self, numbers: Iterable[int]) -> list[Test]:
        wanted = block_mask(numbers)
        return [test for test in self._record.tests if test.reached & wanted]

    def _same_file_tests(self, tests: Iterable[Test]) -> list[Test]:
        files = {test.file for test in tests}
        return [test for test in self._record.tests if test.file in files]

    def _newer_files(self) -> list[str]:
        since = self._record.path.stat().st_mtime
        paths = (path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path.stat().st_mtime > since)
        return [str(path.relative_to(ROOT)) for path in paths if "mutants" not in path.parts]


def by_cost(tests: Iterable[Test], package: int) -> list[Test]:
    """Sort tests by the total cost of their file so far. package: the blocks of the mutation's package."""
    cpu_seconds = defaultdict[str, float](float)
    keyed = list[tuple[bool, float, Test]]()
    for price, test in sorted(((_cost(test, package), test) for test in tests), key=lambda pair: pair[0]):
        cpu_seconds[test.file] += price
        keyed.append((test.file.startswith("tests/browser"), cpu_seconds[test.file], test))
    return [test for *_, test in sorted(keyed, key=lambda key: key[:2])]


def _cost(test: Test, package: int) -> float:
    """Return the cost of a test: its seconds, divided by the share of its blocks in the package."""
    return test.seconds / max(MIN_FOCUS, (test.reached & package).bit_count() / max(1, test.reached.bit_count()))
