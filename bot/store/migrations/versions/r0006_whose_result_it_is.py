"""What counts, how a match ended, and whose result it is.

Old results keep what is known of them: a match counts that two or more persons began and that ended by itself; whose
seat a house player had in the end has left. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision: str | None = "0005"
branch_labels = None
depends_on = None

TABLES = sa.table("tables", sa.column("id"), sa.column("phase"), sa.column("counts"), sa.column("ended"))
CHAIRS = sa.table("chairs", *map(sa.column, ("table_id", "seat", "user", "house", "misses", "away")))
ACTIONS = sa.table("actions", sa.column("table_id"), sa.column("action"))
RESULTS = sa.table("results", sa.column("table_id"), sa.column("counts"), sa.column("ended"))
STANDINGS = sa.table("standings", *map(sa.column, ("table_id", "user", "house", "left")))
ENOUGH = 2  # persons, from the first card


def upgrade() -> None:
    """Add the columns, filled from the known facts about matches."""
    add_columns()
    say_who_is_away()
    say_whose_results_they_are()
    say_what_counts()


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError


def add_columns() -> None:
    """Add what new matches will fill."""
    no, yes = sa.false(), sa.true()
    op.add_column("tables", sa.Column("counts", sa.Boolean, nullable=False, server_default=no))
    op.add_column("tables", sa.Column("ended", sa.String(16)))
    op.add_column("chairs", sa.Column("away", sa.String(16), nullable=False, server_default=""))
    op.add_column("chairs", sa.Column("ending", sa.Boolean, nullable=False, server_default=no))
    op.add_column("results", sa.Column("counts", sa.Boolean, nullable=False, server_default=yes))
    op.add_column("results", sa.Column("ended", sa.String(16), nullable=False, server_default="itself"))
    op.add_column("standings", sa.Column("left", sa.Boolean, nullable=False, server_default=no))


def say_who_is_away() -> None:
    """A player with missed moves was late; every other one left voluntarily."""
    why = sa.case((CHAIRS.c.misses > 0, "late"), else_="left")
    op.execute(sa.update(CHAIRS).where(CHAIRS.c.house, CHAIRS.c.user.is_not(None)).values(away=why))


def say_whose_results_they_are() -> None:
    """A seat of a person that a house player had in the end was left."""
    op.execute(sa.update(STANDINGS).where(STANDINGS.c.house, STANDINGS.c.user.is_not(None)).values(left=sa.true()))


def say_what_counts() -> None:
    """Matches stopped by a single player or played with house players do not count."""
    stopped = sa.select(ACTIONS.c.table_id).where(ACTIONS.c.action == "stop")
    op.execute(sa.update(RESULTS).where(RESULTS.c.table_id.in_(stopped)).values(ended="stopped"))
    few = sa.not_(RESULTS.c.table_id.in_(with_enough(STANDINGS)))
    op.execute(sa.update(RESULTS).where(sa.or_(few, RESULTS.c.ended == "stopped")).values(counts=sa.false()))
    playing = TABLES.c.phase == "playing"
    op.execute(sa.update(TABLES).where(playing, TABLES.c.id.in_(with_enough(CHAIRS))).values(counts=sa.true()))
    has_one = TABLES.c.id.in_(sa.select(RESULTS.c.table_id))
    known = {name: of_result(RESULTS.c[name]) for name in ("counts", "ended")}
    op.execute(sa.update(TABLES).where(has_one).values(known))


def of_result(column: sa.ColumnClause[object]) -> sa.ScalarSelect[object]:
    """Find what the result of a table says."""
    return sa.select(column).where(RESULTS.c.table_id == TABLES.c.id).scalar_subquery()


def with_enough(seats: sa.TableClause) -> sa.Select[tuple[int]]:
    """Find the matches that enough persons began."""
    return sa.select(seats.c.table_id).group_by(seats.c.table_id).having(sa.func.count(seats.c.user) >= ENOUGH)
