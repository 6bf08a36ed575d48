"""Who has been offered a lesson in a game on a server, or has taken one.

A lesson is offered once. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision: str | None = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far nobody has been offered any."""
    op.create_table(
        "lessons",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("user", "guild", "game", name="pk_lessons"),
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
