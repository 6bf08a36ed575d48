"""Add the awaited players of slow tables, and the notices sent to them.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision: str | None = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty: a slow table records its awaited players at its next change."""
    op.create_table(
        "turns",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("asked", sa.String(64), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("ready", sa.BigInteger, nullable=False),
        sa.Column("remind", sa.BigInteger),
        sa.Column("ends", sa.BigInteger),
        sa.Column("together", sa.Boolean, nullable=False),
        sa.Column("told", sa.BigInteger),
        sa.Column("reminded", sa.Boolean, nullable=False),
        sa.Column("look", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "user", name="pk_turns"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_turns_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_turns_user", "turns", ["user"])
    op.create_index("ix_turns_look", "turns", ["look"])
    op.create_table(
        "notices",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("message", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("user", "channel", "message", name="pk_notices"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_notices_channel_at", "notices", ["channel", "at"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
