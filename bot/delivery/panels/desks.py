"""The private messages used as a desk: after a hand there, the next table's hand follows.

Remembered; after a restart recognised by the message's buttons. The content of desks is made elsewhere.
"""

from __future__ import annotations

import discord

from bot.delivery.boards.picks import parts
from bot.show.hand.desk import ONWARD

MAX_MESSAGES = 10_000  # messages in memory


class Desks:
    """The known private messages. known: whether each message is a desk."""

    def __init__(self) -> None:
        self.known: dict[int, bool] = {}

    def add(self, message: int) -> None:
        """Record that a message is a desk."""
        self._note(message, desk=True)

    def clicked(self, message: discord.Message | None) -> bool:
        """Tell whether the clicked message is a desk."""
        if message is None:
            return False
        if message.id not in self.known:
            self._note(message.id, desk=any(part.custom_id == ONWARD for part in parts(message)))
        return self.known[message.id]

    def _note(self, message: int, *, desk: bool) -> None:
        self.known[message] = desk
        if len(self.known) > MAX_MESSAGES:
            del self.known[next(iter(self.known))]
