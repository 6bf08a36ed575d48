"""Slow tables that are played live for a while: their pace, and the players in favor.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision: str | None = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far every table keeps its pace."""
    op.add_column("tables", sa.Column("own_pace", sa.String(64)))
    op.add_column("chairs", sa.Column("quick", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
