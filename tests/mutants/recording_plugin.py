"""A pytest plugin that records which blocks each test reaches, and its seconds.

MUTANTS_REACHED: path prefix of the marks; each test process writes its own file, shared with its children.
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
    """Give this process and its children their own file of marks."""
    shutil.copyfile(os.environ["MUTANTS_REACHED"], MARKS)
    os.environ["MUTANTS_REACHED"] = str(MARKS)
    import_module("sitecustomize").map_marks(str(MARKS))  # from the folder start


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Deselect the tests that were recorded before a stop."""
    recorded = {
        json.loads(line)["test"]
        for part in MARKS.parent.glob("marks.*.jsonl")
        for line in part.open()
        if line.endswith("\n")
    }
    items[:] = [item for item in items if item.nodeid not in recorded]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Clear the marks, run a test, and record the marks."""
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
