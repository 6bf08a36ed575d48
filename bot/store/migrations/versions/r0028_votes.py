"""Turn the wish to end a match into a vote, which can ask for other things, too.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision: str | None = "0027"
branch_labels = None
depends_on = None

CHAIRS = sa.table("chairs", sa.column("vote", sa.String), sa.column("ending", sa.Boolean))


def upgrade() -> None:
    """Turn each stored wish into a vote to end the match."""
    op.add_column("chairs", sa.Column("vote", sa.String(16), nullable=False, server_default=""))
    op.execute(sa.update(CHAIRS).where(CHAIRS.c.ending).values(vote="end"))
    op.drop_column("chairs", "ending")


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
