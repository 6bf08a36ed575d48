"""By what a person is told again who sat at a running match and had their data deleted.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision: str | None = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("chairs", sa.Column("mark", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
