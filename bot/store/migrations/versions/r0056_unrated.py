"""Say of each match whether it was dealt with a person who had deleted their data of late.

So far of none. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision: str | None = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    for table in ("tables", "results"):
        op.add_column(table, sa.Column("unrated", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
