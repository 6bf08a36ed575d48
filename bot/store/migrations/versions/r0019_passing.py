"""Add the players who pass automatically in a hand until they have a legal play.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision: str | None = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column: nobody passes automatically yet."""
    op.add_column("chairs", sa.Column("passing", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
