"""Add the channel whose permissions decide who may see a match, and its hidden flag.

For old results the channel of the table is known, but not whether it was hidden. Written out and never changed again,
as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision: str | None = "0007"
branch_labels = None
depends_on = None

TABLES = sa.table("tables", sa.column("id"), sa.column("channel"))
RESULTS = sa.table("results", sa.column("table_id"), sa.column("channel"))


def upgrade() -> None:
    """Add the columns, and fill in the channel."""
    op.add_column("results", sa.Column("channel", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("results", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
    opened = sa.select(TABLES.c.channel).where(TABLES.c.id == RESULTS.c.table_id).scalar_subquery()
    op.execute(sa.update(RESULTS).values(channel=opened))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
