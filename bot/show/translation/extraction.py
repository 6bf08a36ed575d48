"""Extracts every message id from the sources of the bot, by parsing, without running them.

Where to put a new sentence:

* where words are at hand: the first argument of ``w("...")``, the first two of ``w.n("...", "...", n)``, and the first
  of ``locale_str("...")``, for commands; words are always called ``w``, also in ``w.bare()("...")``;
* in refusals, notes and offers: the sentence of ``Illegal(article, "...")``, ``Note(article, "...")``,
  ``Answer(code, "...")``, ``NameAsk(question, cards, "...")``, ``Refused("...")`` and its subclasses,
  ``Limit(kind, most, within, "...")``, ``BadCode("...")`` and ``news(table, "...")``;
* in the option sheets of data/options: the short rules, the lessons, the titles of groups, title and text of presets
  and options, the words of choices and of unusual combinations of options;
* in the lessons of data/lessons: what the coach says, and what a learner knows afterwards;
* everywhere else, as in a constant or a variable: ``N_("...")``, or ``NN_("...", "...")`` with a plural.

In a conditional argument (``"..." if x else "..."``) both sentences count. An f-string raises Untranslatable, as does
a name to which the same file assigns an unmarked string.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.paths import ROOT

SOURCES = ("bot", "cogs")
OPTION_SHEETS = ROOT / "data" / "options"
LESSONS = ROOT / "data" / "lessons"
_ARGUMENTS = {
    "w": (0,),
    "N_": (0,),
    "locale_str": (0,),
    "Illegal": (1,),
    "Note": (1,),
    "Answer": (1,),
    "NameAsk": (2,),
    "Refused": (0,),
    "Outside": (0,),
    "Outdated": (0,),
    "BadCode": (0,),
    "news": (1,),
    "Limit": (3,),
}


class Untranslatable(ValueError):
    """A sentence assembled before its translation; the message names the place."""


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message id, with its plural or None, and the file with the message."""

    message: str
    plural: str | None
    file: str


@cache
def messages() -> tuple[FoundMessage, ...]:
    """Return all messages in the order of the files, read once. Raises Untranslatable."""
    paths = (path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py")))
    found = [message for path in paths for message in source_messages(path.read_text(encoding="utf-8"), _name(path))]
    for folder, read in ((OPTION_SHEETS, sheet_messages), (LESSONS, lesson_messages)):
        for path in sorted(folder.glob("*.toml")):
            raw = tomllib.loads(path.read_text(encoding="utf-8"))
            found += [FoundMessage(text, None, _name(path)) for text in read(raw)]
    return tuple(found)


def sheet_messages(raw: dict[str, Any]) -> Iterator[str]:
    """Yield the message ids of an option sheet, as TOML has it."""
    yield from raw["short"]
    for part in (part for lesson in raw["how"] for part in (lesson, *lesson.get("answers", ()))):
        yield from (part[key] for key in ("say", "ask", "text", "why") if key in part)
    yield from raw["groups"].values()
    for entry in (*raw["presets"].values(), *raw["options"].values(), *raw["unusual"], *raw.get("vain", ())):
        yield from (entry[key] for key in ("title", "text", "words") if key in entry)
        yield from entry.get("choices", {}).values()


def lesson_messages(raw: dict[str, Any]) -> Iterator[str]:
    """Yield the message ids of a lesson, as TOML has it."""
    yield raw["beat_or_pass"]
    yield from (entry["say"] for entry in (*raw["once"], *raw["reasons"]))
    yield from raw["learned"]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def source_messages(source: str, file: str) -> Iterator[FoundMessage]:
    """Yield the messages in the source of one file. Raises Untranslatable."""
    tree = ast.parse(source)
    unmarked = _unmarked(tree)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        counted = _function_name(call) == "n" and len(call.args) > 2 and _owner(call) == "w"
        if counted or _function_name(call) == "NN_":
            yield FoundMessage(_text(call.args[0], file), _text(call.args[1], file), file)
        for at in _ARGUMENTS.get(_function_name(call), ()):
            yield from (FoundMessage(text, None, file) for text in _texts(call.args[at : at + 1], unmarked, file))


def _function_name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id="w"))):  # words for another medium, such as w.bare()
            return "w"
    return ""


def _owner(call: ast.Call) -> str:
    """Return the name before the last dot: ``w`` in ``w.n(...)`` and in ``self.w.n(...)``."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name)) | ast.Attribute(value=ast.Attribute(attr=name)):
            return name
    return ""


def _unmarked(tree: ast.Module) -> set[str]:
    """Return the names to which a file assigns a plain string."""
    found = set[str]()
    for node in ast.walk(tree):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str()))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str()))
            ):
                found.add(name)
    return found


def _texts(arguments: Iterable[ast.expr], unmarked: Collection[str], file: str) -> Iterator[str]:
    for argument in arguments:
        match argument:
            case ast.Constant() | ast.JoinedStr():
                yield _text(argument, file)
            case ast.IfExp(body=body, orelse=orelse):
                yield from _texts((body, orelse), unmarked, file)
            case ast.Name(id=name) if name in unmarked:
                raise Untranslatable(f"{file}:{argument.lineno}: the sentence {name} has to be marked by N_()")


def _text(argument: ast.expr, file: str) -> str:
    match argument:
        case ast.Constant(value=str(text)):
            return text
    raise Untranslatable(f"{file}:{argument.lineno}: a sentence has to be one plain string")
