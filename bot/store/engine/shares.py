"""Conditions for rows of a process's own shards.

Where processes share a database, each does what is due on the servers of its shards, and reads only their rows for it.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, literal_column, select, true

from bot.domain.shard_share import BITS, Share
from bot.store.schema import tables

SHIFT: Final[ColumnElement[int]] = literal_column(str(BITS))  # a server knows it only of a number that is no long one


def theirs(share: Share, guild: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition under which what belongs to a server is for a process."""
    return true() if share.whole else (guild.op(">>")(SHIFT) % share.count).in_(sorted(share.held))


def at_tables_of(share: Share, table: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition under which what belongs to a table is for a process."""
    here = theirs(share, tables.c.guild)
    return true() if share.whole else table.in_(select(tables.c.id).where(here))
