"""A pack without a body: the plays of that match were deleted by its server's choice.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision: str | None = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the column be empty."""
    with op.batch_alter_table("packs") as packs:
        packs.alter_column("body", existing_type=sa.LargeBinary, nullable=True)


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
