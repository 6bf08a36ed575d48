"""Add the time until which a day's deal may be finished, if the day ended during a stop.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision: str | None = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty: so far every day ended at midnight."""
    op.add_column("tries", sa.Column("late_until", sa.BigInteger))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
