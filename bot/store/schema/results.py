"""Finished matches: together with the sittings, the source of ratings, statistics and ledgers.

Append-only, except that a deleted person becomes nameless, and that a match may be annulled. Refuses to know the sums.
"""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text, false, true

from bot.store.schema.columns import Counter, LevelType, TimestampType, metadata
from bot.store.schema.meaning import NOBODY, PERSON, PERSON_AT_ONCE, PLACE, PLAYER, SERVERS_ROW, name_of

# deeds: the version of the achievement rules applied. The data of the table is repeated here, so that readers need no
# other row. stakes: whether the units are owed. channel, hidden: the visibility of the match at the deal or the last
# move, see Place; current access is checked on each view.
results = Table(
    "results",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("game", String(64), nullable=False),
    Column("hands", Integer, nullable=False),
    Column("finished", TimestampType, nullable=False),
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

# Groups the results of one person. The number stays after a deletion and identifies nobody, so the results of opponents
# stay unchanged; a returning person gets a new number.
players = Table(
    "players",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("user", BigInteger, unique=True, info=PERSON_AT_ONCE),
)

# The result of each seat. user: the person of the start, who owns the result whoever acts later. player: the same
# person without the id; NULL for a house player at the start. everywhere: whether the person wanted the match to count
# beyond its server. turns: the latest turns of the person at a slow table, see Part. level: of a house player.
standings = Table(
    "standings",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user", BigInteger, info=PERSON),
    Column("name", Text, nullable=False, info=name_of("user")),
    Column("house", Boolean, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", BigInteger, nullable=False, info=NOBODY),
    Column("net", BigInteger, nullable=False, info=NOBODY),
    Column("left", Boolean, nullable=False, server_default=false()),
    Column("player", Counter, ForeignKey("players.id"), info=PLAYER),
    Column("everywhere", Boolean, nullable=False, server_default=false()),
    Column("turns", String(50), nullable=False, server_default=""),
    Column("level", LevelType(16), nullable=False, server_default=""),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# The result of each hand for each seat; the sum over the hands is the standing. place: NULL if the rules give none.
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

# The final payments between seats.
payments = Table(
    "payments",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("payer", Integer, primary_key=True, autoincrement=False),
    Column("payee", Integer, primary_key=True, autoincrement=False),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    sqlite_with_rowid=False,
)

# Achievements of each seat, and how often; a code with a colon describes the style of play.
deeds = Table(
    "deeds",
    metadata,
    Column("table_id", Counter, ForeignKey("results.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("code", String(32), primary_key=True),
    Column("times", Integer, nullable=False),
    sqlite_with_rowid=False,
)
