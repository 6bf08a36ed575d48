"""How a person likes their cards: in four colours, as text, large, and with a question.

The question comes before a play. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision: str | None = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """So far nobody has chosen any of that."""
    for name in ("four_colours", "text_only", "large", "confirm"):
        op.add_column("habits", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
