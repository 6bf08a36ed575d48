"""Add who was told of suspended tables and missing permissions.

Begin the month of tables suspended now. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision: str | None = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, empty, and begin the month of suspended tables at the last heartbeat.

    The bot may not have run all the time since a table was suspended.
    """
    op.create_table(
        "suspension_notices",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user", name="pk_suspension_notices"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_suspension_notices_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_suspension_notices_user", "suspension_notices", ["user"])
    op.create_table(
        "permission_notices",
        sa.Column("channel", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.execute(
        "UPDATE tables SET asleep = (SELECT at FROM heartbeat WHERE id = 1)"
        " WHERE phase = 'playing' AND asleep IS NOT NULL AND EXISTS (SELECT 1 FROM heartbeat)"
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
