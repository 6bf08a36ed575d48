"""``python -m tests.readability``: how readable the docstrings are, as ``make check`` holds it.

The measure is the share of words that name nothing (it, that, whoever, somebody, there ...) in each sentence of the
docstrings of ``bot`` and ``cogs``. Sentences end at ``.`` or ``:`` before a blank or a line break; those of 9 to 59
words count. asyncio, discord.py and SQLAlchemy have 0.11 to 0.14.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
MEAN, MOST, WORST = 0.18, 0.30, 0.5  # of all sentences at most; nine in ten at most; none as high as this
NINE_IN_TEN = 0.9
LENGTHS = range(9, 60)  # words of a sentence that counts
EMPTY = frozenset(
    [
        "what",
        "whoever",
        "whom",
        "who",
        "it",
        "its",
        "that",
        "this",
        "these",
        "those",
        "there",
        "here",
        "which",
        "where",
        "so",
        "some",
        "somebody",
        "anybody",
        "nobody",
        "one",
        "ones",
        "other",
        "others",
        "else",
        "anything",
        "something",
        "nothing",
        "all",
        "any",
        "as",
        "far",
        "be",
        "such",
        "their",
        "theirs",
        "they",
        "them",
        "he",
        "his",
        "now",
        "then",
        "more",
        "less",
        "than",
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "do",
        "does",
        "done",
        "may",
        "can",
    ]
)


class Sentence(NamedTuple):
    """A sentence of a docstring. share: of its words, those that name nothing. package: such as ``bot/show``."""

    share: float
    package: str
    where: str
    text: str


def sentences(roots: Sequence[str] = ("bot", "cogs")) -> list[Sentence]:
    """Return all sentences that count, the least readable first."""
    files = sorted(path for root in roots for path in _modules(ROOT / root))
    return sorted((found for path in files for found in _sentences(path)), reverse=True)


def _modules(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    else:
        yield from path.rglob("*.py")


def _sentences(path: Path) -> Iterator[Sentence]:
    where = path.relative_to(ROOT)
    package = "/".join(where.parts[: 2 if len(where.parts) > 2 else 1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            line = node.body[0].lineno if node.body else 1
            for text in re.split(r"(?<=[.:])\s+", ast.get_docstring(node) or ""):
                words = re.findall(r"[^\W\d_][^\W\d_']*", text.lower())
                if len(words) in LENGTHS:
                    share = sum(word in EMPTY for word in words) / len(words)
                    yield Sentence(share, package, f"{where}:{line}", " ".join(text.split()))


def mean(found: Sequence[Sentence]) -> float:
    """Return the mean share; 0 of nothing."""
    return sum(one.share for one in found) / len(found) if found else 0.0


def nine_in_ten(found: Sequence[Sentence]) -> float:
    """Return the share that nine in ten sentences do not exceed; 0 of nothing. found: the least readable first."""
    return found[int(len(found) * (1 - NINE_IN_TEN))].share if found else 0.0


def broken(found: Sequence[Sentence]) -> list[str]:
    """Return what of the measure is not kept, in sentences. found: the least readable first."""
    faults = [f"{one.where} says too little: {one.text}" for one in found if one.share >= WORST]
    if mean(found) > MEAN:
        faults.append(f"The mean share of empty words is {mean(found):.3f}, and at most {MEAN} is allowed.")
    if nine_in_ten(found) > MOST:
        faults.append(f"One docstring sentence in ten has over {MOST} of empty words: {nine_in_ten(found):.2f}.")
    return faults


def main(words: Sequence[str] | None = None) -> None:
    """Print the measure by package, and the least readable sentences; exit with 1 where a check fails."""
    parser = argparse.ArgumentParser("python -m tests.readability", description=__doc__)
    parser.add_argument("paths", nargs="*", default=["bot", "cogs"], help="measure these files and folders alone")
    parser.add_argument("--check", action="store_true", help="fail where the measure is not kept")
    parser.add_argument("--show", type=int, default=20, help="how many of the least readable sentences to print")
    asked = parser.parse_args(words)
    found = sentences(asked.paths)
    for package in sorted({one.package for one in found}):
        own = [one for one in found if one.package == package]
        bad = sum(one.share >= WORST for one in own)
        print(
            f"{package:22}{len(own):5} sentences  mean {mean(own):.3f}  nine in ten {nine_in_ten(own):.2f}  over {bad}"
        )
    print(f"{'all':22}{len(found):5} sentences  mean {mean(found):.3f}  nine in ten {nine_in_ten(found):.2f}")
    for one in found[: asked.show]:
        print(f"{one.share:.2f} {one.where}: {one.text}")
    if asked.check and (faults := broken(found)):
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
