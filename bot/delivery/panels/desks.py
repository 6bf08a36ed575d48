"""Which private messages are somebody's desk: each hand there is followed by that of the next table.

Remembered; after a restart it is read from the message itself, whose buttons lead on. Refuses to know what is there.
"""

from __future__ import annotations

import discord

from bot.delivery.boards.picks import parts
from bot.show.hand.desk import ONWARD

MOST = 10_000  # in memory


class Desks:
    """The messages that are desks, and others that have been looked at. known: which of both, by message."""

    def __init__(self) -> None:
        self.known: dict[int, bool] = {}

    def add(self, message: int) -> None:
        """Note that this message is a desk."""
        self._note(message, desk=True)

    def clicked(self, message: discord.Message | None) -> bool:
        """Tell whether what was clicked on is a desk."""
        if message is None:
            return False
        if message.id not in self.known:
            self._note(message.id, desk=any(part.custom_id == ONWARD for part in parts(message)))
        return self.known[message.id]

    def _note(self, message: int, *, desk: bool) -> None:
        self.known[message] = desk
        if len(self.known) > MOST:
            del self.known[next(iter(self.known))]
