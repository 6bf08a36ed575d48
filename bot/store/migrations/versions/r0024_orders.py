"""What people have said beforehand in a hand, and when it answers.

One kind of order passes until the seat can play. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision: str | None = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Whoever passed until they could play goes on with it."""
    op.add_column("chairs", sa.Column("orders", sa.Text, nullable=False, server_default=""))
    op.execute(sa.text("UPDATE chairs SET orders = 'on;;0;;;0;;;0;0' WHERE passing > 0"))
    op.drop_column("chairs", "passing")
    op.add_column("tables", sa.Column("answers", sa.BigInteger))
    pending = sa.column("answers").is_not(None)
    op.create_index("ix_tables_answers", "tables", ["answers"], sqlite_where=pending, postgresql_where=pending)


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
