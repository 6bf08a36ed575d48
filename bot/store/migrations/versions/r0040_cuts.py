"""Words that players put on top of the seed: so far nobody has given one.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision: str | None = "0039"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "cuts",
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_cuts_table_id"), primary_key=True),
        sa.Column("user", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_cuts_user", "cuts", ["user"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
