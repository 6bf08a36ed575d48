"""Add the present and former substitutes of a seat, and the offered seats.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision: str | None = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns: no seat has a substitute yet."""
    op.add_column("chairs", sa.Column("owner", sa.BigInteger))
    op.add_column("chairs", sa.Column("owner_name", sa.Text, nullable=False, server_default=""))
    op.add_column("chairs", sa.Column("offered", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "sat_in",
        sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "mark", name="pk_sat_in"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_sat_in_table_id"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
