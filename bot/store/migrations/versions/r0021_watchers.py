"""Spectators who asked for news of a table.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision: str | None = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far nobody watches."""
    op.create_table(
        "watchers",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("seat", sa.Boolean, nullable=False),
        sa.Column("told", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "user", name="pk_watchers"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_watchers_table_id"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
