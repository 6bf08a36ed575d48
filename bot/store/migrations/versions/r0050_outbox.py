"""Add the outbox, which keeps the nonce of a message until Discord's answer is stored.

Number the votes of a table. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision: str | None = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add an empty outbox, and the number of votes so far, of which old tables have had none."""
    op.create_table(
        "outbox",
        sa.Column("key", sa.String(128), primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("nonce", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_outbox_at", "outbox", ["at"])
    op.add_column("tables", sa.Column("votes", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
