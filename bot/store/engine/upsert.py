"""Insert or update of a row by its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Table, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection


async def upsert(
    connection: AsyncConnection, table: Table, key: Mapping[str, object], values: Mapping[str, Any]
) -> None:
    """Write the row with this key, replacing an existing one."""
    known = update(table).filter_by(**key).values(**values)
    if (await connection.execute(known)).rowcount == 0:
        await connection.execute(insert(table).values(**key, **values))
