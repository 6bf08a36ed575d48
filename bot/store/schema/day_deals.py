"""Who has tried the deal of a day. How it ended is an ordinary result of a table that only they see."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Date, ForeignKey, Index, Integer, Table

from bot.store.schema.columns import Counter, Moment, metadata
from bot.store.schema.meaning import PERSONS_HISTORY, SERVERS_ROW

# Its key is what lets nobody try twice. guild: where they began, and are listed; NULL in a direct message. house: the
# version of the house players they have played against. late_until: until when it can be finished, where midnight fell
# into a stop; else NULL.
tries = Table(
    "tries",
    metadata,
    Column("day", Date, primary_key=True, autoincrement=False),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("table_id", Counter, ForeignKey("tables.id"), nullable=False),
    Column("guild", BigInteger, info=SERVERS_ROW),
    Column("house", Integer, nullable=False),
    Column("late_until", Moment),
    Index(None, "user"),
    Index(None, "table_id"),
    sqlite_with_rowid=False,
)
