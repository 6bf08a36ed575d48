"""Sums over finished matches. Every row may be deleted at any time: it is recomputed from the results alone.

In each ladder, guild 0 means every server; channel 0 means the channels visible to everybody, another id a single
hidden channel. Refuses to know the computation.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, String, Table

from bot.store.schema.columns import Counter, TimestampType, metadata
from bot.store.schema.meaning import NOBODY, PLACE, PLAYER, SERVERS_ROW

# finished, table_id: of the last match included. by: the version of the computation.
books = Table(
    "books",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("game", String(64), primary_key=True),
    Column("finished", TimestampType, nullable=False),
    Column("table_id", Counter, nullable=False),
    Column("by", String(64), nullable=False),
    sqlite_with_rowid=False,
)

# last, table_id: of the player's last match.
ratings = Table(
    "ratings",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("game", String(64), primary_key=True),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("quick", Float, nullable=False, info=NOBODY),
    Column("mean", Float, nullable=False, info=NOBODY),
    Column("weight", Float, nullable=False, info=NOBODY),
    Column("matches", Integer, nullable=False),
    Column("last", TimestampType, nullable=False),
    Column("table_id", Counter, nullable=False),
    sqlite_with_rowid=False,
)

# The effect of each counted match on each player. quick, mean, weight: the rating after the match, NULL if unrated.
entries = Table(
    "entries",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("game", String(64), primary_key=True),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("finished", TimestampType, primary_key=True, autoincrement=False),
    Column("table_id", Counter, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("gain", Float, nullable=False, info=NOBODY),
    Column("net", BigInteger, nullable=False, info=NOBODY),
    Column("quick", Float, info=NOBODY),
    Column("mean", Float, info=NOBODY),
    Column("weight", Float, info=NOBODY),
    Column("turns", String(50), nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# Sums of debts: channel 0 for the channels visible to everybody. until: later matches are not yet included. by: the
# version of the computation.
ledgers = Table(
    "ledgers",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("until", TimestampType, nullable=False),
    Column("by", String(64), nullable=False),
    sqlite_with_rowid=False,
)

# The balance of each player: positive to receive, negative to pay. since: the start of the debt, or the time of getting
# even. table_id: of the last match.
balances = Table(
    "balances",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    Column("since", TimestampType, nullable=False),
    Column("table_id", Counter),
    sqlite_with_rowid=False,
)
