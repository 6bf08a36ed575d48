"""What people have chosen for themselves and saved, small notes of the bot's own, and whose rows are being deleted."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Index,
    Integer,
    String,
    Table,
    Text,
    false,
)

from bot.store.schema.columns import Counter, Degree, Moment, metadata
from bot.store.schema.meaning import (
    ERASED,
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
)

habits = Table(
    "habits",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("by_suit", Boolean, nullable=False),
    Column("mirror", Boolean, nullable=False),
    Column("locale", String(16), nullable=False),
    Column("uninvited", Boolean, nullable=False, server_default=false()),
    Column("four_colours", Boolean, nullable=False, server_default=false()),
    Column("text_only", Boolean, nullable=False, server_default=false()),
    Column("large", Boolean, nullable=False, server_default=false()),
    Column("confirm", Boolean, nullable=False, server_default=false()),
    Column("shares_day", Boolean, nullable=False, server_default=false()),
    Column("asked_day", Boolean, nullable=False, server_default=false()),
    Column("notices", String(16), nullable=False, server_default="here"),
    Column("everywhere", Boolean, nullable=False, server_default=false()),
    Column("unlisted", Boolean, nullable=False, server_default=false()),
    Column("level", Degree(16), nullable=False, server_default="kind"),
)

# When somebody has time, from a moment on: what they have changed since stays, for a clock may run that began before.
# off: days of the week, as digits, Monday being 0.
hours = Table(
    "hours",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("since", Moment, primary_key=True, autoincrement=False),
    Column("zone", String(64), nullable=False),
    Column("bed", Integer, nullable=False),
    Column("night", Integer, nullable=False),
    Column("off", String(8), nullable=False),
    sqlite_with_rowid=False,
)

vacations = Table(
    "vacations",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("first", Date, primary_key=True, autoincrement=False),
    Column("last", Date, nullable=False),
    sqlite_with_rowid=False,
)

# With whom somebody would rather not play. other: a keyed hash of that person, to whom nobody may tell it: that it is
# so is the choice of user alone, and goes with them.
apart = Table(
    "apart",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("other", String(64), primary_key=True, info=SECRET),
)

directs = Table(
    "directs",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("opened", Moment, nullable=False),
)

# The private threads of those whose direct messages are closed. channel: under which it is.
own_threads = Table(
    "own_threads",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("thread", BigInteger, nullable=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    sqlite_with_rowid=False,
)

# Who would like to hear of the next table in a channel, once; game: of this one alone, "" for any.
waits = Table(
    "waits",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("game", String(64), nullable=False),
    Column("until", Moment, nullable=False),
    Index(None, "channel"),
)

# Who has been offered a lesson in a game on a server, or has taken one.
lessons = Table(
    "lessons",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("game", String(64), primary_key=True),
)

# What somebody has done of late that is limited (bot/store/repositories/limits.py). mark: whose use it is, "" where
# those of all persons count together; about: a keyed hash of what it concerns, "" for nothing; until: for how long it
# counts.
uses = Table(
    "uses",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("mark", String(64), nullable=False, info=MARK),
    Column("kind", String(16), nullable=False),
    Column("about", String(64), nullable=False),
    Column("until", Moment, nullable=False),
    Index(None, "mark", "kind", "about"),
    Index(None, "until"),
)

# key: names nobody.
notes = Table(
    "notes",
    metadata,
    Column("key", String(128), primary_key=True, info=NOBODY),
    Column("value", Text, nullable=False, info=TEXT),
)

OWNER = about(
    About("person", row=True, where=("scope", "person"), at_once=True),
    About("server", row=True, where=("scope", "server")),
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
    Index(None, "by"),
    sqlite_with_rowid=False,
)

# Deletions that are noted, and of which rows are left. kind: person or server. worker: the process that deletes the
# rows, by its number among those that share the database, else 0. worked: when that process deleted rows last.
erasures = Table(
    "erasures",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False, info=ERASED),
    Column("worker", BigInteger, nullable=False, info=NOBODY),
    Column("worked", Moment, nullable=False),
    sqlite_with_rowid=False,
)
