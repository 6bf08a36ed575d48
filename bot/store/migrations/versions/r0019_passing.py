"""Who passes by themselves in a hand for as long as they can do nothing else.

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
    """So far nobody does."""
    op.add_column("chairs", sa.Column("passing", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
