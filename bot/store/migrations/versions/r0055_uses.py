"""Add the uses of what is limited for longer than a minute.

They were counted in the memory of a single process. New channels of direct messages are counted there as well, without
an index by opening time. Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision: str | None = "0054"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table, empty, and drop the index."""
    op.create_table(
        "uses",
        sa.Column("id", COUNTER, nullable=False),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("about", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_uses"),
    )
    op.create_index("ix_uses_mark_kind_about", "uses", ["mark", "kind", "about"])
    op.create_index("ix_uses_until", "uses", ["until"])
    op.drop_index("ix_directs_opened", "directs")


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
