"""Mark solo tables, played by one person with house players.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision: str | None = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; so far these tables are deals of a day and duplicates."""
    op.add_column("tables", sa.Column("alone", sa.String(16), nullable=False, server_default=""))
    op.execute("UPDATE tables SET alone = 'day' WHERE id IN (SELECT table_id FROM tries)")
    op.execute("UPDATE tables SET alone = 'deals' WHERE id IN (SELECT table_id FROM parts)")


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
