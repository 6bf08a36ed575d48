"""The same deals for several people: nobody plays any so far.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision: str | None = "0036"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "duplicates",
        sa.Column("id", COUNTER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("preset", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
    )
    duplicate = sa.ForeignKey("duplicates.id", name="fk_parts_duplicate_id")
    op.create_table(
        "parts",
        sa.Column("duplicate_id", COUNTER, duplicate, primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_parts_table_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_parts_user", "parts", ["user"])
    op.create_index("ix_parts_table_id", "parts", ["table_id"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
