"""The record of which tests reach what: made by running all tests once, and kept as long as the bot's sources stay.

Knows how the marks of blocks.py are numbered over all modules, and how to run tests with other code than the tree's.
"""

from __future__ import annotations

import base64
import hashlib
import json
import marshal
import os
import subprocess
import sys
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

from tests.mutants.blocks import blocks, marked
from tests.mutants.faults import ROOT, Module, modules

KEPT = ROOT / ".mutants"
START = Path(__file__).parent / "start"


@dataclass(frozen=True)
class Test:
    """A test by its id in pytest. seconds: how long it took; reached: for each block a byte, 1 where it was."""

    __test__ = False
    id: str
    seconds: float
    reached: int

    @property
    def file(self) -> str:
        """The file it stands in."""
        return self.id.partition("::")[0]


@dataclass(frozen=True)
class Record:
    """All tests. first: the number of each module's first block; path: where it is kept."""

    tests: tuple[Test, ...]
    first: dict[str, int]
    path: Path


def numbered(among: Sequence[Module]) -> dict[str, int]:
    """Return the number of each module's first block, and under "" how many blocks there are."""
    found, number = dict[str, int](), 0
    for module in among:
        found[module.name] = number
        number += len(blocks(module.tree))
    return {**found, "": number}


def write(folder: Path, codes: Iterable[tuple[str, CodeType]]) -> None:
    """Write the code of modules to where start/sitecustomize.py looks for it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, code in codes:
        (folder / f"{name}.code").write_bytes(marshal.dumps(code))


def pytest(*words: str, **env: str) -> list[str]:
    """Return the command that runs tests, as env starts it: the interpreter, its settings and the words."""
    path = os.pathsep.join((str(START), str(ROOT)))
    settings = [f"{name}={value}" for name, value in {"PYTHONPATH": path, **env}.items()]
    return ["env", *settings, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]


def collected(*words: str) -> list[str]:
    """Return the ids of the tests in these files and folders."""
    command = pytest("--collect-only", "-v", "-m", "not soak", *words)  # each id in a line
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [line for line in told.splitlines() if "::" in line]


def record() -> Record:
    """Return the record of these sources; without one, run all tests and store it.

    What was run before a stop is not run again.
    """
    among = modules()
    first = numbered(among)
    path = KEPT / f"{_digest(among)}.jsonl"
    if not path.exists():
        _make(path, among, first)
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    tests = (Test(line["test"], line["seconds"], _unpacked(line["reached"])) for line in lines)
    return Record(tuple(tests), first, path)


def reaching(numbers: Iterable[int]) -> int:
    """Return what a test has reached in these blocks exclusively."""
    return sum(1 << 8 * number for number in numbers)


def _unpacked(marks: str) -> int:
    return int.from_bytes(zlib.decompress(base64.b85decode(marks)), "little")


def _make(path: Path, among: Sequence[Module], first: dict[str, int]) -> None:
    folder = path.with_suffix("")
    known = len(_lines(folder))
    write(folder, ((module.name, _marked(module, first[module.name])) for module in among))
    marks = folder / "marks"
    marks.write_bytes(bytes(first[""]))
    print(f"All tests are run once, to see what each of them reaches; {known} have been.", flush=True)
    all_tests = ("-n", "2", "--dist", "worksteal", "-m", "not soak")
    command = pytest(
        "-p", "tests.mutants.recording_plugin", *all_tests, MUTANTS_CODE=str(folder), MUTANTS_REACHED=str(marks)
    )
    subprocess.run(command, cwd=ROOT, check=False)
    lines = _lines(folder)
    if not lines:
        raise SystemExit("No test could be run, so nothing is known of what they reach.")
    path.write_text("".join(lines), encoding="utf-8")


def _lines(folder: Path) -> list[str]:
    """Return the whole lines that have been written, of each test the last."""
    written = [line for part in sorted(folder.glob("marks.*.jsonl")) for line in part.open(encoding="utf-8")]
    return sorted({json.loads(line)["test"]: line for line in written if line.endswith("\n")}.values())


def _marked(module: Module, first: int) -> CodeType:
    return compile(marked(module.tree, first), str(module.path), "exec")


def _digest(among: Sequence[Module]) -> str:
    """Return the name of the record of these sources."""
    told = hashlib.blake2s(digest_size=8)
    for module in among:
        told.update(module.name.encode() + b"\0" + module.path.read_bytes())
    return told.hexdigest()
