"""Add the rejected votes of a player, against asking for the same vote again at once.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision: str | None = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, empty."""
    op.add_column("chairs", sa.Column("unwanted", sa.String(64), nullable=False, server_default=""))
    op.add_column("chairs", sa.Column("refused", sa.BigInteger))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
