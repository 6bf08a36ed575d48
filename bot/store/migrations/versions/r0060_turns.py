"""Note the turn of a stopped clock, so that no later turn begins with its remainder.

Clocks stopped before belong to the present turn in a pause; without a note they go on with what was left. At a relaxed
table that goes on or is played live for now, the turn of a stopped clock may be over: those are deleted, which gives
the seat the full time of its next move. At a daily table the remainder is independent of the turn.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision: str | None = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and delete stopped clocks whose turn may be over."""
    op.add_column("seat_times", sa.Column("turn", sa.Integer, nullable=True))
    tables = sa.table("tables", *map(sa.column, ("id", "pace", "own_pace", "paused")))
    times = sa.table("seat_times", *map(sa.column, ("table_id", "since")))
    relaxed = sa.or_(
        sa.and_(tables.c.pace.like("relaxed%"), tables.c.paused == sa.false()),
        sa.and_(tables.c.pace.like("live%"), tables.c.own_pace.like("relaxed%")),
    )
    over = sa.select(tables.c.id).where(relaxed)
    op.execute(sa.delete(times).where(times.c.since.is_(None), times.c.table_id.in_(over)))
