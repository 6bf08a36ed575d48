"""Where something stands: in every column of every row of a database, in its files, and in the bot's memory."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any


def rows_with(path: Path, wanted: str) -> list[str]:
    """Return table and column of every value in a database that contains a text, or is that number."""
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


def bytes_with(folder: Path, number: int, *texts: str) -> list[str]:
    """Return the files below a folder that contain a number as SQLite writes it, or as digits, or one of the texts."""
    needles = [number.to_bytes(8, "big"), str(number).encode(), *(text.encode() for text in texts)]
    files = [each for each in folder.rglob("*") if each.is_file()]
    return [each.name for each in files if any(needle in each.read_bytes() for needle in needles)]


def holders(root: object, number: int) -> list[str]:
    """Return the way to every place in the memory of our own objects that holds this number."""
    queue, seen, found = deque([(root, type(root).__name__)]), set[int](), list[str]()
    while queue:
        thing, way = queue.popleft()
        if id(thing) in seen:
            continue
        if isinstance(thing, int | str):
            found += [way] if str(number) in str(thing) else []
            continue
        seen.add(id(thing))
        queue.extend((part, f"{way}.{name}") for name, part in parts(thing))
    return found


def parts(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield what an object of ours, or a container, is made of; Discord's own cache is not ours."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield "key", key
            yield str(key), value
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        yield from (("[]", each) for each in thing)
    elif type(thing).__module__.startswith(("bot.", "cogs.")):
        yield from vars(thing).items() if hasattr(thing, "__dict__") else ()
        for kind in type(thing).__mro__:
            for name in getattr(kind, "__slots__", ()):
                if hasattr(thing, name):
                    yield name, getattr(thing, name)
