"""People agree to a count that only rises, and what was changed last is remembered.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision: str | None = "0003"
branch_labels = None
depends_on = None

TABLES = sa.table("tables", sa.column("id"), sa.column("host"))
CHAIRS = sa.table("chairs", sa.column("table_id"), sa.column("user"), sa.column("agreed"))


def upgrade() -> None:
    """Add the count and the last change; whoever sits in a lobby looks at its rules once more."""
    op.add_column("tables", sa.Column("edition", sa.Integer, nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("revised_by", sa.BigInteger))
    op.add_column("tables", sa.Column("revised_name", sa.Text))
    op.add_column("tables", sa.Column("revised_at", sa.BigInteger))
    op.add_column("tables", sa.Column("was_preset", sa.String(64)))
    op.add_column("tables", sa.Column("was_options", sa.JSON))
    op.add_column("tables", sa.Column("was_pace", sa.String(16)))
    hosts = sa.select(TABLES.c.host).where(TABLES.c.id == CHAIRS.c.table_id).scalar_subquery()
    op.execute(sa.update(CHAIRS).values(agreed=sa.case((CHAIRS.c.user == hosts, 1), else_=0)))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
