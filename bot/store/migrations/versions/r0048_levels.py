"""Room for how well house players play.

Existing house players stay plain, new ones are kind. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision: str | None = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    for table, level in (("chairs", ""), ("standings", ""), ("habits", "kind")):
        op.add_column(table, sa.Column("level", sa.String(16), nullable=False, server_default=level))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
