"""Finished matches, the sums over them, ended seasons, and settlements of debts.

A column keeps the name of its first release; `key` is its name in the code.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    false,
    true,
)

from bot.store.schema.columns import (
    NOBODY,
    PERSON,
    PERSON_AT_ONCE,
    PLACE,
    PLAYER,
    SERVERS_ROW,
    Counter,
    LevelType,
    TimestampType,
    metadata,
    name_of,
)

# deeds: the version of the achievement rules applied. The data of the table is repeated here, so that readers need no
# other row. stakes: whether the units are owed. channel, hidden: the visibility of the match at the deal or the last
# move, see AccessChannel; current access is checked on each view.
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

# The result of each seat. user: the person of the start, who owns the result. player: the same person
# without the id; NULL for a house player at the start. everywhere: whether the person wanted the match to count
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


# finished, table_id: of the last match included. by: the version of the computation.
leaderboard_states = Table(
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
    Column("quick", Float, key="elo", nullable=False, info=NOBODY),
    Column("mean", Float, nullable=False, info=NOBODY),
    Column("weight", Float, nullable=False, info=NOBODY),
    Column("matches", Integer, nullable=False),
    Column("last", TimestampType, nullable=False),
    Column("table_id", Counter, nullable=False),
    sqlite_with_rowid=False,
)

# The effect of each counted match on each player. elo, mean, weight: the rating after the match, NULL if unrated.
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
    Column("quick", Float, key="elo", info=NOBODY),
    Column("mean", Float, info=NOBODY),
    Column("weight", Float, info=NOBODY),
    Column("turns", String(50), nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

# Sums of debts: channel 0 for the channels visible to all members. until: later matches are not yet included. by: the
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

# table_id: of the player's last match in the season, the source of the displayed name. elo, mean, weight: NULL
# without a rated match.
finalists = Table(
    "finalists",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("game", String(64), primary_key=True),
    Column("player", Counter, primary_key=True, autoincrement=False, info=PLAYER),
    Column("place", Integer, nullable=False),
    Column("quick", Float, key="elo", info=NOBODY),
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


# channel: 0 for the channels visible to all members, another id for a single hidden channel. by: the first player to
# report. agreed: the time of the other player's agreement; until then the first may withdraw.
settlements = Table(
    "settlements",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("payer", Counter, ForeignKey("players.id"), nullable=False, info=PLAYER),
    Column("payee", Counter, ForeignKey("players.id"), nullable=False, info=PLAYER),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    Column("by", Counter, nullable=False, info=PLAYER),
    Column("said", TimestampType, nullable=False),
    Column("agreed", TimestampType),
    Index(None, "guild", "channel"),
)
