"""Room for ratings with a mean.

Current ratings are computed again from results; ended seasons keep their numbers. Written out and never changed again,
as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision: str | None = "0046"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
STATE = "quick", "mean", "weight"
# The number that was shown: 1,500 and 20 for each of the model that somebody was worth at least, most probably. The
# weight of somebody who has not played is 30.
KEPT = "UPDATE finalists SET mean = 1500 + 20 * mu - 60 * sigma, weight = 30 + matches WHERE mu IS NOT NULL"


def upgrade() -> None:
    """Change the columns; of what is made again, the tables are."""
    for table in ("books", "entries", "ratings"):
        op.drop_table(table)
    make_books()
    for name in STATE:
        op.add_column("finalists", sa.Column(name, sa.Float))
    op.execute(KEPT)
    op.execute("UPDATE finalists SET quick = mean")
    for name in ("mu", "sigma"):
        op.execute(f"ALTER TABLE finalists DROP COLUMN {name}")


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError


def make_books() -> None:
    """What matches add up to."""
    op.create_table(
        "books",
        *of_board(),
        sa.Column("finished", sa.BigInteger, nullable=False),
        sa.Column("table_id", COUNTER, nullable=False),
        sa.Column("by", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        *of_board(),
        sa.Column("player", COUNTER, primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.Float, nullable=False) for name in STATE),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("table_id", COUNTER, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "entries",
        *of_board(),
        sa.Column("player", COUNTER, primary_key=True, autoincrement=False),
        sa.Column("finished", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", COUNTER, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("gain", sa.Float, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Float) for name in STATE),
        sa.Column("turns", sa.String(50), nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )


def of_board() -> tuple[sa.Column[int], sa.Column[int], sa.Column[str]]:
    """Return the columns that say of which board a row is."""
    return (
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(64), primary_key=True),
    )
