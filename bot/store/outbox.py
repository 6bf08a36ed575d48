"""The outbox: messages that are being sent, each with the nonce of all its tries.

Knows the statements; refuses to know what a message says, and transactions, which are its caller's.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ground.outgoing import OutboxRow
from bot.store.schema import outbox

MAX_AGE = timedelta(days=1)  # for which a message that was never answered is remembered


async def begin(connection: AsyncConnection, new: OutboxRow) -> OutboxRow:
    """Insert the row of a message unless the key exists; return the stored row."""
    row = (await connection.execute(select(outbox).filter_by(key=new.key))).first()
    if row is not None:
        return OutboxRow(*row)
    await connection.execute(insert(outbox).values(asdict(new)))
    return new


async def keys(connection: AsyncConnection) -> frozenset[str]:
    """Read the keys of all rows."""
    return frozenset((await connection.execute(select(outbox.c.key))).scalars())


async def renew(connection: AsyncConnection, key: str, nonce: int, at: datetime) -> None:
    """Replace the nonce of a message whose first nonce Discord refuses."""
    await connection.execute(update(outbox).filter_by(key=key).values(nonce=nonce, at=at))


async def end(connection: AsyncConnection, key: str) -> None:
    """Delete the row of a message that was answered or given up."""
    await connection.execute(delete(outbox).filter_by(key=key))


async def end_old(connection: AsyncConnection, now: datetime) -> None:
    """Delete the rows of messages without a new try for a day."""
    await connection.execute(delete(outbox).where(outbox.c.at < now - MAX_AGE))
