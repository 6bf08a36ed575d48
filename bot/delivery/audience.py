"""Whom delivery asks about people: who is there to be notified, and may see what."""

from __future__ import annotations

from typing import Protocol

from bot.domain.ids import UserId
from bot.scene import Scene
from bot.table.environment import ShownTable


class Audience(Protocol):
    """Who is there to be told, and may see what."""

    async def is_here(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether a person is still on the server of a table; their seat goes to a house player if not."""
        ...

    async def is_shut_out(self, table: ShownTable, user: UserId) -> bool | None:
        """Tell whether a person is on the server of a table and does not see it; None where nobody answers."""
        ...

    async def may_have_hand(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a person may be sent what they hold."""
        ...

    async def sees(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a person sees the channel of a table now. Raises what UNREACHED names."""
        ...

    def has_lost(self, scene: Scene, user: UserId) -> bool:
        """Tell whether a person is known to be gone, or to see the channel no more; nothing is asked."""
        ...
