"""Let a row of the outbox name an effect, written with the change that causes it.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision: str | None = "0050"
branch_labels = None
depends_on = None
COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the columns of an effect; what is being sent already is a message alone."""
    op.add_column("outbox", sa.Column("kind", sa.String(20), nullable=False, server_default=""))
    op.add_column("outbox", sa.Column("table_id", COUNTER, nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("about", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
