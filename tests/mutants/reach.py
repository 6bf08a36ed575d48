"""Which tests are run against a fault, and in which order.

First those that reach its line. If few, other tests of the same files are run among them, then tests that reach the
users of the line's name or its module: what is worked out once a process is reached by one test and used by others. The
cheap ones come first, which are quick and mostly about the room in which the fault is; and since the tests of a kind
mostly stand in one file, the files take turns. Tests in a browser come last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from tests.mutants.blocks import blocks, given, holder, named
from tests.mutants.faults import ROOT, Fault, Module, places
from tests.mutants.record import Record, Test, reaching

FEW = 20
LEAST = 0.01  # of a test that is not about the room at all


class Reach:
    """Knows for a record which tests concern a fault."""

    def __init__(self, record: Record, modules: Iterable[Module]) -> None:
        self._record = record
        self._rooms: dict[str, set[int]] = {}
        self._modules: dict[str, set[int]] = {}
        self._naming: dict[str, set[int]] = {}  # the blocks in which a name stands
        self._onwards: dict[str, set[str]] = {}  # what is defined by it
        for module in modules:
            self._read(module)

    def _read(self, module: Module) -> None:
        tree = module.tree
        for number, block in enumerate(blocks(tree), self._record.first[module.name]):
            self._rooms.setdefault(module.room, set()).add(number)
            self._modules.setdefault(module.name, set()).add(number)
            for name in block.names:
                self._naming.setdefault(name, set()).add(number)
        for statement in tree.body:
            for name in named(statement):
                self._onwards.setdefault(name, set()).update(given(statement))

    def tests(self, fault: Fault) -> list[str]:
        """Return the ids of the tests to run, in order; files that are newer than the record, whole, come first."""
        tree = fault.module.tree
        number, names = holder(tree, places(tree)[fault.number][0])
        found = [] if number is None else self._reaching({self._record.first[fault.module.name] + number})
        room = reaching(self._rooms.get(fault.module.room, ()))
        ids = dict.fromkeys(test.id for test in in_turn(found if len(found) >= FEW else self._beside(found), room))
        for ring in (*self._rings(names), self._modules.get(fault.module.name, ())):
            if len(found) >= FEW:
                break
            found = self._reaching(ring)
            ids |= dict.fromkeys(test.id for test in in_turn(found, room))
        return [*self._newer(), *ids]

    def _rings(self, names: frozenset[str]) -> Iterator[set[int]]:
        """Yield the blocks that name these, then the next ring of blocks, and so on."""
        known = set[str]()
        while names := frozenset(names - known):
            yield {number for name in names for number in self._naming.get(name, ())}
            known |= names
            names = frozenset(onward for name in names for onward in self._onwards.get(name, ()))

    def _reaching(self, numbers: Iterable[int]) -> list[Test]:
        wanted = reaching(numbers)
        return [test for test in self._record.tests if test.reached & wanted]

    def _beside(self, tests: Iterable[Test]) -> list[Test]:
        files = {test.file for test in tests}
        return [test for test in self._record.tests if test.file in files]

    def _newer(self) -> list[str]:
        since = self._record.path.stat().st_mtime
        paths = (path for path in sorted((ROOT / "tests").rglob("test_*.py")) if path.stat().st_mtime > since)
        return [str(path.relative_to(ROOT)) for path in paths if "mutants" not in path.parts]


def in_turn(tests: Iterable[Test], room: int) -> list[Test]:
    """Sort tests by their price and that of the cheaper ones of their file; room: the blocks they had best be about."""
    spent = defaultdict[str, float](float)
    keyed = list[tuple[bool, float, Test]]()
    for price, test in sorted(((_price(test, room), test) for test in tests), key=lambda pair: pair[0]):
        spent[test.file] += price
        keyed.append((test.file.startswith("tests/browser"), spent[test.file], test))
    return [test for *_, test in sorted(keyed, key=lambda key: key[:2])]


def _price(test: Test, room: int) -> float:
    """Return what a test costs: its seconds, more for tests of wide scope."""
    return test.seconds / max(LEAST, (test.reached & room).bit_count() / max(1, test.reached.bit_count()))
