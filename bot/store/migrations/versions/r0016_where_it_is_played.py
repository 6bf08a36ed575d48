"""The channel whose rights govern a running match, and whether it is public.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision: str | None = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; running matches are checked as before."""
    op.add_column("tables", sa.Column("within", sa.BigInteger))
    op.add_column("tables", sa.Column("hidden", sa.Boolean))
    op.create_index("ix_tables_phase_within", "tables", ["phase", "within"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
