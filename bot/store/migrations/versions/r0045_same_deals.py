"""The same deals at several tables: a table's duplicate, and a sheet for all to read.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision: str | None = "0044"
branch_labels = None
depends_on = None

SOME = sa.text("duplicate_id IS NOT NULL")


def upgrade() -> None:
    """Add the columns; the tables of a duplicate follow from its parts.

    Each of these tables was the solo table of one player.
    """
    op.add_column("duplicates", sa.Column("pace", sa.String(64), nullable=False, server_default="none"))
    op.add_column("duplicates", sa.Column("together", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("duplicates", sa.Column("sheet", sa.BigInteger))
    number = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
    belongs = f"{number} CONSTRAINT fk_tables_duplicate_id REFERENCES duplicates (id)"
    op.execute(f"ALTER TABLE tables ADD COLUMN duplicate_id {belongs}")  # the whole table is not written anew for it
    theirs = "SELECT duplicate_id FROM parts WHERE parts.table_id = tables.id"
    op.execute(f"UPDATE tables SET duplicate_id = ({theirs}) WHERE id IN (SELECT table_id FROM parts)")
    op.create_index("ix_tables_duplicate_id", "tables", ["duplicate_id"], sqlite_where=SOME, postgresql_where=SOME)


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
