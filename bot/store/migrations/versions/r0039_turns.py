"""Room for who acted in time at slow tables, and what is known of it of old matches.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from bot.runtime.progress import stage

revision = "0039"
down_revision: str | None = "0038"
branch_labels = None
depends_on = None

LATEST = 50
SLOW = """
    SELECT results.table_id FROM results JOIN tables ON tables.id = results.table_id
    WHERE coalesce(tables.own_pace, tables.pace) LIKE 'relaxed%'
    OR coalesce(tables.own_pace, tables.pace) LIKE 'daily%' OR coalesce(tables.own_pace, tables.pace) LIKE 'slow%'
"""
ACTED = """
    SELECT seat, ply, "by" FROM actions WHERE table_id = :table AND "by" IN ('person', 'clock')
    AND action NOT IN ('ready', 'stop', 'again') AND action NOT LIKE 'choose %' ORDER BY ply
"""
SAT = 'SELECT seat, ply, "user", house, away FROM sittings WHERE table_id = :table ORDER BY seat, ply'
KEEP = "UPDATE standings SET turns = :turns WHERE table_id = :table AND seat = :seat"


def upgrade() -> None:
    """Add the columns, and look through the records of slow tables."""
    for table in ("standings", "entries"):
        op.add_column(table, sa.Column("turns", sa.String(LATEST), nullable=False, server_default=""))
    look_through_all(op.get_bind())


def look_through_all(connection: sa.Connection) -> None:
    """Find out of the records of slow tables who acted in time."""
    tables = connection.execute(sa.text(SLOW)).scalars().all()
    with stage("looking through old matches", len(tables), "matches") as reach:
        for number, table in enumerate(tables, 1):
            _look_through(connection, table)
            reach(number)


def _look_through(connection: sa.Connection, table: int) -> None:
    acted = connection.execute(sa.text(ACTED), {"table": table}).all()
    sat = connection.execute(sa.text(SAT), {"table": table}).all()
    for seat in {row.seat for row in sat}:
        own = [row for row in acted if row.seat == seat]
        turns = _turns(own, [row for row in sat if row.seat == seat])
        connection.execute(sa.text(KEEP), {"turns": turns, "table": table, "seat": seat})


def _turns(acted: list[sa.Row], sat: list[sa.Row]) -> str:  # type: ignore[type-arg]
    owner, marks = sat[0].user, list[str]()
    for sitting, end in zip(sat, [*(later.ply for later in sat[1:]), None], strict=True):
        if sitting.user == owner and not sitting.house:
            within = (row for row in acted if row.ply >= sitting.ply and (end is None or row.ply < end))
            marks += ["0" if row.by == "clock" else "1" for row in within]
        elif sitting.away == "late" and marks[-1:] != ["0"]:
            marks.append("0")
    return "".join(marks[-LATEST:])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
