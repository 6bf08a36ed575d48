"""A message that is being sent, as the outbox remembers it, and the keys of messages of which the id is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.ids import ChannelId, GuildId, TableId, UserId

BOARD, SHEET, SEASON = "board", "sheet", "season"
LASTING: Final = (BOARD, SHEET, SEASON)  # the kinds of messages that are tried until their id is stored


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A message that is being sent.

    key: identifies the message; contains no person's id. user: the reader of a direct message, 0 for none.
    nonce: of every try, 0 before the first. at: when that began.
    """

    key: str
    guild: GuildId
    user: UserId
    channel: ChannelId
    nonce: int
    at: datetime


def board_key(table: TableId) -> str:
    """Return the key of a table's board."""
    return f"{BOARD} {table}"


def sheet_key(duplicate: int) -> str:
    """Return the key of the sheet of a duplicate."""
    return f"{SHEET} {duplicate}"


def season_key(guild: GuildId, number: int) -> str:
    """Return the key of the message that tells how a season of a server ended."""
    return f"{SEASON} {guild} {number}"
