"""Repositories: the queries about one topic, each in its own transaction.

A statement is a function with a connection as first argument; it runs in the transaction of its caller. A repository
lists the statements of its topic as methods, made by `read`, `read_share`, `write` and `write_share`, which leave the
connection out.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.shard_share import Share
from bot.store.engine.gate import Gate

P = ParamSpec("P")
T = TypeVar("T")


class Repository:
    """The queries about one topic. Every call may raise StoreError; a write survives a crash and a power cut."""

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
    """Return the method for a statement that reads only rows of this process's connected shards."""

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
    """Return the method for a statement that writes only rows of this process's connected shards."""

    @wraps(statement)
    async def writing(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.run(statement, self._gate.share, *args, **kwargs)

    return writing
