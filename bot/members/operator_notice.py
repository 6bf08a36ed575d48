"""What whoever runs the bot has said to all, as this process knows it: looked up again and again, for others write it.

Knows where it is kept, and who is not served. Refuses to know who may say it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from bot.domain.ids import GuildId, UserId
from bot.domain.operator_notice import KEY, Banned, Order, Upkeep
from bot.domain.refusals import Refused
from bot.table.environment import KnownUpkeep

EVERY = timedelta(seconds=20)  # from one look to the next
NOT_SERVED = (
    "Whoever runs this bot does not serve you any more. `/my data` still shows what is kept about you, and deletes it."
)


class UpkeepStore(Protocol):
    """What this needs of a store. Every call may raise StoreError."""

    async def recall(self, key: str) -> str | None:
        """Return what was remembered under a key."""
        ...

    async def remember(self, key: str, value: str) -> None:
        """Remember a text under a key."""
        ...

    def mark_of(self, kind: Banned, number: int) -> str:
        """Return a keyed hash by which a person or a server can be told again."""
        ...


class Upkeeping(KnownUpkeep):
    """A bell of the clock. known: what holds now. changed: what is done once it is another than it was."""

    def __init__(
        self, store: UpkeepStore, now: Callable[[], datetime], changed: Callable[[Upkeep], Awaitable[None]]
    ) -> None:
        super().__init__()
        self._store = store
        self._now = now
        self._changed = changed
        self._looked: datetime | None = None

    async def next(self) -> datetime | None:
        """Say that nobody has to come for this: it is looked at whenever the clock rings, which is every minute."""
        return None

    async def ring(self) -> None:
        """Look, unless that was just done."""
        if self._looked is None or self._now() - self._looked >= EVERY:
            await self.look()

    async def look(self) -> None:
        """Find out what holds now. What has not changed stays the same value: whatever was drawn of it still holds."""
        self._looked = self._now()
        before, found = self.known, Upkeep.read(await self._store.recall(KEY))
        if found == before:
            return
        if found.notice == before.notice:
            found = replace(found, notice=before.notice)
        self.known = found
        await self._changed(before)

    async def order(self, order: Order, where: str) -> None:
        """Change what holds, and record that. Raises ValueError for too long a notice, and then nothing has changed."""
        known = Upkeep.read(await self._store.recall(KEY))
        await self._store.remember(KEY, str(known.ordered(order, self._now(), where)))
        await self.look()

    def mark_of(self, kind: Banned, number: int) -> str:
        """Return the keyed hash of a person's or a server's number."""
        return self._store.mark_of(kind, number)

    def is_banned(self, kind: Banned, number: UserId | GuildId) -> bool:
        """Tell whether a person or a server is not served."""
        return bool(self.known.banned) and (kind, self.mark_of(kind, number)) in self.known.banned

    def check(self, user: UserId) -> None:
        """Raise Refused for whoever is not served."""
        if self.is_banned("person", user):
            raise Refused(NOT_SERVED)
