"""Tables, who sits there, what has happened, and what moderators did. Refuses to know how a match ends."""

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

from bot.store.schema.columns import Counter, Degree, Moment, Span, Tempo, metadata
from bot.store.schema.meaning import (
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
    named,
    only_for,
)

dealt_alike = column("duplicate_id").is_not(None)
revised = column("revised_by").is_not(None)
sat_in_for = column("owner").is_not(None)

# wake: the earliest moment of deadline and of a reminder not yet given; what the clock sleeps until. edition: rises
# with each change of what is agreed to before the start. revised_*: the last of them; was_*: what held before it.
# stakes: whether the units of a match are owed; of a lobby, what its players agree to.
# within and hidden: of a match, the channel whose rights decided who sees it, and whether everybody did not.
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
    Column("pace", Tempo(64), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("created", Moment, nullable=False),
    Column("deadline", Moment),
    Column("remind_at", Moment),
    Column("reminded", Boolean, nullable=False, default=False),
    Column("wake", Moment),
    Column("touched", Moment, nullable=False, info=SECRET),  # it would tell when somebody answers in secret
    Column("edition", Integer, nullable=False, server_default="1"),
    Column("revised_by", BigInteger, info=PERSON),
    Column("revised_name", Text, info=named("revised_by")),
    Column("revised_at", Moment),
    Column("was_preset", String(64)),
    Column("was_options", JSON(none_as_null=True), info=NOBODY),
    Column("was_pace", Tempo(64)),
    Column("counts", Boolean, nullable=False, server_default=false()),
    Column("stakes", Boolean, nullable=False, server_default=false()),
    Column("ended", String(16)),
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("asleep", Moment),
    Column("held", Span),
    Column("rules", Integer, nullable=False, server_default="1"),
    Column("shut_out", Moment),
    Column("within", BigInteger, info=PLACE),
    Column("hidden", Boolean),
    Column("own_pace", Tempo(64)),  # of a slow table that was played live for a while
    Column("answers", Moment, info=SECRET),  # it would tell that somebody has said something beforehand
    Column("alone", String(16), nullable=False, server_default=""),  # what one person plays there, and nobody else sees
    Column("duplicate_id", Counter, ForeignKey("duplicates.id")),  # of which the deals are played here
    Column("votes", Integer, nullable=False, server_default="0"),  # how many votes there were so far
    Column("unrated", Boolean, nullable=False, server_default=false()),  # dealt with a person who was deleted of late
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
        None, "answers", sqlite_where=column("answers").is_not(None), postgresql_where=column("answers").is_not(None)
    ),
    Index(None, "wake", sqlite_where=column("wake").is_not(None), postgresql_where=column("wake").is_not(None)),
)

chairs = Table(
    "chairs",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user", BigInteger, info=PERSON),
    Column("name", Text, nullable=False, info=named("user")),
    Column("house", Boolean, nullable=False),
    Column("misses", Integer, nullable=False),
    Column("agreed", Integer, nullable=False, server_default="0"),
    Column("away", String(16), nullable=False, server_default=""),
    Column("vote", String(16), nullable=False, server_default=""),
    Column("unwanted", String(64), nullable=False, server_default=""),
    Column("refused", Moment),
    Column("orders", Text, nullable=False, server_default="", info=only_for("user")),
    Column("owner", BigInteger, info=PERSON),
    Column("owner_name", Text, nullable=False, server_default="", info=named("owner")),
    Column("offered", String(16), nullable=False, server_default=""),
    Column("quick", Integer, nullable=False, server_default="0", info=only_for("user")),
    Column("mark", String(64), nullable=False, server_default="", info=MARK),
    Column("level", Degree(16), nullable=False, server_default=""),
    Index(None, "user"),
    Index(None, "owner", sqlite_where=sat_in_for, postgresql_where=sat_in_for),
    sqlite_with_rowid=False,
)

# Words that players have put on top of the seed, before the first card. The deal follows from what they come to, which
# stands in the seed, so that a word can be deleted with its person.
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

# How much time a seat has that does not have all there is: left, at the moment since when its clock runs. A clock that
# runs goes by its owner's day; without such a moment it stands still.
seat_times = Table(
    "seat_times",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("left", Span, nullable=False),
    Column("since", Moment),
    Column("turn", Integer),
    sqlite_with_rowid=False,
)

# The record of every match, only ever added to. Its key is what lets no two clicks count for one ply; it is also the
# order of the rows on disk, so that an action touches one tree and a match lies in one place.
actions = Table(
    "actions",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("action", Text, nullable=False, info=NOBODY),
    Column("by", String(16), nullable=False),
    Column("at", Moment, nullable=False),
    sqlite_with_rowid=False,
)

# The same of a match that ended long ago, in one row in place of its actions (bot/store/engine/packs.py). length: how
# many they are; began: the moment of the first. body: NULL where what was played is no longer kept.
packs = Table(
    "packs",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("length", Integer, nullable=False),
    Column("began", Moment, nullable=False),
    Column("version", Integer, nullable=False),
    Column("checksum", String(64), nullable=False),
    Column("body", LargeBinary, info=NOBODY),
)

# Where the hands of a finished long match begin (rules/matches/openings.py). May be deleted at any time: they are made
# again of the record.
openings = Table(
    "openings",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("checksum", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False, info=NOBODY),
)

# Who acts for a seat from a ply on, noted as it happens: of a finished match who played which part of it. ply: below 0
# for who gave the seat back without an action. user: the person, not the one whose seat it is; NULL for a house player.
# everywhere: of the first sitting of a seat, whether the person wanted the match to count beyond its server.
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

# Who has sat in for somebody in a match that goes on, and so knows what a hand has held: a keyed hash of each.
sat_in = Table(
    "sat_in",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("mark", String(64), primary_key=True, info=MARK),
    sqlite_with_rowid=False,
)

# What moderators did, only ever added to.
moderations = Table(
    "moderations",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("table_id", Counter, ForeignKey("tables.id"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("what", String(16), nullable=False),
    Column("seat", Integer),
    Column("reason", Text, nullable=False, server_default="", info=TEXT),
    Index(None, "table_id"),
    Index(None, "by"),
)

# Who may not sit down where: of a person who was removed nothing is kept here but a keyed hash.
bars = Table(
    "bars",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("mark", String(64), primary_key=True, info=MARK),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("until", Moment, nullable=False),
)

# Who was called to which lobby, by whom; user: 0 where a role was. Kept for a few days, so that nobody is called often.
invited = Table(
    "invited",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("at", Moment, nullable=False),
    Index(None, "user"),
    Index(None, "by"),
    sqlite_with_rowid=False,
)

# Who would like to be told what happens where they do not sit. hands: of whose end they have been told; seat: whether
# they wait for a free seat; told: when they were called last.
# For whom a slow table waits, and what they know of it. look: when to see whether they are to be told something.
turns = Table(
    "turns",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("asked", String(64), nullable=False),
    Column("since", Moment, nullable=False),
    Column("ready", Moment, nullable=False),
    Column("remind", Moment),
    Column("ends", Moment),
    Column("together", Boolean, nullable=False),
    Column("told", Moment),
    Column("reminded", Boolean, nullable=False),
    Column("look", Moment),
    Index(None, "user"),
    Index(None, "look"),
    sqlite_with_rowid=False,
)

# Who has been told directly that a table is suspended: until it resumes or ends.
suspension_notices = Table(
    "suspension_notices",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# The messages that told them. guild: NULL for a direct message.
notices = Table(
    "notices",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("message", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, info=SERVERS_ROW),
    Column("kind", String(16), nullable=False),
    Column("at", Moment, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("gone", Boolean, nullable=False),
    Index(None, "channel", "at"),
    sqlite_with_rowid=False,
)

watchers = Table(
    "watchers",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("hands", Integer, nullable=False),
    Column("seat", Boolean, nullable=False),
    Column("told", Moment),
    Index(None, "user"),
    sqlite_with_rowid=False,
)

# user: 0 for what calls people to a lobby, 1 for what calls those who watch.
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

# What remains to be done on Discord, and messages that are being sent. The row of an effect is written with the change
# that it follows from. A message has a row before the first try, which is deleted with what is stored of Discord's
# answer: until then every try, also one after a stop, carries the same nonce; 0 before the first. user: the reader of a
# direct message, or 0. kind, about: of an effect, see bot.domain.effects; "" for a message alone. table_id: or 0.
outbox = Table(
    "outbox",
    metadata,
    Column("key", String(128), primary_key=True, info=NOBODY),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("user", BigInteger, nullable=False, info=PERSONS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("nonce", BigInteger, nullable=False, info=NOBODY),
    Column("at", Moment, nullable=False),
    Column("kind", String(20), nullable=False, server_default="", info=NOBODY),
    Column("table_id", Counter, nullable=False, server_default="0", info=NOBODY),
    Column("about", Text, nullable=False, server_default="", info=SECRET_TEXT),
    Index(None, "at"),
    Index(None, "user"),
    sqlite_with_rowid=False,
)
