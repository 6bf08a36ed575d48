"""A row in every table, in which every column that may hold a person holds one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from sqlalchemy import JSON, Column
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.store.schema import metadata
from bot.store.schema.columns import KEY, DurationType, TimestampType
from bot.store.store import Store
from tests.store.sample_tables import NOON

NUMBER = 5  # in every other column of numbers that refers to nothing
# What the constraints want, and what hides nobody.
FITTING = {
    "phase": "over",
    "pace": "none",
    "scope": "person",
    "id": 1,
    "player": 1,
    "off": "56",
    "level": "kind",
    "unlisted": False,
    "zone": "Europe/Berlin",
}
UNFILLED = ("heartbeat", "erasures", "packs")  # about nobody, or what stands for other rows
NAMED_KEYS = {"notes_named": "x", "outbox_named": "x"}


def anything(column: Column[Any], who: UserId, name: str) -> Any:
    """Return a value for a column that holds a person wherever it may hold any player."""
    kinds = {meaning.kind for meaning in column.info.get(KEY, ())}
    if column.name == "key" and column.foreign_keys:
        return NAMED_KEYS.get(column.table.name, 1)
    if column.name in FITTING or column.foreign_keys:
        return FITTING.get(column.name, 1)
    if kinds & {"person", "text"}:
        return who if "person" in kinds else f"of {who}"
    if "name" in kinds:
        return name
    if column.nullable and column.name != "revised_at":
        return None
    return value_of(column)


def value_of(column: Column[Any]) -> Any:
    """Return a value of the type of a column."""
    special = {TimestampType: NOON, JSON: {}, DurationType: timedelta(hours=1)}
    if type(column.type) in special:
        return special[type(column.type)]
    return {int: NUMBER, float: 0.5, str: "x", bytes: b"x", bool: True, date: NOON.date()}[column.type.python_type]


async def fill(store: Store, who: Callable[[Column[Any]], UserId], name: Callable[[Column[Any]], str]) -> None:
    """Fill every column of every table, including future ones. who, name: by column."""

    async def work(connection: AsyncConnection) -> None:
        for table in metadata.sorted_tables:
            if table.name not in UNFILLED:
                values = {column.key: anything(column, who(column), name(column)) for column in table.columns}
                await connection.execute(table.insert().values(values))

    await store._gate.run(work)
