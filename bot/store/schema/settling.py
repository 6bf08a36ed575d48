"""What people say of what they owe each other: that it is settled. Refuses to know what is owed, and who is right."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from bot.store.schema.columns import Counter, Moment, metadata
from bot.store.schema.meaning import NOBODY, PLACE, PLAYER, SERVERS_ROW

# channel: 0 for all that everybody sees, any other is one that was hidden. by: which of the two has said so first.
# agreed: when the other has said so as well; until then whoever has said it may take it back.
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
    Column("said", Moment, nullable=False),
    Column("agreed", Moment),
    Index(None, "guild", "channel"),
)
