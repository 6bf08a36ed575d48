"""Who is named in texts: written with each text, so that a deletion finds the text without reading all of them.

Knows the statements; refuses to know what a text says, and transactions, which are its caller's.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Select, Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.ids import UserId
from bot.domain.names import without_id
from bot.store.schema import NAMED_IN
from bot.store.schema.meaning import meanings


async def add(connection: AsyncConnection, texts: Table, key: object, users: Collection[UserId]) -> None:
    """Write who is named in the text of a new row."""
    if users:
        await connection.execute(insert(NAMED_IN[texts]), [{"key": key, "user": user} for user in users])


async def replace(connection: AsyncConnection, texts: Table, key: object, users: Collection[UserId]) -> None:
    """Write who is named in the text of a row that has another text now."""
    named = NAMED_IN[texts]
    await connection.execute(delete(named).where(named.c.key == key))
    await add(connection, texts, key, users)


def keys_naming(texts: Table, user: UserId) -> Select[tuple[object]]:
    """Return the query for the keys of the rows of a table in whose texts a person is named."""
    named = NAMED_IN[texts]
    return select(named.c.key).where(named.c.user == user)


async def take_out(connection: AsyncConnection, user: UserId) -> None:
    """Delete the rows whose text is about a person, and take the id of the person out of all other texts."""
    for texts in NAMED_IN:
        (key,) = texts.primary_key.columns
        which = key.in_(keys_naming(texts, user))
        for column, meaning in meanings(texts, "text"):
            if meaning.row:
                await connection.execute(delete(texts).where(which))
                continue
            for row in (await connection.execute(select(key.label("key"), column.label("text")).where(which))).all():
                values = {column.name: without_id(row.text, user)}
                await connection.execute(update(texts).where(key == row.key).values(values))
