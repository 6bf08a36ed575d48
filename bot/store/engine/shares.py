"""Conditions for rows of a process's shards.

In a group of processes, each one does the timed work of its own shards, and reads only their rows for the work.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, literal_column, select, true

from bot.domain.shard_share import SHARD_SHIFT, Share
from bot.store.schema import tables

SHIFT: Final[ColumnElement[int]] = literal_column(
    str(SHARD_SHIFT)
)  # no parameter: PostgreSQL's >> rejects a 64-bit operand


def server_in_share(share: Share, guild: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a server belongs to a share."""
    return true() if share.whole else (guild.op(">>")(SHIFT) % share.count).in_(sorted(share.held))


def table_in_share(share: Share, table: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a table belongs to a share."""
    here = server_in_share(share, tables.c.guild)
    return true() if share.whole else table.in_(select(tables.c.id).where(here))
