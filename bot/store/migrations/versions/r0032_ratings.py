"""Whose finished matches belong together, and room for ratings.

A player is a person who began at a seat. Deleted persons are unknown, so each of their results gets a separate player.
Ratings are empty: the bot reckons them when it runs. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision: str | None = "0031"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
# The persons of finished matches, the first match first.
KNOWN = """
    INSERT INTO players ("user")
    SELECT "user" FROM standings WHERE "user" IS NOT NULL GROUP BY "user" ORDER BY min(table_id), min(seat)
"""
# Seats that were begun by somebody who is nameless now.
NAMELESS = """
    SELECT standings.table_id, standings.seat FROM standings JOIN sittings
    ON sittings.table_id = standings.table_id AND sittings.seat = standings.seat AND sittings.ply = 0
    WHERE standings."user" IS NULL AND NOT sittings.house ORDER BY standings.table_id, standings.seat
"""


def upgrade() -> None:
    """Add the tables and columns, and fill in what is known."""
    add_columns()
    make_players()
    make_ratings()


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError


def add_columns() -> None:
    """Choices of people, words of moderators, and annulments."""
    op.add_column("habits", sa.Column("everywhere", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("habits", sa.Column("unlisted", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("moderations", sa.Column("reason", sa.Text, nullable=False, server_default=""))
    op.add_column("results", sa.Column("annulled", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_results_game_finished", "results", ["game", "finished"])


def make_players() -> None:
    """Who began at which seat."""
    op.create_table(
        "players",
        sa.Column("id", COUNTER, primary_key=True),
        sa.Column("user", sa.BigInteger),
        sa.UniqueConstraint("user", name="uq_players_user"),
    )
    with op.batch_alter_table("standings") as standings:
        player = sa.ForeignKey("players.id", name="fk_standings_player")
        standings.add_column(sa.Column("player", COUNTER, player))
        standings.add_column(sa.Column("everywhere", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute(KNOWN)
    op.execute('UPDATE standings SET player = (SELECT id FROM players WHERE players."user" = standings."user")')
    connection = op.get_bind()
    for table, seat in connection.execute(sa.text(NAMELESS)).all():
        new = connection.execute(sa.text("SELECT coalesce(max(id), 0) + 1 FROM players")).scalar_one()
        connection.execute(sa.text("INSERT INTO players (id) VALUES (:new)"), {"new": new})
        where = {"new": new, "table": table, "seat": seat}
        connection.execute(
            sa.text("UPDATE standings SET player = :new WHERE table_id = :table AND seat = :seat"), where
        )


def make_ratings() -> None:
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
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
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
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sqlite_with_rowid=False,
    )


def of_board() -> tuple[sa.Column[int], sa.Column[int], sa.Column[str]]:
    """Return the columns that say of which board a row is."""
    return (
        sa.Column("guild", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(64), primary_key=True),
    )
