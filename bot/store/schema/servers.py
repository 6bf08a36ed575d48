"""What is chosen on servers, which of them are gone, when the bot last ran, and when it did not."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, Index, Integer, String, Table, Text

from bot.store.schema.columns import Counter, Moment, metadata
from bot.store.schema.meaning import NOBODY, PERSON, PLACE, SERVERS_ROW

# What is played in a channel where nothing else is said: a copy, so that it stays what it was when it was set.
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
    Column("at", Moment, nullable=False),
    Index(None, "by"),
)

# What is chosen on a server, by name; what is not there has its default (bot/domain/server_settings.py).
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
    Column("at", Moment, nullable=False),
    Index(None, "guild"),
    Index(None, "by"),
)

# When a manager was told last what the bot may not do in a channel.
permission_notices = Table(
    "permission_notices",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("at", Moment, nullable=False),
)

# Servers that the bot is no longer on, since when: what is kept of them goes after a while.
departures = Table(
    "departures",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("at", Moment, nullable=False),
)

# One row: when the bot was last known to run.
heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="single"), primary_key=True, autoincrement=False),
    Column("at", Moment, nullable=False),
)

# When the bot could not be reached of late: nobody's clock runs then at a slow table.
outages = Table(
    "outages",
    metadata,
    Column("since", Moment, primary_key=True, autoincrement=False),
    Column("until", Moment, nullable=False),
)
