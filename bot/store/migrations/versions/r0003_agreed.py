"""People agree to the rules in the lobby: which edition of them each has agreed to.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision: str | None = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody in an open lobby has agreed yet."""
    op.add_column("chairs", sa.Column("agreed", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
