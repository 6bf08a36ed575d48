"""The operator's decisions as known to this process.

The decisions are polled from the store, since other processes write them. Who may make decisions is checked elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.domain.ids import GuildId, UserId
from bot.domain.message_ids import N_
from bot.domain.operator_notice import STORED_KEY, BannedKind, OperatorCommand, OperatorState
from bot.domain.refusals import Refused
from bot.store.store import Store
from bot.table.environment import KnownDecisions

POLL_INTERVAL = timedelta(seconds=20)  # between two polls
NOT_SERVED = N_(
    "The operator of this bot has stopped serving you. `/my data` still shows what's stored about you and deletes it."
)


class OperatorDecisions(KnownDecisions):
    """Polls the operator's decisions.

    known: the current value. changed: called after a change with the old value.
    """

    def __init__(
        self, store: Store, now: Callable[[], datetime], changed: Callable[[OperatorState], Awaitable[None]]
    ) -> None:
        super().__init__()
        self._store = store
        self._now = now
        self._changed = changed
        self._polled: datetime | None = None

    async def next(self) -> datetime | None:
        """Return None: the task runs at each ring of the clock, at least every minute."""
        return None

    async def ring(self) -> None:
        """Poll, unless the last poll is recent."""
        if self._polled is None or self._now() - self._polled >= POLL_INTERVAL:
            await self.poll()

    async def poll(self) -> None:
        """Load the decisions; an unchanged notice stays the same object.

        So the screens drawn with the notice stay valid.
        """
        self._polled = self._now()
        before, stored = self.known, OperatorState.read(await self._store.notes.recall(STORED_KEY))
        if stored == before:
            return
        if stored.notice == before.notice:
            stored = replace(stored, notice=before.notice)
        self.known = stored
        await self._changed(before)

    async def order(self, order: OperatorCommand, where: str) -> None:
        """Make and record a change. Raises ValueError for too long a notice, without a change."""
        known = OperatorState.read(await self._store.notes.recall(STORED_KEY))
        await self._store.notes.remember(STORED_KEY, str(known.ordered(order, self._now(), where)))
        await self.poll()

    def mark_of(self, kind: BannedKind, number: int) -> str:
        """Return the keyed hash of a user's or a server's id."""
        return self._store.deletions.mark_of(kind, number)

    def is_banned(self, kind: BannedKind, number: UserId | GuildId) -> bool:
        """Tell whether a user or a server is banned."""
        return bool(self.known.banned) and (kind, self.mark_of(kind, number)) in self.known.banned

    def check(self, user: UserId) -> None:
        """Raise Refused for a banned user."""
        if self.is_banned("person", user):
            raise Refused(NOT_SERVED)
