"""Add refused invitations, blocks between players, and the invitations to each lobby.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision: str | None = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and the column; all begin empty."""
    op.add_column("habits", sa.Column("uninvited", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "apart",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("other", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("user", "other", name="pk_apart"),
    )
    op.create_table(
        "invited",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user", name="pk_invited"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_invited_table_id"),
    )
    op.create_index("ix_invited_user", "invited", ["user"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
