"""Caches of constant work shared by all simulated worlds of a process.

Each value is computed once a process.

They cover pictures, the payload of the commands, migration revisions, and SQL compiled for
a database. Their correctness is tested elsewhere.
"""

from __future__ import annotations

import json
import marshal
from functools import cache, partial
from pathlib import Path
from typing import Any

from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.ext.asyncio import create_async_engine

from bot.delivery import emoji
from bot.interactions import commands
from bot.store.engine import migration
from bot.store.postgres import opening as server_opening
from bot.store.sqlite import opening

_payloads: list[bytes] = []
_commands_payload, _known_revisions = commands.commands_payload, migration.known_revisions


async def shared_commands_payload(tree: Any, server: Any = None) -> Any:
    """Return the payload of all commands, or of one server's commands."""
    if server:
        return await _commands_payload(tree, server)
    if not _payloads:
        _payloads.append(marshal.dumps(json.loads(json.dumps(await _commands_payload(tree)))))
    return marshal.loads(_payloads[0])


@cache
def _revisions_in(_: Path) -> frozenset[str]:
    return _known_revisions()


def known_revisions() -> frozenset[str]:
    """Return the revisions in the current migration folder."""
    return _revisions_in(migration.SCRIPTS)


def install_shared_caches() -> None:
    """Install the caches in this process."""
    emoji.face = cache(emoji.face)  # type: ignore[attr-defined]
    commands.commands_payload = shared_commands_payload
    migration.known_revisions = known_revisions
    for module, dialect in ((opening, SQLiteDialect_aiosqlite), (server_opening, PGDialect_asyncpg)):
        _make_equal(dialect)
        engine = partial(create_async_engine, execution_options={"compiled_cache": {}})
        module.create_async_engine = engine  # type: ignore[attr-defined]


def _make_equal(dialect: Any) -> None:
    """Share compiled statements between all stores.

    SQLAlchemy compares dialects for equality.
    """
    dialect.__eq__ = lambda one, other: type(one) is type(other)
    dialect.__hash__ = lambda one: hash(type(one))
