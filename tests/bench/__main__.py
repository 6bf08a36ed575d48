"""Runs all benchmarks one after the other, or only some: python -m tests.bench, python -m tests.bench rules sleep."""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

PARTS = (
    "rules",
    "house",
    "house_big_a",
    "house_a_bao",
    "house_big_little_a",
    "requests",
    "click",
    "discord",
    "pictures",
    "million",
    "ratings",
    "replay",
    "sleep",
    "restart",
    "ringing",
    "load",
    "lobbies",
    "abuse",
    "taps",
    "thinking",
    "pacing",
    "waiting",
    "own_data",
)
USAGE = """usage: python -m tests.bench [measurement ...] [options of these measurements]
       python -m tests.bench measurement --help

Runs every measurement where none is named, which takes hours."""


def main() -> None:
    """Run the named benchmarks, or all of them, or list them."""
    parts, options = parse_arguments(sys.argv[1:])
    if {"-h", "--help"} & set(options):
        print("\n\n".join(describe(part) for part in parts) if parts else describe_all())
        return
    for part in parts or PARTS:
        print(f"\n{part}")
        sys.argv[1:] = options
        runpy.run_module(f"tests.bench.{part}", run_name="__main__")


def parse_arguments(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split the arguments into benchmarks and their options. Raises SystemExit for an unknown benchmark."""
    count = next((at for at, word in enumerate(words) if word not in PARTS), len(words))
    parts, options = list(words[:count]), list(words[count:])
    if not parts and options and not options[0].startswith("-"):
        raise SystemExit(f"There is no measurement {options[0]!r}. There are: {', '.join(PARTS)}.")
    return parts, options


def describe_all() -> str:
    """Return the usage, and each benchmark with its question."""
    asks = (describe(part).partition("\n")[0].partition(": python")[0] for part in PARTS)
    return f"{USAGE}\n\n" + "\n".join(f"  {part:20}{ask}" for part, ask in zip(PARTS, asks, strict=True))


def describe(part: str) -> str:
    """Return the module docstring of a benchmark without importing it."""
    spec = find_spec(f"tests.bench.{part}")
    assert spec is not None
    assert spec.origin is not None
    return ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8"))) or ""


if __name__ == "__main__":
    main()
