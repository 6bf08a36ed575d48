"""Find all data about a person by an index, and note deletions carried out in pieces.

The ids that stand in texts get rows of their own. Written out and never changed again, as every step.
"""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision: str | None = "0058"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
ID = re.compile(r"(?<!\d)\d{15,20}(?!\d)")
LARGEST = 2**63
TEXTS = (
    ("moderations", "id", "reason", COUNTER),
    ("notes", "key", "value", sa.String(128)),
    ("outbox", "key", "about", sa.String(128)),
)
INDEXES = (
    ("channel_defaults", "by"),
    ("duplicates", "by"),
    ("house_rules", "by"),
    ("invited", "by"),
    ("moderations", "by"),
    ("outbox", "user"),
    ("pings", "user"),
    ("standings", "user"),
    ("tables", "host"),
    ("watchers", "user"),
)
PARTIAL = (("chairs", "owner"), ("tables", "revised_by"))


def upgrade() -> None:
    """Add the tables and the indexes, and find the ids in the texts that are there."""
    op.create_table(
        "erasures",
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("number", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("worker", sa.BigInteger, nullable=False),
        sa.Column("worked", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "number", name="pk_erasures"),
        sqlite_with_rowid=False,
    )
    op.drop_index("ix_tables_host", "tables")  # of tables at which somebody practises; the new one is of all
    for table, column in INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])
    for table, column in PARTIAL:
        where = sa.column(column).is_not(None)
        op.create_index(f"ix_{table}_{column}", table, [column], sqlite_where=where, postgresql_where=where)
    for table, key, text, kind in TEXTS:
        name_people(table, key, text, kind)


def name_people(table: str, key: str, text: str, kind: sa.types.TypeEngine[Any]) -> None:
    """Add a table of ids inside texts; any number of that length may be an id."""
    named = op.create_table(
        f"{table}_named",
        sa.Column("key", kind, autoincrement=False, nullable=False),
        sa.Column("user", sa.BigInteger, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("key", "user", name=f"pk_{table}_named"),
        sa.ForeignKeyConstraint(["key"], [f"{table}.{key}"], name=f"fk_{table}_named_key", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
    op.create_index(f"ix_{table}_named_user", f"{table}_named", ["user"])
    read: Any = sa.select(sa.column(key), sa.column(text)).select_from(sa.table(table))
    for row_key, value in op.get_bind().execute(read).all():
        users = {number for found in ID.findall(value) if (number := int(found)) < LARGEST}
        if users:
            op.bulk_insert(named, [{"key": row_key, "user": user} for user in sorted(users)])


def downgrade() -> None:
    """Refuse: a copy of the database from before the step lies in the backups folder."""
    raise NotImplementedError
