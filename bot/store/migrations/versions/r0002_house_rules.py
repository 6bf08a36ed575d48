"""House rules, the default rules of a channel, and the length of old Big Two matches.

Written out and never changed again: databases of that time were migrated with it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"
branch_labels = None
depends_on = None

MOMENT = sa.BigInteger  # microseconds since 1970, UTC
TABLES = sa.table("tables", sa.column("id"), sa.column("game"), sa.column("options", sa.JSON))


def upgrade() -> None:
    """Make room for house rules, and say of old matches what went without saying."""
    make_house_rules()
    make_channel_defaults()
    keep_old_matches_as_long_as_they_were()


def downgrade() -> None:
    """Refuse: house rules would be lost.

    The copy of the database that was made before is the way back.
    """
    raise NotImplementedError


def make_house_rules() -> None:
    """Create the saved rules of people and servers."""
    op.create_table(
        "house_rules",
        sa.Column("scope", sa.String(16), primary_key=True),
        sa.Column("owner", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("folded", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("preset", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.CheckConstraint("scope IN ('person', 'server')", name="ck_house_rules_scope"),
        sqlite_with_rowid=False,
    )


def make_channel_defaults() -> None:
    """Create the default rules of channels."""
    op.create_table(
        "channel_defaults",
        sa.Column("channel", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("preset", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
    )


def keep_old_matches_as_long_as_they_were() -> None:
    """Write ``match_end`` down where it is missing.

    That meant a number of hands, and now it means no end at all.
    """
    connection = op.get_bind()
    of_big_two = sa.select(TABLES.c.id, TABLES.c.options).where(TABLES.c.game == "big_two")
    lengthened = [
        {"table": row.id, "known": row.options | {"match_end": "deals"}}
        for row in connection.execute(of_big_two)
        if "match_end" not in row.options
    ]
    if lengthened:
        written = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("table")).values(options=sa.bindparam("known"))
        connection.execute(written, lengthened)
