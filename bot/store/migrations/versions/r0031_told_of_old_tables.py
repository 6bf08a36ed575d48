"""Look once at slow tables that waited since before notices at convenient times.

The awaited players are noted when a table is touched. So the clock rings these tables within half an hour. Written out
and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision: str | None = "0030"
branch_labels = None
depends_on = None

SECOND, SPREAD = 1_000_000, 1800  # a moment counts microseconds

TABLES = sa.table("tables", *map(sa.column, ("id", "phase", "pace", "paused", "answers")))
TURNS = sa.table("turns", sa.column("table_id"))
BEATS = sa.table("heartbeat", sa.column("at"))


def upgrade() -> None:
    """As if somebody had said something beforehand there."""
    columns = TABLES.c
    slow = sa.or_(columns.pace.like("relaxed%"), columns.pace.like("daily%"))
    untold = ~sa.exists().where(TURNS.c.table_id == columns.id)
    seen = sa.select(sa.func.coalesce(sa.func.max(BEATS.c.at), 0)).scalar_subquery()
    old = sa.and_(columns.phase == "playing", slow, ~columns.paused.cast(sa.Boolean), columns.answers.is_(None), untold)
    op.execute(sa.update(TABLES).where(old).values(answers=seen + columns.id % SPREAD * SECOND))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
