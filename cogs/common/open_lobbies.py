"""The lobbies of a channel that a user could join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from bot.domain.refusals import Refused
from bot.interactions.visit import Visit
from bot.scene import Scene
from bot.store.store import Store
from bot.table.core.waiting import check_may_wait, free_seats
from bot.table.registry import TableRegistry
from bot.wiring import Parts

MAX_LOBBIES_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLobbies:
    """Finds lobbies with room."""

    store: Store
    tables: TableRegistry

    @classmethod
    def of(cls, parts: Parts) -> Self:
        """Return the open lobbies of a running bot."""
        return cls(store=parts.store, tables=parts.tables)

    async def here(self, visit: Visit, game: str | None = None) -> list[Scene]:
        """Return the lobbies in the user's channel with a free seat, oldest first, at most three.

        game: restricts them to this game.
        """
        found = list[Scene]()
        numbers = () if visit.channel is None else await self.store.tables.in_channel(visit.channel)
        for number in sorted(numbers):
            table = await self.tables.get(number)
            if table.row.phase != "lobby" or not free_seats(table.row) or game not in (None, table.row.game):
                continue
            try:
                await table.check(check_may_wait, visit.user)
            except Refused:
                continue
            found.append(table.scene(visit.user))
            if len(found) == MAX_LOBBIES_NAMED:
                break
        return found
