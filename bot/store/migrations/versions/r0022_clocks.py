"""Clocks that know when people sleep.

Adds their hours and vacations, the time each seat has, and when the bot was away. A slow table becomes a relaxed table,
which differs only for players with working hours. Written out and never changed again, as every step.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision: str | None = "0021"
branch_labels = None
depends_on = None

PACES = "pace LIKE 'live%' OR pace LIKE 'relaxed%' OR pace LIKE 'daily%' OR pace LIKE 'none%'"


def upgrade() -> None:
    """Add the tables and columns: players are always awake, and each seat has its full time."""
    with op.batch_alter_table("tables") as tables:
        tables.drop_constraint("ck_tables_pace", type_="check")
        tables.alter_column("pace", type_=sa.String(64), existing_nullable=False)
        tables.alter_column("was_pace", type_=sa.String(64))
    for column in ("pace", "was_pace"):
        op.execute(f"UPDATE tables SET {column} = 'relaxed' WHERE {column} = 'slow'")  # our own names
    with op.batch_alter_table("tables") as tables:
        tables.create_check_constraint("ck_tables_pace", PACES)
    chosen_anew()
    op.create_table(
        "seat_times",
        sa.Column(
            "table_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("tables.id", name="fk_seat_times_table_id"),
            nullable=False,
        ),
        sa.Column("seat", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("left", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seat_times"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "outages",
        sa.Column("since", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("since", name="pk_outages"),
    )
    op.create_table(
        "hours",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("bed", sa.Integer, nullable=False),
        sa.Column("night", sa.Integer, nullable=False),
        sa.Column("off", sa.String(8), nullable=False),
        sa.PrimaryKeyConstraint("user", "since", name="pk_hours"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "vacations",
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("first", sa.Date, autoincrement=False, nullable=False),
        sa.Column("last", sa.Date, nullable=False),
        sa.PrimaryKeyConstraint("user", "first", name="pk_vacations"),
        sqlite_with_rowid=False,
    )
    for name in ("shares_day", "asked_day"):
        op.add_column("habits", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("habits", sa.Column("notices", sa.String(16), nullable=False, server_default="here"))


def chosen_anew() -> None:
    """Turn the default pace of a server from slow into relaxed."""
    connection = op.get_bind()
    for guild, chosen in connection.execute(sa.text("SELECT guild, chosen FROM servers")).all():
        settings = json.loads(chosen)
        if settings.get("pace") == "slow":
            values = {"guild": guild, "chosen": json.dumps(settings | {"pace": "relaxed"})}
            connection.execute(sa.text("UPDATE servers SET chosen = :chosen WHERE guild = :guild"), values)
    op.execute(
        """UPDATE server_changes SET value = '"relaxed"' WHERE name = 'pace' AND CAST(value AS TEXT) = '"slow"'"""
    )


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
