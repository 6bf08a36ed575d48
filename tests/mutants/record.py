"""The record of which test reaches which blocks: made by running all tests once, valid for unchanged sources.

Numbers the marks of blocks.py over all modules, and runs tests with replaced code.
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

from tests.mutants.blocks import blocks, instrument
from tests.mutants.mutations import ROOT, Module, modules

RECORDS_FOLDER = ROOT / ".mutants"
START_FOLDER = Path(__file__).parent / "start"


@dataclass(frozen=True)
class Test:
    """A test by its pytest id. reached: one byte per block, 1 if reached."""

    __test__ = False
    id: str
    seconds: float
    reached: int

    @property
    def file(self) -> str:
        """The test file."""
        return self.id.partition("::")[0]


@dataclass(frozen=True)
class Record:
    """All tests. first: number of each module's first block; path: of the record."""

    tests: tuple[Test, ...]
    first: dict[str, int]
    path: Path


def first_block_numbers(among: Sequence[Module]) -> dict[str, int]:
    """Return the number of each module's first block, and under "" the number of blocks."""
    found, number = dict[str, int](), 0
    for module in among:
        found[module.name] = number
        number += len(blocks(module.tree))
    return {**found, "": number}


def write(folder: Path, codes: Iterable[tuple[str, CodeType]]) -> None:
    """Write module code into a folder for start/sitecustomize.py."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, code in codes:
        (folder / f"{name}.code").write_bytes(marshal.dumps(code))


def pytest(*words: str, **env: str) -> list[str]:
    """Return the command that runs pytest with these arguments and environment variables."""
    path = os.pathsep.join((str(START_FOLDER), str(ROOT)))
    settings = [f"{name}={value}" for name, value in {"PYTHONPATH": path, **env}.items()]
    return ["env", *settings, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]


def collect_ids(*words: str) -> list[str]:
    """Return the ids of the tests in these files and folders."""
    command = pytest("--collect-only", "-v", "-m", "not soak", *words)  # one id a line
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [line for line in output.splitlines() if "::" in line]


def record() -> Record:
    """Return the record of the present sources; without one, run all tests first, resuming a stopped run."""
    among = modules()
    first = first_block_numbers(among)
    path = RECORDS_FOLDER / f"{_digest(among)}.jsonl"
    if not path.exists():
        _record_all(path, among, first)
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    tests = (Test(line["test"], line["seconds"], _unpacked(line["reached"])) for line in lines)
    return Record(tuple(tests), first, path)


def block_mask(numbers: Iterable[int]) -> int:
    """Return the bits of exactly these blocks."""
    return sum(1 << 8 * number for number in numbers)


def _unpacked(marks: str) -> int:
    return int.from_bytes(zlib.decompress(base64.b85decode(marks)), "little")


def _record_all(path: Path, among: Sequence[Module], first: dict[str, int]) -> None:
    folder = path.with_suffix("")
    known = len(_lines(folder))
    write(folder, ((module.name, _instrumented(module, first[module.name])) for module in among))
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
    """Return the complete lines written so far, the last one of each test."""
    written = [line for part in sorted(folder.glob("marks.*.jsonl")) for line in part.open(encoding="utf-8")]
    return sorted({json.loads(line)["test"]: line for line in written if line.endswith("\n")}.values())


def _instrumented(module: Module, first: int) -> CodeType:
    return compile(instrument(module.tree, first), str(module.path), "exec")


def _digest(among: Sequence[Module]) -> str:
    """Return the file name of the record, a digest of the sources."""
    hasher = hashlib.blake2s(digest_size=8)
    for module in among:
        hasher.update(module.name.encode() + b"\0" + module.path.read_bytes())
    return hasher.hexdigest()
