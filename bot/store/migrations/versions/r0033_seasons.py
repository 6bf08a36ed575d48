"""Room for seasons that have ended. Written out and never changed again, as every step."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision: str | None = "0032"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "seasons",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("begins", sa.BigInteger, nullable=False),
        sa.Column("ends", sa.BigInteger, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "finalists",
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("season", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("player", COUNTER, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("last", sa.BigInteger),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("gain", sa.Float, nullable=False),
        sa.Column("units", sa.BigInteger, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("table_id", COUNTER, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
