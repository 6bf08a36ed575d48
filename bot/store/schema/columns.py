"""Column types of the tables, and the meaning of each column: whom its data is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias

from sqlalchemy import BigInteger, Column, ColumnElement, Dialect, Integer, MetaData, String, Table, TypeDecorator, and_

from bot.domain.chairs import Level
from bot.domain.pace import Pace

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class TimestampType(TypeDecorator[datetime]):
    """An aware datetime, stored as whole microseconds since 1970 (UTC) and returned in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return microseconds. Raises TypeError for a naive datetime."""
        return None if value is None else (value - EPOCH) // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Return the same time, in UTC."""
        return None if value is None else EPOCH + value * MICROSECOND


class DurationType(TypeDecorator[timedelta]):
    """A duration, stored as whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        """Return microseconds."""
        return None if value is None else value // MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> timedelta | None:
        """Return the duration."""
        return None if value is None else value * MICROSECOND


class PaceType(TypeDecorator[Pace]):
    """The pace of a table, stored in its written form."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Pace | None, dialect: Dialect) -> str | None:
        """Return the written form."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Pace | None:
        """Return the pace."""
        return None if value is None else Pace.read(value)


class LevelType(TypeDecorator[Level]):
    """The level of a house player, stored as a word; "" without one."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Level | None, dialect: Dialect) -> str | None:
        """Return the word."""
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Level | None:
        """Return the level."""
        return None if value is None else Level(value)


# SQLite generates ids only for a column declared INTEGER.
Counter = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


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
