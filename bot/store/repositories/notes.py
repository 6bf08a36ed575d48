"""The bot's own notes: small texts under keys that name nobody.

Knows the statements; refuses to know what a note says, and transactions, which are its caller's.
"""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.names import ids_in
from bot.store.engine import mentions
from bot.store.engine.upsert import put
from bot.store.schema import notes


async def put_note(connection: AsyncConnection, key: str, value: str) -> None:
    """Write a note in place of what is there, and who is named in it."""
    await put(connection, notes, {"key": key}, {"value": value})
    await mentions.replace(connection, notes, key, ids_in(value))
