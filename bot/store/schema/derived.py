"""What finished matches add up to. It can be deleted at any time: it is made again of results alone.

Of each ladder: guild 0 is over all servers; channel 0 is all channels that everybody sees, any other is one that was
hidden. Refuses to know how it is reckoned.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, String, Table

from bot.store.schema.columns import Counter, Moment, metadata
from bot.store.schema.meaning import NOBODY, PLACE, PLAYER, SERVERS_ROW

# finished, table_id: of the last match that is in it. by: in which way it was reckoned.
books = Table(
    "books",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("game", String(64), primary_key=True),
    Column("finished", Moment, nullable=False),
    Column("table_id", Counter, nullable=False),
    Column("by", String(64), nullable=False),
    sqlite_with_rowid=False,
)

# last, table_id: of somebody's last match.
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
    Column("last", Moment, nullable=False),
    Column("table_id", Counter, nullable=False),
    sqlite_with_rowid=False,
)

# What each match that counts meant to each person. quick, mean, weight: of their rating after it, NULL where it was not
# rated.
entries = Table(
    "entries",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("game", String(64), primary_key=True),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("finished", Moment, primary_key=True, autoincrement=False),
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

# What debts add up to: channel 0 for all that everybody sees. until: what came up to this moment is in it.
ledgers = Table(
    "ledgers",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("until", Moment, nullable=False),
    Column("by", String(64), nullable=False),
    sqlite_with_rowid=False,
)

# What everybody in it is to get, below 0 what they owe. since: when they began to, or became even. table_id: of their
# last match there.
balances = Table(
    "balances",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    Column("since", Moment, nullable=False),
    Column("table_id", Counter),
    sqlite_with_rowid=False,
)
