"""The ledger of deletions of a server database.

It has a schema of its own, excluded from copies of the bot's tables. An entry is committed or rolled back together with
the deletion itself.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import BigInteger, Column, LargeBinary, MetaData, String, Table, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_once
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import CreateSchema

from bot.domain.ids import UserId
from bot.store.engine.deletion_ledger import KEY_BYTES, MARK_LETTERS, DeletionLedger, LedgerEntry
from bot.store.engine.gate import Gate
from bot.store.schema.columns import Kind, TimestampType

metadata = MetaData(schema="bigger_deletions")
keys = Table(
    "keys", metadata, Column("id", BigInteger, primary_key=True, autoincrement=False), Column("key", LargeBinary)
)
deletions = Table(
    "deletions",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("mark", String(MARK_LETTERS), nullable=False),
    Column("at", TimestampType, nullable=False),
)
THE_ONE = 1
LAST_NUMBER = func.coalesce(select(func.max(deletions.c.number)).scalar_subquery(), 0)


class ServerDeletionLedger(DeletionLedger):
    """A ledger in tables of the server. key: as stored."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    @property
    def key(self) -> bytes:
        """The key."""
        return self._key

    async def after(self, connection: AsyncConnection, number: int) -> tuple[LedgerEntry, ...]:
        """Return the deletions with a higher number."""
        columns = deletions.c.number, deletions.c.kind, deletions.c.mark, deletions.c.at
        query = select(*columns).where(deletions.c.number > number).order_by(deletions.c.number)
        return tuple(LedgerEntry(*row) for row in await connection.execute(query))

    async def latest(self, connection: AsyncConnection, kind: Kind, number: int) -> datetime | None:
        """Return the time of the latest deletion of a person or server; None without one."""
        query = select(func.max(deletions.c.at)).where(deletions.c.mark == self.mark(kind, number))
        latest: datetime | None = (await connection.execute(query)).scalar()
        return latest

    async def deleted_since(
        self, connection: AsyncConnection, users: Collection[UserId], since: datetime
    ) -> Mapping[UserId, datetime]:
        """Return the users with a deletion after ``since``, and the time of the latest."""
        users_by_mark = {self.mark("person", user): user for user in users}
        of_them = deletions.c.mark.in_(users_by_mark), deletions.c.at > since
        query = select(deletions.c.mark, func.max(deletions.c.at)).where(*of_them).group_by(deletions.c.mark)
        return {users_by_mark[mark]: at for mark, at in await connection.execute(query)}

    async def add(self, connection: AsyncConnection, kind: Kind, number: int, *, after: int, at: datetime) -> None:
        """Record a deletion, in the transaction of the deletion."""
        values = {
            "number": max(after, await last_deletion(connection)) + 1,
            "kind": kind,
            "mark": self.mark(kind, number),
            "at": at,
        }
        await connection.execute(insert(deletions), values)


async def ledger_text(connection: AsyncConnection) -> str:
    """Return the ledger as the text of a file; "" without one."""
    if not await connection.run_sync(lambda wire: wire.dialect.has_table(wire, keys.name, schema=metadata.schema)):
        return ""
    key = (await connection.execute(select(keys.c.key).filter_by(id=THE_ONE))).scalar_one()
    found = (await connection.execute(select(deletions).order_by(deletions.c.number))).mappings()
    lines = [{"key": bytes(key).hex()}, *({**row, "at": row["at"].isoformat()} for row in found)]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


async def write_ledger_text(connection: AsyncConnection, ledger: str) -> None:
    """Replace the ledger by one in the text of a file."""
    await make(connection)
    key, *lines = map(json.loads, ledger.splitlines())
    await connection.execute(delete(deletions))
    await connection.execute(update(keys).values(key=bytes.fromhex(key["key"])))
    if rows := [{**line, "at": datetime.fromisoformat(line["at"])} for line in lines]:
        await connection.execute(insert(deletions), rows)


async def last_deletion(connection: AsyncConnection) -> int:
    """Return the number of the latest deletion, 0 without any."""
    return int((await connection.execute(select(LAST_NUMBER))).scalar_one())


async def read_ledger(gate: Gate) -> ServerDeletionLedger:
    """Read the ledger, created now if missing."""
    return await gate.run(read)


async def read(connection: AsyncConnection) -> ServerDeletionLedger:
    """Read the ledger in a transaction of the caller, created now if missing."""
    await make(connection)
    return ServerDeletionLedger(
        bytes((await connection.execute(select(keys.c.key).filter_by(id=THE_ONE))).scalar_one())
    )


async def make(connection: AsyncConnection) -> None:
    """Create the ledger unless it exists."""
    await connection.execute(CreateSchema(metadata.schema or "", if_not_exists=True))
    await connection.run_sync(metadata.create_all)
    new = {"id": THE_ONE, "key": secrets.token_bytes(KEY_BYTES)}
    await connection.execute(insert_once(keys).values(new).on_conflict_do_nothing())
