"""Contests: tries at the deal of the day, duplicates, and the puzzles of each week."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, Date, ForeignKey, Index, Integer, String, Table, Text, false

from bot.store.schema.columns import (
    NOBODY,
    PERSON,
    PERSONS_HISTORY,
    PLACE,
    SECRET,
    SERVERS_ROW,
    Counter,
    PaceType,
    TimestampType,
    metadata,
)

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


# week: its Monday. number: the position in the week, from 0. puzzle: in the form of bot/ai/puzzle.py, with the
# solution.
puzzles = Table(
    "puzzles",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("week", Date, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("puzzle", Text, nullable=False, info=SECRET),
    sqlite_with_rowid=False,
)

# The primary key makes the first answer final. choice: the index of the chosen option. solved: whether the best option
# was chosen.
answers = Table(
    "answers",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("game", String(64), primary_key=True),
    Column("week", Date, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("choice", Integer, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", TimestampType, nullable=False),
    sqlite_with_rowid=False,
)
