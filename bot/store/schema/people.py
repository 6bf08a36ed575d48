"""Choices and saved data of people, notes of the bot, and the people named in texts."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    false,
)

from bot.store.schema.columns import (
    ERASED,
    MARK,
    NOBODY,
    PERSON,
    PERSONS_ROW,
    PLACE,
    SECRET,
    SERVERS_ROW,
    TEXT,
    ColumnMeaning,
    Counter,
    LevelType,
    TimestampType,
    meaning_info,
    metadata,
)
from bot.store.schema.play import moderations, outbox

habits = Table(
    "habits",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("by_suit", Boolean, nullable=False),
    Column("mirror", Boolean, nullable=False),
    Column("locale", String(16), nullable=False),
    Column("uninvited", Boolean, nullable=False, server_default=false()),
    Column("four_colours", Boolean, nullable=False, server_default=false()),  # of earlier releases, not read
    Column("text_only", Boolean, nullable=False, server_default=false()),
    Column("large", Boolean, nullable=False, server_default=false()),
    Column("confirm", Boolean, nullable=False, server_default=false()),
    Column("shares_day", Boolean, nullable=False, server_default=false()),
    Column("asked_day", Boolean, nullable=False, server_default=false()),
    Column("notices", String(16), nullable=False, server_default="here"),
    Column("everywhere", Boolean, nullable=False, server_default=false()),
    Column("unlisted", Boolean, nullable=False, server_default=false()),
    Column("level", LevelType(16), nullable=False, server_default="kind"),
    Column("suit_colours", String(8), nullable=False, server_default=""),
)

# The weekly hours of a person from a time on. Earlier versions stay, since a running clock may have started under them.
# off: days of the week, as digits, Monday being 0.
hours = Table(
    "hours",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("since", TimestampType, primary_key=True, autoincrement=False),
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

# Pairs to keep apart. other: a keyed hash of the unwanted person, shown to nobody: the block is the choice of user
# alone, and is deleted with user.
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
    Column("opened", TimestampType, nullable=False),
)

# Private threads for people with closed direct messages. channel: the parent channel.
own_threads = Table(
    "own_threads",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("thread", BigInteger, nullable=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    sqlite_with_rowid=False,
)

# Requests for a single notification of the next table in a channel; game: the game wanted, "" for every game.
waits = Table(
    "waits",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("channel", BigInteger, primary_key=True, autoincrement=False, info=PLACE),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("game", String(64), nullable=False),
    Column("until", TimestampType, nullable=False),
    Index(None, "channel"),
)

# People who were offered or took a lesson in a game on a server.
lessons = Table(
    "lessons",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
    Column("guild", BigInteger, primary_key=True, autoincrement=False, info=SERVERS_ROW),
    Column("game", String(64), primary_key=True),
)

# Recent uses of limited actions (bot/store/repositories/limits.py). mark: of the user, "" for a limit shared by every
# user; about: a keyed hash of the object of the action, "" without one; until: the time at which the use expires.
uses = Table(
    "uses",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("mark", String(64), nullable=False, info=MARK),
    Column("kind", String(16), nullable=False),
    Column("about", String(64), nullable=False),
    Column("until", TimestampType, nullable=False),
    Index(None, "mark", "kind", "about"),
    Index(None, "until"),
)

# key: contains no id of a person.
notes = Table(
    "notes",
    metadata,
    Column("key", String(128), primary_key=True, info=NOBODY),
    Column("value", Text, nullable=False, info=TEXT),
)

OWNER = meaning_info(
    ColumnMeaning("person", row=True, where=("scope", "person"), at_once=True),
    ColumnMeaning("server", row=True, where=("scope", "server")),
)
# folded: the name in its form for comparison, which ignores case.
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
    Column("at", TimestampType, nullable=False),
    CheckConstraint("scope IN ('person', 'server')", name="scope"),
    Index(None, "by"),
    sqlite_with_rowid=False,
)

# Unfinished deletions: noted, with rows left. kind: person or server. worker: the process that deletes the rows, by its
# number in the group that shares the database, else 0. worked: the time of the worker's last batch.
erasures = Table(
    "erasures",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False, info=ERASED),
    Column("worker", BigInteger, nullable=False, info=NOBODY),
    Column("worked", TimestampType, nullable=False),
    sqlite_with_rowid=False,
)


def named_in(texts: Table) -> Table:
    """Return the table of people named in the texts of a table, by the key of a text's row."""
    (key,) = texts.primary_key.columns
    return Table(
        f"{texts.name}_named",
        metadata,
        Column("key", key.type, ForeignKey(key, ondelete="CASCADE"), primary_key=True, autoincrement=False),
        Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
        Index(None, "user"),
        sqlite_with_rowid=False,
    )


NAMED_IN = {texts: named_in(texts) for texts in (moderations, notes, outbox)}
