"""Write former defaults into stored options, so that old rules stay the same.

Stored options are differences from a preset. In Tàihé A Bāo a called card may now be given straight back unless
something else is said, and in Big A the Big Ace pair is a bomb only where the declarer is alone; until now it was the
other way round. Written out and never changed again, as every step.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision: str | None = "0060"
branch_labels = None
depends_on = None

FORMER: dict[str, tuple[str, Any]] = {
    "a_bao": ("may_return_called_card", False),
    "big_a": ("big_ace_pair_scope", "any_holder"),
}
STORED = (
    ("tables", "options"),
    ("tables", "was_options"),
    ("results", "options"),
    ("house_rules", "options"),
    ("channel_defaults", "options"),
    ("duplicates", "options"),
)


def upgrade() -> None:
    """Name the former default wherever options of these games do not say it."""
    connection = op.get_bind()
    for table, column in STORED:
        for game, (option, before) in FORMER.items():
            _name(connection, table, column, game, option, before)


def _name(connection: sa.Connection, table: str, column: str, game: str, option: str, before: object) -> None:
    """Write one option into the stored options of a game.

    Rows with the same options are written together.
    """
    stored = sa.table(table, sa.column("game"), sa.column(column, sa.JSON))
    text = sa.cast(sa.type_coerce(stored.c[column], sa.Text), sa.Text)
    there = stored.c.game == game, sa.type_coerce(stored.c[column], sa.Text).is_not(None)
    for (said,) in connection.execute(sa.select(text).where(*there).distinct()).all():
        options = json.loads(said)
        if options is not None and option not in options:
            again = sa.update(stored).where(stored.c.game == game, text == said)
            connection.execute(again.values({column: {**options, option: before}}))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
