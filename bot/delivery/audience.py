"""The protocol through which delivery checks membership and access of players."""

from __future__ import annotations

from typing import Protocol

from bot.domain.ids import UserId
from bot.scene import Scene
from bot.table.environment import ShownTable


class Audience(Protocol):
    """Checks membership and access."""

    async def is_here(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether a player is still a member of a table's server.

        If not, a house player takes over the seat.
        """
        ...

    async def is_shut_out(self, table: ShownTable, user: UserId) -> bool | None:
        """Tell whether a member of the server has lost access to a table; None if Discord fails."""
        ...

    async def may_have_hand(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player may be sent their hand."""
        ...

    async def sees(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player can see a table's channel now. Raises the errors in UNREACHED."""
        ...

    def has_lost(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a player is known to have left or lost access; without a request."""
        ...
