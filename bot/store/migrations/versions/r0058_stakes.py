"""Save with a match what its deal promised: stakes, and whether it counts everywhere.

Until now the ledger of a server asked its setting as of the end of a match, and the rating on all servers asked what a
player had chosen by then. Written out and never changed again, as every step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision: str | None = "0057"
branch_labels = None
depends_on = None

AT_ONCE = 500
tables = sa.table(
    "tables",
    sa.column("id"),
    sa.column("guild"),
    sa.column("game"),
    sa.column("options", sa.JSON),
    sa.column("phase"),
    sa.column("duplicate_id"),
    sa.column("stakes", sa.Boolean),
)
results = sa.table(
    "results", sa.column("table_id"), sa.column("guild"), sa.column("finished"), sa.column("stakes", sa.Boolean)
)
sittings = sa.table(
    "sittings",
    sa.column("table_id"),
    sa.column("user"),
    sa.column("ply"),
    sa.column("everywhere", sa.Boolean),
)
habits = sa.table("habits", sa.column("user"), sa.column("everywhere", sa.Boolean))
servers = sa.table("servers", sa.column("guild"), sa.column("chosen", sa.JSON))
changes = sa.table(
    "server_changes",
    sa.column("id"),
    sa.column("guild"),
    sa.column("name"),
    sa.column("value", sa.JSON),
    sa.column("at"),
)


def upgrade() -> None:
    """Give ended matches what the ledger says of them today, and open ones today's stakes."""
    for table in ("tables", "results"):
        op.add_column(table, sa.Column("stakes", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("sittings", sa.Column("everywhere", sa.Boolean, nullable=False, server_default=sa.false()))
    connection = op.get_bind()
    rows = connection.execute(sa.select(servers)).all()
    now = {row.guild for row in rows if row.chosen.get("stakes")}
    _mark(connection, results.c.table_id, results, _ended(connection, now))
    _mark(connection, tables.c.id, tables, _open(connection, now))
    ended = sa.select(results.c.table_id).where(results.c.stakes)
    own = sa.update(tables).where(tables.c.id.in_(ended), tables.c.duplicate_id.is_(None))
    connection.execute(own.values(stakes=True))
    wanting = sa.select(habits.c.user).where(habits.c.everywhere)
    going = sa.select(tables.c.id).where(tables.c.phase == "playing")
    first = sittings.c.ply == 0, sittings.c.user.in_(wanting), sittings.c.table_id.in_(going)
    connection.execute(sa.update(sittings).where(*first).values(everywhere=True))


def _ended(connection: sa.Connection, now: set[int]) -> list[int]:
    """Return the ended matches whose server had stakes by the ledger."""
    switched = defaultdict[int, list[tuple[int, bool]]](list)
    query = sa.select(changes.c.guild, changes.c.at, changes.c.value).where(changes.c.name == "stakes")
    for row in connection.execute(query.order_by(changes.c.id)):
        switched[row.guild].append((row.at, bool(row.value)))
    rows = connection.execute(
        sa.select(results.c.table_id, results.c.guild, results.c.finished).where(
            results.c.guild.in_(now | switched.keys())
        )
    )
    return [row.table_id for row in rows if _on(switched.get(row.guild, ()), row.finished, otherwise=row.guild in now)]


def _on(switched: Sequence[tuple[int, bool]], at: int, *, otherwise: bool) -> bool:
    """Tell whether a server had stakes at a moment.

    otherwise: whether it has, where that was never changed.
    """
    if not switched:
        return otherwise
    before = bisect_right(switched, at, key=itemgetter(0))
    return switched[before - 1][1] if before else not switched[0][1]


def _open(connection: sa.Connection, now: set[int]) -> list[int]:
    """Return the open tables that play for units.

    Only in Big Two do the rules say what a point is worth, by default one.
    """
    query = sa.select(tables.c.id, tables.c.options).where(
        tables.c.phase.in_(("lobby", "playing")),
        tables.c.game == "big_two",
        tables.c.duplicate_id.is_(None),
        tables.c.guild.in_(now),
    )
    return [row.id for row in connection.execute(query) if row.options.get("stake", 1)]


def _mark(connection: sa.Connection, key: sa.ColumnClause[int], table: sa.TableClause, found: list[int]) -> None:
    """Write that these have stakes."""
    for first in range(0, len(found), AT_ONCE):
        some = found[first : first + AT_ONCE]
        connection.execute(sa.update(table).where(key.in_(some)).values(stakes=True))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
