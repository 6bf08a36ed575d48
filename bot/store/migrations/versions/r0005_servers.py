"""Settings of servers, chosen by their owners; changes are recorded with their author.

Written out and never changed again, as every step.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision: str | None = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every server has the defaults, without a row."""
    op.create_table(
        "servers",
        sa.Column("guild", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("chosen", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("guild", name="pk_servers"),
    )
    op.create_table(
        "server_changes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.JSON, nullable=False),
        sa.Column("by", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_server_changes"),
    )
    op.create_index("ix_server_changes_guild", "server_changes", ["guild"])
    op.create_index("ix_server_changes_by", "server_changes", ["by"])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
