"""Who has tried the deal of a day: nobody so far.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision: str | None = "0034"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "tries",
        sa.Column("day", sa.Date, primary_key=True, autoincrement=False),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_tries_table_id"), nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("house", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tries_user", "tries", ["user"])
    op.create_index("ix_tries_table_id", "tries", ["table_id"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
