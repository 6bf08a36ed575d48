"""Settlements between players, as both sides report them. Refuses to know the debts."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from bot.store.schema.columns import Counter, TimestampType, metadata
from bot.store.schema.meaning import NOBODY, PLACE, PLAYER, SERVERS_ROW

# channel: 0 for the channels visible to everybody, another id for a single hidden channel. by: the player who reported
# first. agreed: the time of the other player's agreement; until then the first may withdraw.
settlements = Table(
    "settlements",
    metadata,
    Column("id", Counter, primary_key=True),
    Column("guild", BigInteger, nullable=False, info=SERVERS_ROW),
    Column("channel", BigInteger, nullable=False, info=PLACE),
    Column("payer", Counter, ForeignKey("players.id"), nullable=False, info=PLAYER),
    Column("payee", Counter, ForeignKey("players.id"), nullable=False, info=PLAYER),
    Column("units", BigInteger, nullable=False, info=NOBODY),
    Column("by", Counter, nullable=False, info=PLAYER),
    Column("said", TimestampType, nullable=False),
    Column("agreed", TimestampType),
    Index(None, "guild", "channel"),
)
