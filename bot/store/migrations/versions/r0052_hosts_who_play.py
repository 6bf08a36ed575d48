"""Pass on the running matches whose host has left or was removed.

The host is a person who plays. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision: str | None = "0051"
branch_labels = None
depends_on = None

tables = sa.table("tables", sa.column("id"), sa.column("host"), sa.column("phase"))
chairs = sa.table(
    "chairs",
    sa.column("table_id"),
    sa.column("seat"),
    sa.column("user"),
    sa.column("house", sa.Boolean),
    sa.column("away"),
)


def upgrade() -> None:
    """Make the next person in seat order the host; nobody where only house players are left."""
    connection = op.get_bind()
    stays = sa.exists().where(
        chairs.c.table_id == tables.c.id,
        chairs.c.user == tables.c.host,
        sa.or_(sa.not_(chairs.c.house), chairs.c.away == "late"),
    )
    gone = sa.select(tables.c.id, tables.c.host).where(tables.c.phase == "playing", ~stays)
    for table, host in connection.execute(gone).all():
        there = chairs.c.table_id == table
        own = sa.select(sa.func.coalesce(sa.func.min(chairs.c.seat), -1)).where(there, chairs.c.user == host)
        last = connection.execute(own).scalar_one()
        playing = sa.select(chairs.c.seat, chairs.c.user).where(there, chairs.c.user.is_not(None), ~chairs.c.house)
        in_turn = sorted(connection.execute(playing).all(), key=lambda chair: (chair.seat <= last, chair.seat))
        heir = in_turn[0].user if in_turn else 0
        connection.execute(sa.update(tables).where(tables.c.id == table).values(host=heir))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
