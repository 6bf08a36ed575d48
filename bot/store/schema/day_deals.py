"""Tries at the deal of the day. The outcome of a try is an ordinary result of the player's solo table."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Date, ForeignKey, Index, Integer, Table

from bot.store.schema.columns import Counter, TimestampType, metadata
from bot.store.schema.meaning import PERSONS_HISTORY, SERVERS_ROW

# The primary key limits a player to one try. guild: the server of the start and of the listing; NULL in a direct
# message. house: the version of the house players. late_until: the extended deadline after an outage across midnight;
# else NULL.
tries = Table(
    "tries",
    metadata,
    Column("day", Date, primary_key=True, autoincrement=False),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("table_id", Counter, ForeignKey("tables.id"), nullable=False),
    Column("guild", BigInteger, info=SERVERS_ROW),
    Column("house", Integer, nullable=False),
    Column("late_until", TimestampType),
    Index(None, "user"),
    Index(None, "table_id"),
    sqlite_with_rowid=False,
)
