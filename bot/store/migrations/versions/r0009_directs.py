"""The channels of direct messages with people, so that each is opened once.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision: str | None = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the empty table: each user's channel is opened once more, with the next hand."""
    op.create_table(
        "directs",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", name="pk_directs"),
    )
    op.create_index("ix_directs_opened", "directs", ["opened"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
