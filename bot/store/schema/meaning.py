"""The subject of each column: a person, a server, a place on Discord, or nobody.

The few meanings decide which data is exported to a person, and deleted with a person or a server. A column without a
meaning would be forgotten, so a test requires one of every column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sqlalchemy import Column, ColumnElement, Table, and_

Kind: TypeAlias = Literal[
    "person", "server", "place", "name", "text", "mark", "player", "secret", "own", "erased", "nobody"
]
KEY = "about"


@dataclass(frozen=True, slots=True)
class ColumnMeaning:
    """The meaning of a column.

    kind: "person" or "server", an id; "place", the id of a channel or message; "name", the name of the person in
    the column ``of``; "text", which may contain a person's id; "mark", a keyed hash of a person's id; "player", a
    number that stays after the person's deletion and then identifies nobody; "secret", shown to nobody; "own",
    shown only to the person in the column ``of``; "erased", the id of a person or server being deleted; "nobody",
    about no person. row: the whole row is about the person or server, and is deleted with them. where: a column and
    its value, to which the meaning is limited. at_once: a person has few such rows, so they are deleted in the
    transaction that notes the deletion; other rows are deleted in batches, and hidden from readers until then
    (bot/store/engine/erasures.py).
    """

    kind: Kind
    row: bool = False
    of: str = ""
    where: tuple[str, str] | None = None
    at_once: bool = False


def meaning_info(*meanings: ColumnMeaning) -> dict[str, Any]:
    """Return the ``info`` of a column with these meanings."""
    return {KEY: meanings}


PERSON = meaning_info(ColumnMeaning("person"))  # the id is removed, the row stays
PERSON_AT_ONCE = meaning_info(ColumnMeaning("person", at_once=True))
PERSONS_ROW = meaning_info(ColumnMeaning("person", row=True, at_once=True))
PERSONS_HISTORY = meaning_info(ColumnMeaning("person", row=True))  # in any number per person
SERVERS_ROW = meaning_info(ColumnMeaning("server", row=True))
PLACE = meaning_info(ColumnMeaning("place"))
TEXT = meaning_info(ColumnMeaning("text"))  # the id is removed from the text
SECRET_TEXT = meaning_info(ColumnMeaning("text", row=True), ColumnMeaning("secret"))
MARK = meaning_info(ColumnMeaning("mark"))
PLAYER = meaning_info(ColumnMeaning("player"))
SECRET = meaning_info(ColumnMeaning("secret"))
ERASED = meaning_info(ColumnMeaning("erased"))
NOBODY = meaning_info(ColumnMeaning("nobody"))


def name_of(column: str) -> dict[str, Any]:
    """Return the ``info`` of a column with the name of the person in another column."""
    return meaning_info(ColumnMeaning("name", of=column))


def only_for(column: str) -> dict[str, Any]:
    """Return the ``info`` of a column shown only to the person in another column."""
    return meaning_info(ColumnMeaning("own", of=column))


def meanings(table: Table, kind: Kind) -> Iterator[tuple[Column[Any], ColumnMeaning]]:
    """Yield the columns of a table with a meaning of this kind, each with the meaning."""
    for column in table.columns:
        for meaning in column.info.get(KEY, ()):
            if meaning.kind == kind:
                yield column, meaning


def holding(column: Column[Any], meaning: ColumnMeaning, value: object) -> ColumnElement[bool]:
    """Return the condition that a row holds this person or server in a column."""
    found = column == value
    if meaning.where is None:
        return found
    other, wanted = meaning.where
    return and_(found, column.table.c[other] == wanted)
