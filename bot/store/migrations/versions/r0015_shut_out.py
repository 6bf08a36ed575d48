"""Since when a turn waits for somebody who cannot see the table.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision: str | None = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; where a turn waits now, it begins to wait anew."""
    op.add_column("tables", sa.Column("shut_out", sa.BigInteger))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
