"""The tables of the database, with their constraints and indexes.

Knows columns; refuses to know when they are written. Portable to PostgreSQL, see bot/store/columns.py.
A change here needs a new file in ``migrations/versions``; a new column says whom it is about (bot/store/meaning.py).
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
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    column,
    false,
    true,
)

from bot.store.columns import Counter, Moment, Span
from bot.store.meaning import (
    MARK,
    NOBODY,
    PERSON,
    PERSONS_ROW,
    PLACE,
    SECRET,
    SERVERS_ROW,
    TEXT,
    About,
    about,
    named,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
# wake: the earliest moment of deadline and of a reminder not yet given; what the clock sleeps until. edition: rises
# with each change of what is agreed to before the start. revised_*: the last of them; was_*: what held before it.
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
    Column("pace", String(16), nullable=False),
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
    Column("was_pace", String(16)),
    Column("counts", Boolean, nullable=False, server_default=false()),
    Column("ended", String(16)),
    Column("paused", Boolean, nullable=False, server_default=false()),
    Column("asleep", Moment),
    Column("held", Span),
    UniqueConstraint("guild", "number"),
    CheckConstraint("phase IN ('lobby', 'playing', 'over', 'closed')", name="phase"),
    CheckConstraint("pace IN ('live', 'slow', 'none')", name="pace"),
    CheckConstraint("(wake IS NULL) = (deadline IS NULL)", name="wake"),
    Index(None, "touched"),
    Index(None, "phase", "home"),
    Index(None, "phase", "channel"),
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
    Column("ending", Boolean, nullable=False, server_default=false()),
    Column("mark", String(64), nullable=False, server_default="", info=MARK),
    Index(None, "user"),
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

# Finished matches, only ever added to: with the four tables below all that ratings, statistics and ledgers are made of.
# So what is said of the table stands here too. channel, hidden: who could see the match when it ended, see Place; who
# may see it now is asked anew.
results = Table(
    "results",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("game", String(64), nullable=False),
    Column("hands", Integer, nullable=False),
    Column("finished", Moment, nullable=False),
    Column("counts", Boolean, nullable=False, server_default=true()),
    Column("ended", String(16), nullable=False, server_default="itself"),
    Column("channel", BigInteger, nullable=False, server_default="0", info=PLACE),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("preset", String(64), nullable=False, server_default=""),
    Column("options", JSON, nullable=False, server_default="{}", info=NOBODY),
    Index(None, "guild", "finished"),
)

# How each seat ended a match. user: the person who began there; the result stays theirs, whoever acts for them.
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
    sqlite_with_rowid=False,
)

# Who acts for a seat from a ply on, noted as it happens: of a finished match who played which part of it. user: the
# person, not the one whose seat it is; NULL for a house player.
sittings = Table(
    "sittings",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("user", BigInteger, info=PERSON),
    Column("house", Boolean, nullable=False),
    Column("away", String(16), nullable=False, server_default=""),
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
    Index(None, "table_id"),
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

pings = Table(
    "pings",
    metadata,
    Column("table_id", Counter, ForeignKey("tables.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("message", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    sqlite_with_rowid=False,
)

habits = Table(
    "habits",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("by_suit", Boolean, nullable=False),
    Column("mirror", Boolean, nullable=False),
    Column("locale", String(16), nullable=False),
)

# opened: when, so that not too many are opened at once.
directs = Table(
    "directs",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("opened", Moment, nullable=False),
    Index(None, "opened"),
)

notes = Table(
    "notes",
    metadata,
    Column("key", String(128), primary_key=True, info=TEXT),
    Column("value", Text, nullable=False, info=TEXT),
)

OWNER = about(
    About("person", row=True, where=("scope", "person")), About("server", row=True, where=("scope", "server"))
)
# folded: the name as it is compared; two that differ only in their letters' case are one.
house_rules = Table(
    "house_rules",
    metadata,
    Column("scope", String(16), primary_key=True),
    Column("owner", BigInteger, primary_key=True, autoincrement=False, info=OWNER),
    Column("folded", Text, primary_key=True, info=NOBODY),
    Column("name", Text, nullable=False, info=NOBODY),
    Column("game", String(64), nullable=False),
    Column("preset", String(64), nullable=False),
    Column("options", JSON, nullable=False, info=NOBODY),
    Column("by", BigInteger, nullable=False, info=PERSON),
    Column("at", Moment, nullable=False),
    CheckConstraint("scope IN ('person', 'server')", name="scope"),
    sqlite_with_rowid=False,
)

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
)

# What is chosen on a server, by name; what is not there has its default (bot/ground/server_settings.py).
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
