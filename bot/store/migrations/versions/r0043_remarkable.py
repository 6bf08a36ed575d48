"""Room for what was remarkable in a season: so far only the final post mentioned them.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision: str | None = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; past seasons stay without."""
    op.add_column("finalists", sa.Column("bombs", sa.Integer, nullable=False, server_default="0"))
    op.add_column("finalists", sa.Column("behind", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
