"""The same deals for several people, and who has a part in them. How it ended is an ordinary result of each table."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, false

from bot.store.schema.columns import Counter, Moment, Tempo, metadata
from bot.store.schema.meaning import NOBODY, PERSON, PERSONS_HISTORY, PLACE, SECRET, SERVERS_ROW

# together: whether people play them at tables of several, and not each alone. sheet: the message that all read.
duplicates = Table(
    "duplicates",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("game", String(64), nullable=False),
    Column("preset", String(64), nullable=False),
    Column("options", JSON, nullable=False, info=NOBODY),
    Column("seats", Integer, nullable=False),
    Column("seed", Text, nullable=False, info=SECRET),
    Column("opened", Moment, nullable=False),
    Column("pace", Tempo(64), nullable=False, server_default="none"),
    Column("together", Boolean, nullable=False, server_default=false()),
    Column("sheet", BigInteger, info=PLACE),
    Index(None, "by"),
)

# Who plays them, at which table, from the first card on or since they have sat in. Its key lets nobody sit twice.
parts = Table(
    "parts",
    metadata,
    Column("duplicate_id", Counter, ForeignKey("duplicates.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("table_id", Counter, ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Index(None, "user"),
    Index(None, "table_id"),
    sqlite_with_rowid=False,
)
