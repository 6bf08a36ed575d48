"""Reported settlements of debts between two players: that it is settled.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision: str | None = "0035"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "settlements",
        sa.Column("id", COUNTER, primary_key=True),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("payer", COUNTER, sa.ForeignKey("players.id", name="fk_settlements_payer"), nullable=False),
        sa.Column("payee", COUNTER, sa.ForeignKey("players.id", name="fk_settlements_payee"), nullable=False),
        sa.Column("units", sa.BigInteger, nullable=False),
        sa.Column("by", COUNTER, nullable=False),
        sa.Column("said", sa.BigInteger, nullable=False),
        sa.Column("agreed", sa.BigInteger),
    )
    op.create_index("ix_settlements_guild_channel", "settlements", ["guild", "channel"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
