"""Finished matches: with who sat there (sittings) all that ratings, statistics and ledgers are made of.

They are only ever added to; a person who is deleted becomes nameless, and a match may be marked as annulled. Refuses to
know what they add up to.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, false, true

from bot.store.schema.columns import Counter, Degree, Moment, metadata
from bot.store.schema.meaning import NOBODY, PERSON, PERSON_AT_ONCE, PLACE, PLAYER, SERVERS_ROW, named

# deeds: by which version of the rules for those it was looked at.
# What is said of its table stands here too, so that nothing else need be read. stakes: whether its units are owed.
# channel, hidden: who could see the match when it was dealt or moved, see Place; who may see it now is asked anew.
results = Table(
    "results",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("game", String(64), nullable=False),
    Column("hands", Integer, nullable=False),
    Column("finished", Moment, nullable=False),
    Column("counts", Boolean, nullable=False, server_default=true()),
    Column("stakes", Boolean, nullable=False, server_default=false()),
    Column("ended", String(16), nullable=False, server_default="itself"),
    Column("channel", BigInteger, nullable=False, server_default="0", info=PLACE),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("preset", String(64), nullable=False, server_default=""),
    Column("options", JSON, nullable=False, server_default="{}", info=NOBODY),
    Column("annulled", Boolean, nullable=False, server_default=false()),
    Column("unrated", Boolean, nullable=False, server_default=false()),
    Column("deeds", Integer, nullable=False, server_default="0"),
    Index(None, "guild", "finished"),
    Index(None, "game", "finished"),
)

# Whose results belong together. It tells nobody who that is, so it stays when they are deleted, and what others have
# won against them stays as it was; somebody who comes back is a new one.
players = Table(
    "players",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("user", BigInteger, unique=True, info=PERSON_AT_ONCE),
)

# How each seat ended a match. user: the person who began there; the result stays theirs, whoever acts for them. player:
# the same, without saying who; NULL where a house player began. everywhere: whether they wanted it to count beyond
# their server. turns: the latest of that person at a slow table, see Part. level: how well a house player played.
standings = Table(
    "standings",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user", BigInteger, info=PERSON),
    Column("name", Text, nullable=False, info=named("user")),
    Column("house", Boolean, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", BigInteger, nullable=False, info=NOBODY),
    Column("net", BigInteger, nullable=False, info=NOBODY),
    Column("left", Boolean, nullable=False, server_default=false()),
    Column("player", Counter, ForeignKey("players.id"), info=PLAYER),
    Column("everywhere", Boolean, nullable=False, server_default=false()),
    Column("turns", String(50), nullable=False, server_default=""),
    Column("level", Degree(16), nullable=False, server_default=""),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# What each hand came to for each seat; they add up to the standings. place: NULL where the rules give none.
hands = Table(
    "hands",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer),
    Column("points", BigInteger, nullable=False, info=NOBODY),
    Column("net", BigInteger, nullable=False, info=NOBODY),
    sqlite_with_rowid=False,
)

# Who owes whom in the end, by seats.
payments = Table(
    "payments",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("payer", Integer, primary_key=True, autoincrement=False),
    Column("payee", Integer, primary_key=True, autoincrement=False),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    sqlite_with_rowid=False,
)

# What each seat did that is worth an achievement, and how often; with a colon in the code how it played.
deeds = Table(
    "deeds",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("code", String(32), primary_key=True),
    Column("times", Integer, nullable=False),
    sqlite_with_rowid=False,
)
