"""Moderation: paused tables, a record of acts, and who may not sit down where for a while.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision: str | None = "0009"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the columns and both tables."""
    op.add_column("tables", sa.Column("paused", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("held", sa.BigInteger))
    op.create_table(
        "moderations",
        sa.Column("id", COUNTER, primary_key=True),
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_moderations_table_id"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer),
    )
    op.create_index("ix_moderations_table_id", "moderations", ["table_id"])
    op.create_table(
        "bars",
        sa.Column("channel", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("mark", sa.String(64), primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
