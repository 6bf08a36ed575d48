"""Who would like to hear of the next table in a channel, once.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision: str | None = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far nobody waits."""
    op.create_table(
        "waits",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "channel", name="pk_waits"),
    )
    op.create_index("ix_waits_channel", "waits", ["channel"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
