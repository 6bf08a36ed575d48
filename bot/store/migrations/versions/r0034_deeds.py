"""Room for what people did that is worth an achievement.

The bot finds it out of the records when it runs. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision: str | None = "0033"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table, and by which rules a match was looked at."""
    op.add_column("results", sa.Column("deeds", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "deeds",
        sa.Column("table_id", COUNTER, sa.ForeignKey("results.table_id", name="fk_deeds_table_id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("code", sa.String(32), primary_key=True),
        sa.Column("times", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
