"""Settings of servers, departures from servers, the heartbeat, and outages."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, Index, Integer, String, Table, Text

from bot.store.schema.columns import NOBODY, PERSON, PLACE, SERVERS_ROW, Counter, TimestampType, metadata

# The default rules of a channel: a copy, unaffected by later changes of the saved rules.
channel_defaults = Table(
    "channel_defaults",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("name", Text, nullable=False, info=NOBODY),
    Column("game", String(64), nullable=False),
    Column("preset", String(64), nullable=False),
    Column("options", JSON, nullable=False, info=NOBODY),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("at", TimestampType, nullable=False),
    Index(None, "by"),
)

# The settings of a server by name; an absent setting has its default (bot/domain/server_settings.py).
servers = Table(
    "servers",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("chosen", JSON, nullable=False, info=NOBODY),
)

server_changes = Table(
    "server_changes",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("name", String(64), nullable=False),
    Column("value", JSON, nullable=False, info=NOBODY),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("at", TimestampType, nullable=False),
    Index(None, "guild"),
    Index(None, "by"),
)

# The time of the last notice to a manager about missing permissions in a channel.
permission_notices = Table(
    "permission_notices",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("at", TimestampType, nullable=False),
)

# Servers that removed the bot, and when: their data is deleted after a while.
departures = Table(
    "departures",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("at", TimestampType, nullable=False),
)

# A single row: the last heartbeat.
heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False),
    Column("at", TimestampType, nullable=False),
)

# Recent outages of the bot, during which the clocks of slow tables are stopped.
outages = Table(
    "outages",
    metadata,
    Column("since", TimestampType, primary_key=True, autoincrement=False),
    Column("until", TimestampType, nullable=False),
)
