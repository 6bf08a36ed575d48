"""Tables, their seats, records and moderations, and the messages around them.

A column keeps the name of its first release; `key` is its name in the code.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    column,
    false,
)

from bot.store.schema.columns import (
    MARK,
    NOBODY,
    PERSON,
    PERSONS_HISTORY,
    PERSONS_ROW,
    PLACE,
    SECRET,
    SECRET_TEXT,
    SERVERS_ROW,
    TEXT,
    Counter,
    DurationType,
    LevelType,
    PaceType,
    TimestampType,
    metadata,
    name_of,
    only_for,
)

dealt_alike = column("duplicate_id").is_not(None)
revised = column("revised_by").is_not(None)
sat_in_for = column("owner").is_not(None)

# wake: the earliest of the deadline and an outstanding reminder, the time until which the clock sleeps. edition: the
# number of the current terms of a lobby. revised_*: the latest change of the terms; was_*: the terms before it. stakes:
# whether the units of a match are owed; in a lobby, part of the terms. within and hidden: the channel whose permissions
# govern who sees the match, and whether the channel was hidden from some.
tables = Table(
    "tables",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("number", Integer, nullable=False),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("home", BigInteger, nullable=False, info=PLACE),
    Column("message", BigInteger, info=PLACE),
    Column("host", BigInteger, nullable=False, info=PERSON),
    Column("game", String(64), nullable=False),
    Column("preset", String(64), nullable=False),
    Column("options", JSON, nullable=False, info=NOBODY),
    Column("seats", Integer, nullable=False),
    Column("seed", Text, nullable=False, info=SECRET),
    Column("pace", PaceType(64), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("created", TimestampType, nullable=False),
    Column("deadline", TimestampType),
    Column("remind_at", TimestampType),
    Column("reminded", Boolean, nullable=False, default=False),
    Column("wake", TimestampType),
    Column("touched", TimestampType, nullable=False, info=SECRET),  # would reveal the time of a secret answer
    Column("edition", Integer, nullable=False, server_default="1"),
    Column("revised_by", BigInteger, info=PERSON),
    Column("revised_name", Text, info=name_of("revised_by")),
    Column("revised_at", TimestampType),
    Column("was_preset", String(64)),
    Column("was_options", JSON(none_as_null=True), info=NOBODY),
    Column("was_pace", PaceType(64)),
    Column("counts", Boolean, nullable=False, server_default=false()),
    Column("stakes", Boolean, nullable=False, server_default=false()),
    Column("ended", String(16)),
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("asleep", TimestampType, key="suspended_since"),
    Column("held", DurationType),
    Column("rules", Integer, nullable=False, server_default="1"),
    Column("shut_out", TimestampType),
    Column("within", BigInteger, info=PLACE),
    Column("hidden", Boolean),
    Column("own_pace", PaceType(64)),  # restored after a live session
    Column("answers", TimestampType, key="premove_at", info=SECRET),  # would reveal a premove
    Column("alone", String(16), key="solo", nullable=False, server_default=""),  # the kind of a solo table
    Column("duplicate_id", Counter, ForeignKey("duplicates.id")),  # the duplicate of the deals
    Column("votes", Integer, nullable=False, server_default="0"),  # the number of votes so far
    Column("unrated", Boolean, nullable=False, server_default=false()),  # dealt shortly after a player's deletion
    UniqueConstraint("guild", "number"),
    CheckConstraint("phase IN ('lobby', 'playing', 'over', 'closed')", name="phase"),
    CheckConstraint(
        "pace LIKE 'live%' OR pace LIKE 'relaxed%' OR pace LIKE 'daily%' OR pace LIKE 'none%'", name="pace"
    ),
    CheckConstraint("(wake IS NULL) = (deadline IS NULL)", name="wake"),
    Index(None, "touched"),
    Index(None, "host"),
    Index(None, "revised_by", sqlite_where=revised, postgresql_where=revised),
    Index(None, "phase", "home"),
    Index(None, "phase", "channel"),
    Index(None, "phase", "within"),
    Index(None, "duplicate_id", sqlite_where=dealt_alike, postgresql_where=dealt_alike),
    Index(
        None, "premove_at", sqlite_where=column("answers").is_not(None), postgresql_where=column("answers").is_not(None)
    ),
    Index(None, "wake", sqlite_where=column("wake").is_not(None), postgresql_where=column("wake").is_not(None)),
)

chairs = Table(
    "chairs",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user", BigInteger, info=PERSON),
    Column("name", Text, nullable=False, info=name_of("user")),
    Column("house", Boolean, nullable=False),
    Column("misses", Integer, nullable=False),
    Column("agreed", Integer, nullable=False, server_default="0"),
    Column("away", String(16), nullable=False, server_default=""),
    Column("vote", String(16), nullable=False, server_default=""),
    Column("unwanted", String(64), nullable=False, server_default=""),
    Column("refused", TimestampType),
    Column("orders", Text, key="premoves", nullable=False, server_default="", info=only_for("user")),
    Column("owner", BigInteger, info=PERSON),
    Column("owner_name", Text, nullable=False, server_default="", info=name_of("owner")),
    Column("offered", String(16), nullable=False, server_default=""),
    Column("quick", Integer, key="live_ply", nullable=False, server_default="0", info=only_for("user")),
    Column("mark", String(64), nullable=False, server_default="", info=MARK),
    Column("level", LevelType(16), nullable=False, server_default=""),
    Index(None, "user"),
    Index(None, "owner", sqlite_where=sat_in_for, postgresql_where=sat_in_for),
    sqlite_with_rowid=False,
)

# Words added to the seed by players before the first card. The deal follows from the final seed, which includes the
# words, so a word can be deleted with its player.
cuts = Table(
    "cuts",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_HISTORY),
    Column("seat", Integer, nullable=False),
    Column("word", Text, nullable=False, info=NOBODY),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# The remaining times of seats with less than the full time: left, at the start of the running clock, since. A running
# clock follows the owner's working hours; without since the clock is stopped.
seat_times = Table(
    "seat_times",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("left", DurationType, nullable=False),
    Column("since", TimestampType),
    Column("turn", Integer),
    sqlite_with_rowid=False,
)

# The record of every match, append-only. The primary key stops two clicks from taking the same ply; as the order of the
# rows on disk, it keeps a match in one place, and an action touches a single tree.
actions = Table(
    "actions",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("action", Text, nullable=False, info=NOBODY),
    Column("by", String(16), nullable=False),
    Column("at", TimestampType, nullable=False),
    sqlite_with_rowid=False,
)

# The packed record of an old match, in place of its actions (bot/store/repositories/records.py). length: the number of
# actions; began: the time of the first. body: NULL once the moves were deleted.
packs = Table(
    "packs",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("length", Integer, nullable=False),
    Column("began", TimestampType, nullable=False),
    Column("version", Integer, nullable=False),
    Column("checksum", String(64), nullable=False),
    Column("body", LargeBinary, info=NOBODY),
)

# The start positions of the hands of a finished long match (rules/matches/openings.py). May be deleted at any time:
# they are recomputed from the record.
openings = Table(
    "openings",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("checksum", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False, info=NOBODY),
)

# The player acting for a seat from a ply on, noted at once: the parts of a finished match by player. ply: below 0 after
# a seat was given back without an action. user: the acting person, who may differ from the owner of the seat; NULL for
# a house player. everywhere: in the first sitting of a seat, whether the person wanted the match to count beyond its
# server.
sittings = Table(
    "sittings",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("user", BigInteger, info=PERSON),
    Column("house", Boolean, nullable=False),
    Column("away", String(16), nullable=False, server_default=""),
    Column("everywhere", Boolean, nullable=False, server_default=false()),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# The substitutes of a running match, who have seen a hand: a keyed hash of each.
sat_in = Table(
    "sat_in",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("mark", String(64), primary_key=True, info=MARK),
    sqlite_with_rowid=False,
)

# Actions of moderators, append-only.
moderations = Table(
    "moderations",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("table_id", Counter, ForeignKey("tables.id"), nullable=False),
    Column("at", TimestampType, nullable=False),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("what", String(16), nullable=False),
    Column("seat", Integer),
    Column("reason", Text, nullable=False, server_default="", info=TEXT),
    Index(None, "table_id"),
    Index(None, "by"),
)

# Bans from the seats of a channel: the only trace of a removed person is a keyed hash.
bars = Table(
    "bars",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("mark", String(64), primary_key=True, info=MARK),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("until", TimestampType, nullable=False),
)

# Invitations to a lobby, and the inviter; user: 0 for a role. Retained for a few days, so that nobody is invited often.
invited = Table(
    "invited",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("at", TimestampType, nullable=False),
    Index(None, "user"),
    Index(None, "by"),
    sqlite_with_rowid=False,
)

# The players awaited at slow tables, and their notifications. look: the time of the next check for a notification.
turns = Table(
    "turns",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("asked", String(64), nullable=False),
    Column("since", TimestampType, nullable=False),
    Column("ready", TimestampType, nullable=False),
    Column("remind", TimestampType),
    Column("ends", TimestampType),
    Column("together", Boolean, nullable=False),
    Column("told", TimestampType),
    Column("reminded", Boolean, nullable=False),
    Column("look", TimestampType),
    Index(None, "user"),
    Index(None, "look"),
    sqlite_with_rowid=False,
)

# The direct messages about a suspended table, until the table resumes or ends.
suspension_notices = Table(
    "suspension_notices",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# Messages that list awaited tables. guild: NULL for a direct message.
notices = Table(
    "notices",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("message", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, info=SERVERS_ROW),
    Column("kind", String(16), nullable=False),
    Column("at", TimestampType, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("gone", Boolean, nullable=False),
    Index(None, "channel", "at"),
    sqlite_with_rowid=False,
)

# Spectators who asked for notifications. hands: the number of finished hands already announced; seat: whether the
# spectator waits for a free seat; told: the time of the last notification.
watchers = Table(
    "watchers",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("hands", Integer, nullable=False),
    Column("seat", Boolean, nullable=False),
    Column("told", TimestampType),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# People in line for a seat, each at one table. asked_at, seat: when a person was asked to take which seat; NULL before.
seat_queue = Table(
    "seat_queue",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("table_id", Counter, ForeignKey("tables.id"), nullable=False),
    Column("since", TimestampType, nullable=False),
    Column("asked_at", TimestampType),
    Column("seat", Integer),
    Index(None, "table_id"),
    sqlite_with_rowid=False,
)

# People who have declined an invitation to a lobby or a rematch. Retained as long as invitations.
declined = Table(
    "declined",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("at", TimestampType, nullable=False),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# user: 0 for a call to a lobby, 1 for a call to spectators, 2 for a call to a free seat.
pings = Table(
    "pings",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("message", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# Effects still to carry out on Discord, and messages being sent. An effect is written in the transaction of the change
# that causes it. A message gets a row before the first attempt, deleted in the transaction that stores Discord's
# answer: until then every attempt, also after a restart, carries the same nonce; 0 before the first. user: the reader
# of a direct message, or 0. kind, about: of an effect, see bot.domain.effects; "" for a message alone. table_id: or 0.
outbox = Table(
    "outbox",
    metadata,
    Column("key", String(128), primary_key=True, info=NOBODY),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("user", BigInteger, nullable=False, info=PERSONS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("nonce", BigInteger, nullable=False, info=NOBODY),
    Column("at", TimestampType, nullable=False),
    Column("kind", String(20), nullable=False, server_default="", info=NOBODY),
    Column("table_id", Counter, nullable=False, server_default="0", info=NOBODY),
    Column("about", Text, nullable=False, server_default="", info=SECRET_TEXT),
    Index(None, "at"),
    Index(None, "user"),
    sqlite_with_rowid=False,
)
