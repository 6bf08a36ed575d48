"""``python -m tests.readability``: how readable the docstrings are, as ``make check`` holds it.

The measure is the share of words that name nothing (it, that, whoever, somebody, there ...) in each sentence of the
docstrings. Sentences end at ``.`` or ``:`` before a blank or a line break; those of 9 to 59 words count. asyncio,
discord.py and SQLAlchemy have 0.11 to 0.14. ``bot`` and ``cogs`` have stricter limits than ``tests``, and a short first
line in each docstring.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
NINE_IN_TEN = 0.9
SENTENCE_LENGTHS = range(9, 60)  # words of a sentence that counts
MAX_FIRST_LINE = 88  # characters
SHORT_FIRST_LINES = ("bot", "cogs", "tests/support")


class Limits(NamedTuple):
    """The highest shares of empty words: their mean, those of nine in ten sentences, and those of any sentence."""

    mean: float
    nine_in_ten: float
    any_sentence: float


CODE = ("bot", "cogs")
CODE_LIMITS = Limits(mean=0.12, nine_in_ten=0.25, any_sentence=0.5)
TEST_LIMITS = Limits(mean=0.18, nine_in_ten=0.31, any_sentence=0.5)
EMPTY_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        what whoever whom who it its that this these those there here which where so some somebody anybody nobody
        one ones other others else anything something nothing all any as far be such their theirs they them he
        his now then more less than is are was were has have had do does done may can
        """,
    )
)


class Sentence(NamedTuple):
    """A sentence of a docstring. share: of its words, those that name nothing. package: such as ``bot/show``."""

    share: float
    package: str
    where: str
    text: str


def sentences(roots: Sequence[str] = CODE) -> list[Sentence]:
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
    for line, docstring in _docstrings(path):
        for text in re.split(r"(?<=[.:])\s+", docstring):
            words = re.findall(r"[^\W\d_][^\W\d_']*", text.lower())
            if len(words) in SENTENCE_LENGTHS:
                share = sum(word in EMPTY_WORDS for word in words) / len(words)
                yield Sentence(share, package, f"{where}:{line}", " ".join(text.split()))


def _docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            line = node.body[0].lineno if node.body else 1
            yield line, ast.get_docstring(node) or ""


def long_first_lines(roots: Sequence[str] = SHORT_FIRST_LINES) -> list[str]:
    """Return ``file:line`` of each docstring whose first line is too long."""
    return [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(path for root in roots for path in _modules(ROOT / root))
        for line, docstring in _docstrings(path)
        if len(docstring.partition("\n")[0]) > MAX_FIRST_LINE
    ]


def mean(found: Sequence[Sentence]) -> float:
    """Return the mean share; 0 of nothing."""
    return sum(one.share for one in found) / len(found) if found else 0.0


def nine_in_ten(found: Sequence[Sentence]) -> float:
    """Return the share that nine in ten sentences do not exceed; 0 of nothing. found: the least readable first."""
    return found[int(len(found) * (1 - NINE_IN_TEN))].share if found else 0.0


def faults(found: Sequence[Sentence], limits: Limits = CODE_LIMITS) -> list[str]:
    """Return a message for each exceeded limit. found: the least readable first."""
    messages = [f"{one.where} says too little: {one.text}" for one in found if one.share >= limits.any_sentence]
    if mean(found) > limits.mean:
        messages.append(f"The mean share of empty words is {mean(found):.3f}, and at most {limits.mean} is allowed.")
    if nine_in_ten(found) > limits.nine_in_ten:
        messages.append(
            f"One docstring sentence in ten has over {limits.nine_in_ten} of empty words: {nine_in_ten(found):.2f}."
        )
    return messages


def _all_faults(paths: Sequence[str]) -> Iterator[str]:
    """Yield the faults of code and tests among these paths, each by its own limits, and the long first lines."""
    tests = [path for path in paths if path.split("/")[0] == "tests"]
    code = [path for path in paths if path not in tests]
    yield from faults(sentences(code), CODE_LIMITS)
    yield from faults(sentences(tests), TEST_LIMITS)
    short = [path for path in (*code, *(("tests/support",) if "tests" in tests else ())) if (ROOT / path).exists()]
    for where in long_first_lines(short):
        yield f"{where}: the first line of the docstring is longer than {MAX_FIRST_LINE} characters."


def main(words: Sequence[str] | None = None) -> None:
    """Print the measure by package, and the least readable sentences; exit with 1 where a check fails."""
    parser = argparse.ArgumentParser("python -m tests.readability", description=__doc__)
    parser.add_argument(
        "paths", nargs="*", default=["bot", "cogs", "tests"], help="measure these files and folders alone"
    )
    parser.add_argument("--check", action="store_true", help="fail where the measure is not kept")
    parser.add_argument("--show", type=int, default=20, help="how many of the least readable sentences to print")
    asked = parser.parse_args(words)
    found = sentences(asked.paths)
    for package in sorted({one.package for one in found}):
        own = [one for one in found if one.package == package]
        bad = sum(one.share >= CODE_LIMITS.any_sentence for one in own)
        print(
            f"{package:22}{len(own):5} sentences  mean {mean(own):.3f}  nine in ten {nine_in_ten(own):.2f}  over {bad}"
        )
    print(f"{'all':22}{len(found):5} sentences  mean {mean(found):.3f}  nine in ten {nine_in_ten(found):.2f}")
    for one in found[: asked.show]:
        print(f"{one.share:.2f} {one.where}: {one.text}")
    if asked.check and (messages := [*_all_faults(asked.paths)]):
        raise SystemExit("\n".join(messages))


if __name__ == "__main__":
    main()
