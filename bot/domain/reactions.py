"""Reactions: the signs that a player may show on the own seat until a trick ends."""

from __future__ import annotations

from typing import Final

from bot.domain.pace import Pace
from bot.domain.server_settings import ServerSettings

REACTIONS: Final = ("👏", "😱", "🔥", "😂", "gg", "🐔")  # custom ids carry the place in this list
TEASING: Final = frozenset({"🐔"})  # only at tables that allow them
MAX_REACTIONS: Final = 3  # of a seat in a hand


def offered_reactions(pace: Pace, server: ServerSettings) -> tuple[str, ...]:
    """Return the reactions offered at a table.

    Empty if the table or the server has turned them off.
    """
    if pace.reactions == "off" or not server.reactions:
        return ()
    return tuple(sign for sign in REACTIONS if pace.reactions == "teasing" or sign not in TEASING)
