"""Ended seasons and their final standings, which never change. Refuses to know the winners."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, String, Table

from bot.store.schema.columns import Counter, TimestampType, metadata
from bot.store.schema.meaning import NOBODY, PLAYER, SERVERS_ROW

# number: 0 holds the start of the first season. told: whether the outcome was posted in the channel.
seasons = Table(
    "seasons",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("begins", TimestampType, nullable=False),
    Column("ends", TimestampType, nullable=False),
    Column("told", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

# table_id: of the player's last match in the season, the source of the displayed name. quick, mean, weight: NULL
# without a rated match.
finalists = Table(
    "finalists",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("game", String(64), primary_key=True),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("place", Integer, nullable=False),
    Column("quick", Float, info=NOBODY),
    Column("mean", Float, info=NOBODY),
    Column("weight", Float, info=NOBODY),
    Column("last", TimestampType),
    Column("matches", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("gain", Float, nullable=False, info=NOBODY),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    Column("streak", Integer, nullable=False),
    Column("bombs", Integer, nullable=False, server_default="0"),
    Column("behind", Integer, nullable=False, server_default="0"),
    Column("table_id", Counter, nullable=False),
    sqlite_with_rowid=False,
)
