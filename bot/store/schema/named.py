"""The people whose ids occur in the texts of other tables, for finding the texts by an index.

A row is deleted with the row of its text. Refuses to know the form of an id in a text (bot/domain/names.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from bot.store.schema.columns import metadata
from bot.store.schema.meaning import PERSONS_ROW
from bot.store.schema.people import notes
from bot.store.schema.play import moderations, outbox


def named_in(texts: Table) -> Table:
    """Return the table of the people named in the texts of a table. key: of the text's row."""
    (key,) = texts.primary_key.columns
    return Table(
        f"{texts.name}_named",
        metadata,
        Column("key", key.type, ForeignKey(key, ondelete="CASCADE"), primary_key=True, autoincrement=False),
        Column("user", BigInteger, primary_key=True, autoincrement=False, info=PERSONS_ROW),
        Index(None, "user"),
        sqlite_with_rowid=False,
    )


NAMED_IN = {texts: named_in(texts) for texts in (moderations, notes, outbox)}
