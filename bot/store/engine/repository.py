"""Repositories: queries in transactions of their own, limited to shards, and upserts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Insert, Table, Update, bindparam, insert, literal_column, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import SHARD_SHIFT, Share
from bot.store.engine.gate import Gate
from bot.store.schema import tables

P = ParamSpec("P")
T = TypeVar("T")


class Repository:
    """The queries about one topic.

    Every call may raise StoreError; a write survives a crash and a power cut.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate


Method: TypeAlias = Callable[Concatenate[Repository, P], Coroutine[Any, Any, T]]


def read(statement: Callable[Concatenate[AsyncConnection, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method for a statement that writes nothing."""

    @wraps(statement)
    async def reading(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.read(statement, *args, **kwargs)

    return reading


def read_share(statement: Callable[Concatenate[AsyncConnection, Share, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method for a statement that reads only rows of this process's shards."""

    @wraps(statement)
    async def reading(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.read(statement, self._gate.share, *args, **kwargs)

    return reading


def write(statement: Callable[Concatenate[AsyncConnection, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method for a statement that writes, completely or not at all."""

    @wraps(statement)
    async def writing(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.run(statement, *args, **kwargs)

    return writing


def write_share(statement: Callable[Concatenate[AsyncConnection, Share, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method for a statement that writes only rows of this process's shards."""

    @wraps(statement)
    async def writing(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.run(statement, self._gate.share, *args, **kwargs)

    return writing


SHIFT: Final[ColumnElement[int]] = literal_column(
    str(SHARD_SHIFT)
)  # no parameter: PostgreSQL's >> rejects a 64-bit operand


def server_in_share(share: Share, guild: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a server belongs to a share."""
    return true() if share.whole else (guild.op(">>")(SHIFT) % share.count).in_(sorted(share.held))


def table_in_share(share: Share, table: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a table belongs to a share."""
    here = server_in_share(share, tables.c.guild)
    return true() if share.whole else table.in_(select(tables.c.id).where(here))


async def upsert(
    connection: AsyncConnection, table: Table, key: Mapping[str, object], values: Mapping[str, Any]
) -> None:
    """Write the row with this key, replacing an existing one."""
    of_key: dict[str, Any] = {f"of_{name}": value for name, value in key.items()}
    if (await connection.execute(_change_of(table, *key), {**of_key, **values})).rowcount == 0:
        await connection.execute(_insert_into(table), {**key, **values})


@cache
def _change_of(table: Table, *key: str) -> Update:
    """Return the change of the row with a key.

    For each of these columns, ``of_`` and its name is a parameter.
    """
    return update(table).where(*(table.c[name] == bindparam(f"of_{name}") for name in key))


@cache
def _insert_into(table: Table) -> Insert:
    return insert(table)
