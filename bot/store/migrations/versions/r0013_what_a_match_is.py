"""What a finished match is: rules, who acted for which seat when, and each hand's score.

The holder of a seat follows from the moves: moves of the clock show no holder, and the reason of an absence is stored
only for the latest one. What each hand came to follows from the record alone; the bot writes it when it runs. Written
out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision: str | None = "0012"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
TABLES = sa.table("tables", *map(sa.column, ("id", "number", "preset", "options", "phase")))
RESULTS = sa.table("results", *map(sa.column, ("table_id", "number", "preset", "options")))
# Who acts for a seat is taken to change with the first move that somebody else makes; whoever acts for it now does so
# from the next move on. A seat is a person's from the beginning, unless a house player's own.
SAT = """
    WITH begun AS (
        SELECT chairs.*, (SELECT count(*) FROM actions WHERE actions.table_id = chairs.table_id) AS plies
        FROM chairs JOIN tables ON tables.id = chairs.table_id
        WHERE tables.phase IN ('playing', 'over')
    ),
    persons AS (SELECT * FROM begun WHERE "user" IS NOT NULL OR away <> '' OR NOT house),
    moves AS (
        SELECT actions.table_id, actions.seat, actions.ply, actions."by" = 'house' AS house
        FROM actions JOIN persons ON persons.table_id = actions.table_id AND persons.seat = actions.seat
        WHERE actions."by" <> 'clock' AND actions.ply > 0
    ),
    acted AS (
        SELECT table_id, seat, 0 AS ply, EXISTS (
            SELECT 1 FROM actions
            WHERE actions.table_id = persons.table_id AND ply = 0 AND seat = persons.seat AND "by" = 'house'
        ) AS house FROM persons
        UNION ALL SELECT table_id, seat, ply, house FROM moves
        UNION ALL SELECT table_id, seat, plies, house FROM persons WHERE plies > 0
    ),
    changes AS (
        SELECT table_id, seat, ply, house, lag(house) OVER (PARTITION BY table_id, seat ORDER BY ply) AS before
        FROM acted
    ),
    sat AS (
        SELECT table_id, seat, ply, house, row_number() OVER (PARTITION BY table_id, seat ORDER BY ply DESC) AS latest
        FROM changes WHERE before IS NULL OR before <> house
    )
    SELECT sat.table_id, sat.seat, sat.ply, CASE WHEN sat.house THEN NULL ELSE persons."user" END, sat.house,
        CASE WHEN sat.house AND sat.latest = 1 THEN persons.away ELSE '' END
    FROM sat JOIN persons ON persons.table_id = sat.table_id AND persons.seat = sat.seat
    UNION ALL SELECT table_id, seat, 0, NULL, house, '' FROM begun WHERE "user" IS NULL AND away = '' AND house
"""


def upgrade() -> None:
    """Add the tables and columns, and fill in what is known."""
    add_rules()
    make_sittings()
    make_scores()


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError


def add_rules() -> None:
    """By which rules each match was played, and at which table."""
    op.add_column("results", sa.Column("number", sa.Integer, nullable=False, server_default="0"))
    op.add_column("results", sa.Column("preset", sa.String(64), nullable=False, server_default=""))
    op.add_column("results", sa.Column("options", sa.JSON, nullable=False, server_default="{}"))
    own = TABLES.c.id == RESULTS.c.table_id
    said = {name: sa.select(TABLES.c[name]).where(own).scalar_subquery() for name in ("number", "preset", "options")}
    op.execute(sa.update(RESULTS).values(said))


def make_sittings() -> None:
    """The acting player of each seat, by ply."""
    op.create_table(
        "sittings",
        sa.Column("table_id", COUNTER, sa.ForeignKey("tables.id", name="fk_sittings_table_id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user", sa.BigInteger),
        sa.Column("house", sa.Boolean, nullable=False),
        sa.Column("away", sa.String(16), nullable=False, server_default=""),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sittings_user", "sittings", ["user"])
    op.execute(f'INSERT INTO sittings (table_id, seat, ply, "user", house, away) {SAT}')


def make_scores() -> None:
    """What each hand came to for each seat, and who owes whom in the end."""
    op.create_table(
        "hands",
        sa.Column("table_id", COUNTER, sa.ForeignKey("results.table_id", name="fk_hands_table_id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("net", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    of_result = sa.ForeignKey("results.table_id", name="fk_payments_table_id")
    op.create_table(
        "payments",
        sa.Column("table_id", COUNTER, of_result, primary_key=True),
        sa.Column("payer", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("payee", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("units", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
