"""The private threads of those whose direct messages are closed.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision: str | None = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far there are none."""
    op.create_table(
        "own_threads",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("thread", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user", "channel", name="pk_own_threads"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
