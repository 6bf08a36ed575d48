"""Who waits in line for a seat at a table, and who has declined to play at one.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision: str | None = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far nobody waits, and nobody has declined."""
    table_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "seat_queue",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("table_id", table_id, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("asked_at", sa.BigInteger),
        sa.Column("seat", sa.Integer),
        sa.PrimaryKeyConstraint("user", name="pk_seat_queue"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seat_queue_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_queue_table_id", "seat_queue", ["table_id"])
    op.create_table(
        "declined",
        sa.Column("table_id", table_id, nullable=False),
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user", name="pk_declined"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_declined_table_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_declined_user", "declined", ["user"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
