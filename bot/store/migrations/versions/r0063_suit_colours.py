"""Store the colours of suits as a named choice; cards have four colours by default.

"four" is for users who chose four colours. Everybody else with a row has so far seen two without a choice: "untold"
until told once, and then "". Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0063"
down_revision: str | None = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Name the choice of each person."""
    op.add_column("habits", sa.Column("suit_colours", sa.String(8), nullable=False, server_default=""))
    habits = sa.table("habits", sa.column("four_colours", sa.Boolean), sa.column("suit_colours", sa.String))
    chosen = sa.case((habits.c.four_colours, "four"), else_="untold")
    op.execute(sa.update(habits).values(suit_colours=chosen))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
