"""Where the sentences of the bot stand in its sources: finds every message id by reading the code, without running it.

The conventions, for whoever adds a sentence:

* where words are at hand: the first argument of ``w("...")`` or ``N_("...")``, the first two of
  ``w.n("...", "...", n)``, and the first of ``locale_str("...")``, for commands; words are always called ``w``, be it
  ``w.bare()("...")``;
* where something is refused, told or offered: the sentence of ``Illegal(article, "...")``, ``Note(article, "...")``,
  ``Answer(code, "...")``, ``NameAsk(question, cards, "...")``,
  ``Refused("...")``, ``Limit(kind, most, within, "...")``, ``BadCode("...")`` and ``news(table, "...")``;
* in the option sheets of data/options: the game in short, what is taught, the titles of groups, title and text of
  presets and options, the words of choices and of what is unusual;
* in the modules of CONSTANTS_ARE_SENTENCES, where no words are at hand: whatever has a space and a word in a
  module-level UPPERCASE constant that is a string, a tuple or a dict, and the sentence of an exception's
  ``super().__init__("...")``.

Where an argument is a name or a choice (``"..." if x else "..."``), what is assigned to that name in the file, or both
choices, count. An f-string cannot be translated and is refused.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bot.paths import ROOT

_SENTENCE = re.compile(r"(?=.*[a-z]{3}).* ", re.DOTALL)  # tables of ranks and the like have spaces too, but no words
SOURCES = ("bot", "cogs")
SHEETS = ROOT / "data" / "options"
CONSTANTS_ARE_SENTENCES = (
    "bot/domain",
    "bot/rules",
    "bot/games.py",
    "bot/ai",
    "bot/table",
    "bot/club",
    "bot/history",
    "bot/ai_pool",
    "bot/client.py",
    "bot/here.py",
    "bot/interactions",
    "cogs",
)
FOR_THE_OPERATOR = ("bot/runtime/connection_string.py",)  # among these: its sentences stay in English
_ARGUMENTS = {
    "w": (0,),
    "N_": (0,),
    "locale_str": (0,),
    "Illegal": (1,),
    "Note": (1,),
    "Answer": (1,),
    "NameAsk": (2,),
    "Refused": (0,),
    "BadCode": (0,),
    "news": (1,),
    "Limit": (3,),
}


class Untranslatable(ValueError):
    """A sentence that is put together before it is translated; the message names the place."""


@dataclass(frozen=True, slots=True)
class Found:
    """A message id, with its plural or None, and the file it stands in."""

    message: str
    plural: str | None
    file: str


@cache
def messages() -> tuple[Found, ...]:
    """Return all messages in the order of the files, read once. Raises Untranslatable."""
    paths = (path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py")))
    found = [message for path in paths for message in in_source(path.read_text(encoding="utf-8"), _name(path))]
    sheets = ((tomllib.loads(path.read_text(encoding="utf-8")), _name(path)) for path in sorted(SHEETS.glob("*.toml")))
    return (*found, *(Found(text, None, name) for raw, name in sheets for text in in_sheet(raw)))


def in_sheet(raw: dict[str, Any]) -> Iterator[str]:
    """Yield the message ids of an option sheet, as TOML has it."""
    yield from raw["short"]
    yield from (lesson["say"] for lesson in raw["how"] if "say" in lesson)
    yield from raw["groups"].values()
    for entry in (*raw["presets"].values(), *raw["options"].values(), *raw["unusual"], *raw.get("vain", ())):
        yield from (entry[key] for key in ("title", "text", "words") if key in entry)
        yield from entry.get("choices", {}).values()


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def in_source(source: str, file: str) -> Iterator[Found]:
    """Yield the messages in the source of one file, whose name decides the conventions. Raises Untranslatable."""
    tree = ast.parse(source)
    constants = file.startswith(CONSTANTS_ARE_SENTENCES) and file not in FOR_THE_OPERATOR
    names = _assigned(tree)
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if _called(call) == "n" and len(call.args) > 2 and _owner(call) == "w":
            yield Found(_text(call.args[0], file), _text(call.args[1], file), file)
        for at in _ARGUMENTS.get(_called(call), (0,) if constants and _is_super(call) else ()):
            yield from (Found(text, None, file) for text in _texts(call.args[at : at + 1], names, file))
    if constants:
        yield from (Found(text, None, file) for text in _constants(tree))


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id="w"))):  # words for elsewhere, as w.bare() gives them
            return "w"
    return ""


def _owner(call: ast.Call) -> str:
    """Return the name before the last dot: ``w`` in ``w.n(...)`` and in ``self.w.n(...)``."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name)) | ast.Attribute(value=ast.Attribute(attr=name)):
            return name
    return ""


def _is_super(call: ast.Call) -> bool:
    """Tell whether this is ``super().__init__("a sentence with spaces")``."""
    match call:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"),
            args=[ast.Constant(value=str(text)), *_],
        ):
            return " " in text
    return False


def _assigned(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """Return what is assigned to each plain name anywhere in a file."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
    return found


def _texts(arguments: Iterable[ast.expr], names: dict[str, list[ast.expr]], file: str) -> Iterator[str]:
    for argument in arguments:
        match argument:
            case ast.Constant() | ast.JoinedStr():
                yield _text(argument, file)
            case ast.IfExp(body=body, orelse=orelse):
                yield from _texts((body, orelse), names, file)
            case ast.Name(id=name):
                yield from (
                    value.value
                    for value in names.get(name, ())
                    if isinstance(value, ast.Constant) and isinstance(value.value, str)
                )


def _text(argument: ast.expr, file: str) -> str:
    match argument:
        case ast.Constant(value=str(text)):
            return text
    raise Untranslatable(f"{file}:{argument.lineno}: a sentence has to be one plain string")


def _constants(tree: ast.Module) -> Iterator[str]:
    """Yield the sentences in the UPPERCASE constants of a module."""
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if name.isupper():
                yield from (text for text in _strings(value) if _SENTENCE.search(text))


def _strings(value: ast.expr | None) -> Iterator[str]:
    """Yield the strings in a constant that is a string, a tuple or a dict, whose keys are no sentences."""
    match value:
        case ast.Dict(values=parts) | ast.Tuple(elts=parts):
            inside = parts
        case ast.Constant():
            inside = [value]
        case _:
            return
    for part in (part for tree in inside for part in ast.walk(tree) if isinstance(part, ast.Constant)):
        if isinstance(part.value, str):
            yield part.value
