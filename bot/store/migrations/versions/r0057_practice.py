"""Delete the tables at which people practised, but for the last of each person.

Find those of a person quickly. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision: str | None = "0056"
branch_labels = None
depends_on = None

OF_RESULTS = ("standings", "hands", "payments", "deeds")
OF_TABLES = (
    "results",
    "actions",
    "packs",
    "openings",
    "sittings",
    "sat_in",
    "cuts",
    "seat_times",
    "moderations",
    "invited",
    "turns",
    "suspension_notices",
    "watchers",
    "pings",
    "chairs",
)
PRACTISED = sa.text("alone = 'practice'")


def upgrade() -> None:
    """Add the index, and delete the tables with whatever hangs on them."""
    op.create_index("ix_tables_host", "tables", ["host"], sqlite_where=PRACTISED, postgresql_where=PRACTISED)
    tables = sa.table("tables", sa.column("id"), sa.column("host"), sa.column("alone"), sa.column("phase"))
    later = tables.alias()
    newer = sa.exists().where(later.c.host == tables.c.host, later.c.alone == "practice", later.c.id > tables.c.id)
    over = tables.c.alone == "practice", tables.c.phase.in_(("over", "closed"))
    old = sa.select(tables.c.id).where(*over, newer)
    for name in (*OF_RESULTS, *OF_TABLES):
        of_table = sa.table(name, sa.column("table_id"))
        op.execute(sa.delete(of_table).where(of_table.c.table_id.in_(old)))
    op.execute(sa.delete(tables).where(*over, newer))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
