"""Occurrences of a value: in database rows, in files, and in the bot's memory."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

MemoryPath = tuple["MemoryPath | None", object]  # to the whole in which a part was found, and the name of the part


def columns_containing(path: Path, wanted: str) -> list[str]:
    """Return table and column of every database value that contains a text or is a number."""
    assert not wanted.isdecimal() or len(wanted) > 15, "a short number also stands in random marks and codes, by chance"
    found = []
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for name in names:
            rows = database.execute(f'SELECT * FROM "{name}"')  # names of the schema itself
            columns = [column[0] for column in rows.description]
            for row in rows:
                pairs = zip(columns, row, strict=True)
                found += [f"{name}.{column}" for column, value in pairs if wanted in str(value)]
    return found


def files_containing(folder: Path, number: int, *texts: str) -> list[str]:
    """Return files below a folder with a number as SQLite or decimal digits, or with a text."""
    needles = [number.to_bytes(8, "big"), str(number).encode(), *(text.encode() for text in texts)]
    files = [each for each in folder.rglob("*") if each.is_file()]
    return [each.name for each in files if any(needle in each.read_bytes() for needle in needles)]


def find_references(root: object, number: int) -> list[str]:
    """Return the path to every reference to a number in the bot's own objects."""
    return list(iterate_references(root, number))


def iterate_references(root: object, number: int) -> Iterator[str]:
    """Yield the path to each reference to a number."""
    start: MemoryPath = (None, type(root).__name__)
    queue, seen, digits = deque([(root, start)]), set[int](), str(number)
    while queue:
        thing, way = queue.popleft()
        if id(thing) not in seen:
            seen.add(id(thing))
            for name, part in iterate_parts(thing):
                if not isinstance(part, int | str):
                    queue.append((part, (way, name)))
                elif contains_number(part, number, digits):
                    yield format_path((way, name))


def contains_number(thing: int | str, number: int, digits: str) -> bool:
    """Tell whether a text or another number contains the digits of a number."""
    return digits in thing if isinstance(thing, str) else abs(thing) >= number and digits in str(thing)


def format_path(way: MemoryPath) -> str:
    """Return a path as dotted names, from the root."""
    names = []
    rest: MemoryPath | None = way
    while rest is not None:
        rest, name = rest
        names.append(str(name))
    return ".".join(reversed(names))


def iterate_parts(thing: Any) -> Iterator[tuple[object, Any]]:
    """Yield the parts of a container or of one of the bot's objects, by name.

    discord.py's own cache is excluded.
    """
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield "key", key
            yield key, value
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        yield from (("[]", each) for each in thing)
    elif (slots := slots_of(type(thing))) is not None:  # type: ignore[arg-type]
        yield from getattr(thing, "__dict__", {}).items()
        for name in slots:
            if hasattr(thing, name):
                yield name, getattr(thing, name)


@cache
def slots_of(kind: type) -> tuple[str, ...] | None:
    """Return the slots of a class of the bot, None for other classes."""
    if not kind.__module__.startswith(("bot.", "cogs.")):
        return None
    return tuple(name for each in kind.__mro__ for name in getattr(each, "__slots__", ()))
