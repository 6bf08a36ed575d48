"""A plugin of pytest that writes down which blocks each test reaches, and how long the test takes.

MUTANTS_REACHED names the place of marks; each test process writes a file of its own, shared by its children.
"""

from __future__ import annotations

import base64
import builtins
import json
import os
import shutil
import time
import zlib
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

MARKS = Path(os.environ["MUTANTS_REACHED"]).with_suffix(f".{os.getpid()}")
LINES = MARKS.with_suffix(f".{os.getpid()}.jsonl")


def pytest_configure() -> None:
    """Write the marks of this process and its children into its own file."""
    shutil.copyfile(os.environ["MUTANTS_REACHED"], MARKS)
    os.environ["MUTANTS_REACHED"] = str(MARKS)
    import_module("sitecustomize").share(str(MARKS))  # that of the folder start


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what has been recorded before a stop."""
    recorded = {
        json.loads(line)["test"]
        for part in MARKS.parent.glob("marks.*.jsonl")
        for line in part.open()
        if line.endswith("\n")
    }
    items[:] = [item for item in items if item.nodeid not in recorded]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Run a test between a clean sheet and a line in the record."""
    marks = builtins.__reached__  # type: ignore[attr-defined]
    marks[:] = bytes(len(marks))
    start = time.monotonic()
    done = yield
    line = {"test": item.nodeid, "seconds": round(time.monotonic() - start, 3), "reached": _packed(marks[:])}
    with LINES.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(line)}\n")
    return done


def _packed(marks: bytes) -> str:
    return base64.b85encode(zlib.compress(marks)).decode("ascii")
