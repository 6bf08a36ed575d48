"""The first schema: tables, their chairs and actions, results, pings and small notes.

Written out and never changed again, since existing databases were made with this very step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision: str | None = None
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
MOMENT = sa.BigInteger  # microseconds since 1970, UTC


def upgrade() -> None:
    """Make everything."""
    make_tables()
    make_seats()
    make_results()
    make_notes()


def downgrade() -> None:
    """Refuse: before the first schema there was nothing to go back to."""
    raise NotImplementedError


def make_tables() -> None:
    """Tables and what wakes them."""
    op.create_table(
        "tables",
        sa.Column("id", COUNTER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("home", sa.BigInteger, nullable=False),
        sa.Column("message", sa.BigInteger),
        sa.Column("host", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("preset", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("deadline", MOMENT),
        sa.Column("remind_at", MOMENT),
        sa.Column("reminded", sa.Boolean, nullable=False),
        sa.Column("wake", MOMENT),
        sa.Column("touched", MOMENT, nullable=False),
        sa.UniqueConstraint("guild", "number", name="uq_tables_guild_number"),
        sa.CheckConstraint("phase IN ('lobby', 'playing', 'over', 'closed')", name="ck_tables_phase"),
        sa.CheckConstraint("pace IN ('live', 'slow', 'none')", name="ck_tables_pace"),
        sa.CheckConstraint("(wake IS NULL) = (deadline IS NULL)", name="ck_tables_wake"),
    )
    op.create_index("ix_tables_touched", "tables", ["touched"])
    op.create_index("ix_tables_phase_home", "tables", ["phase", "home"])
    op.create_index("ix_tables_phase_channel", "tables", ["phase", "channel"])
    pending = sa.text("wake IS NOT NULL")
    op.create_index("ix_tables_wake", "tables", ["wake"], sqlite_where=pending, postgresql_where=pending)


def make_seats() -> None:
    """Create the chairs and actions of a table, and its pings."""
    op.create_table(
        "chairs",
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_chairs_table_id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("house", sa.Boolean, nullable=False),
        sa.Column("misses", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_chairs_user", "chairs", ["user"])
    op.create_table(
        "actions",
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_actions_table_id"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("by", sa.String(16), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pings",
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_pings_table_id"), primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("message", sa.BigInteger, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )


def make_results() -> None:
    """How matches ended."""
    of_table = sa.ForeignKey("tables.id", name="fk_results_table_id")
    op.create_table(
        "results",
        sa.Column("table_id", COUNTER, of_table, primary_key=True, autoincrement=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("finished", MOMENT, nullable=False),
    )
    op.create_index("ix_results_guild_finished", "results", ["guild", "finished"])
    of_result = sa.ForeignKey("results.table_id", name="fk_standings_table_id")
    op.create_table(
        "standings",
        sa.Column("table_id", COUNTER, of_result, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("house", sa.Boolean, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def make_notes() -> None:
    """What people have chosen, small notes, and when the bot last ran."""
    op.create_table(
        "habits",
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("by_suit", sa.Boolean, nullable=False),
        sa.Column("mirror", sa.Boolean, nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("key", sa.String(128), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, sa.CheckConstraint("id = 1", name="ck_heartbeat_single"), primary_key=True),
        sa.Column("at", MOMENT, nullable=False),
    )
