"""Duplicates: the same deals for several players, and the players of each.

An outcome is an ordinary result of a table.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, false

from bot.store.schema.columns import Counter, PaceType, TimestampType, metadata
from bot.store.schema.meaning import NOBODY, PERSON, PERSONS_HISTORY, PLACE, SECRET, SERVERS_ROW

# together: whether several players share a table instead of playing at solo tables. sheet: the message with the public
# results.
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
    Column("opened", TimestampType, nullable=False),
    Column("pace", PaceType(64), nullable=False, server_default="none"),
    Column("together", Boolean, nullable=False, server_default=false()),
    Column("sheet", BigInteger, info=PLACE),
    Index(None, "by"),
)

# The players of a duplicate and their tables, from the first card or from the start of a substitute on. The primary key
# limits a player to one seat.
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
