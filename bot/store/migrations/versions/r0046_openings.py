"""Room for where the hands of long matches begin.

So far none is known; each is noted at its first use. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision: str | None = "0045"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "openings",
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_openings_table_id"), primary_key=True),
        sa.Column("checksum", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
