"""Repositories: what may be asked of the database about one topic, each question in a transaction of its own.

A statement is a function whose first argument is a connection; it runs in the transaction of its caller. A repository
lists the statements of its topic as methods, made by `read`, `read_share` and `write`, which leave the connection out.
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
    """The queries about one topic. Every call may raise StoreError; what it wrote survives a stop and a power cut."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate


Method: TypeAlias = Callable[Concatenate[Repository, P], Coroutine[Any, Any, T]]


def read(statement: Callable[Concatenate[AsyncConnection, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method that runs a statement which writes nothing."""

    @wraps(statement)
    async def reading(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.read(statement, *args, **kwargs)

    return reading


def read_share(statement: Callable[Concatenate[AsyncConnection, Share, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method that runs a statement which reads only the rows of this process's connected shards."""

    @wraps(statement)
    async def reading(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.read(statement, self._gate.share, *args, **kwargs)

    return reading


def write(statement: Callable[Concatenate[AsyncConnection, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method that runs a statement in a transaction: all of the statement is done, or nothing."""

    @wraps(statement)
    async def writing(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.run(statement, *args, **kwargs)

    return writing


def write_share(statement: Callable[Concatenate[AsyncConnection, Share, P], Awaitable[T]]) -> Method[P, T]:
    """Return the method that writes only rows of this process's connected shards, in a transaction."""

    @wraps(statement)
    async def writing(self: Repository, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._gate.run(statement, self._gate.share, *args, **kwargs)

    return writing
