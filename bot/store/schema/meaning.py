"""Whom a column of the database is about: a person, a server, a place on Discord, or nobody.

Knows the few meanings a column may have. What is shown to a person, deleted with them, or with a server, follows from
them alone, so a column that says nothing would be forgotten: a test holds every column to it.
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
class About:
    """What a column holds.

    kind: the id of a person or a server; a place (the id of a channel or message); the name of the person in the
    column ``of``; text in which a person's id may stand, see ``people_of`` in bot/store/schema/columns.py; a mark,
    which is a keyed hash of a person's id; a player, whom nobody knows any more once they are deleted; what nobody may
    be shown; what only the person in the column ``of`` may be shown; the id of a person or server whose rows are being
    deleted; or nothing about anybody. row: the whole row is about that person or server, and goes with them. where: it
    is so only in rows that have this value in that column. at_once: a person has few such rows, so all of them are
    deleted in the transaction that notes the deletion; rows in other columns are deleted in pieces, and readers leave
    them out until then (bot/store/engine/erasures.py).
    """

    kind: Kind
    row: bool = False
    of: str = ""
    where: tuple[str, str] | None = None
    at_once: bool = False


def about(*meanings: About) -> dict[str, Any]:
    """Return what a column of these meanings carries."""
    return {KEY: meanings}


PERSON = about(About("person"))  # whose id is taken out, while the row stays
PERSON_AT_ONCE = about(About("person", at_once=True))
PERSONS_ROW = about(About("person", row=True, at_once=True))
PERSONS_HISTORY = about(About("person", row=True))  # of which a person may have any number
SERVERS_ROW = about(About("server", row=True))
PLACE = about(About("place"))
TEXT = about(About("text"))  # the id is taken out of it
SECRET_TEXT = about(About("text", row=True), About("secret"))
MARK = about(About("mark"))
PLAYER = about(About("player"))
SECRET = about(About("secret"))
ERASED = about(About("erased"))
NOBODY = about(About("nobody"))


def named(column: str) -> dict[str, Any]:
    """Return what the column carries that has the name of the person in another."""
    return about(About("name", of=column))


def only_for(column: str) -> dict[str, Any]:
    """Return what the column carries that only the person in another may be shown."""
    return about(About("own", of=column))


def meanings(table: Table, kind: Kind) -> Iterator[tuple[Column[Any], About]]:
    """Yield the columns of a table that hold this, each with what exactly it holds."""
    for column in table.columns:
        for meaning in column.info.get(KEY, ()):
            if meaning.kind == kind:
                yield column, meaning


def holding(column: Column[Any], meaning: About, value: object) -> ColumnElement[bool]:
    """Return the condition under which a row holds this person or server there."""
    found = column == value
    if meaning.where is None:
        return found
    other, wanted = meaning.where
    return and_(found, column.table.c[other] == wanted)
