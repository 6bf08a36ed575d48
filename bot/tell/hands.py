"""Open private hands: whose ephemeral hand is on whose screen, and for how long it can still be edited.

Kept in memory only: after a restart a hand is simply opened again with the board's button.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.unreached import UNREACHED

log = logging.getLogger(__name__)

EDITABLE = timedelta(minutes=14)  # Discord's tokens live fifteen
FRESH = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A private hand on a screen. at: of the last click on it. ply: the moment it shows."""

    interaction: discord.Interaction
    at: datetime
    ply: int


class OpenHands:
    """The newest open hand of each person at each table."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._open: dict[tuple[int, int], OpenHand] = {}

    def opened(self, table: int, interaction: discord.Interaction, ply: int) -> None:
        """Remember that this interaction shows its user's hand at this table."""
        self._forget_old()
        self._open[table, interaction.user.id] = OpenHand(interaction, self._now(), ply)

    def fresh(self, table: int, user: int) -> bool:
        """Tell whether this person has just been looking at their hand here."""
        hand = self._open.get((table, user))
        return hand is not None and self._now() - hand.at < FRESH

    def editable(self, table: int, user: int) -> OpenHand | None:
        """Return the open hand of this person if Discord still lets us edit it."""
        hand = self._open.get((table, user))
        return hand if hand is not None and self._now() - hand.at < EDITABLE else None

    async def refresh(self, table: int, user: int, ply: int, view: discord.ui.LayoutView) -> None:
        """Bring an open hand up to date, once for each moment of the game; a closed or expired one is forgotten."""
        hand = self.editable(table, user)
        if hand is None or hand.ply == ply:
            return
        self._open[table, user] = OpenHand(hand.interaction, hand.at, ply)
        try:
            await hand.interaction.edit_original_response(view=view)
        except UNREACHED as error:
            log.info("A private hand at table %s is gone: %s", table, error)
            self._open.pop((table, user), None)

    def _forget_old(self) -> None:
        since = self._now() - EDITABLE
        for key in [key for key, hand in self._open.items() if hand.at < since]:
            del self._open[key]
