"""The real notices of slow tables in virtual time, with a counter in place of Discord."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from datetime import datetime
from itertools import count
from types import SimpleNamespace
from typing import Any

from bot.delivery.notifications.notice_messages import NoticeContent
from bot.delivery.notifications.private_threads import PrivateThreads
from bot.delivery.notifications.slow_table_notices import NoticeScheduler
from bot.domain.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.members.preferences import PreferenceCache
from bot.store.rows import NoticeKind, TurnNotice
from bot.store.store import Store
from bot.table.registry import TableRegistry
from bot.table.table import Table


class NoticeCounter:
    """Counts notices in place of ``Letters``."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self.sent = Counter[NoticeKind]()
        self._now = now
        self._numbers = count(1)

    async def publish(self, content: NoticeContent, home: ChannelId, _nonce: str) -> TurnNotice:
        """Count a notice in a channel."""
        return self._taken(content, content.tables[0].row.guild, home)

    async def write(self, content: NoticeContent) -> TurnNotice:
        """Count a direct message."""
        return self._taken(content, None, ChannelId(content.user))

    def _taken(self, content: NoticeContent, guild: GuildId | None, where: ChannelId) -> TurnNotice:
        self.sent[content.kind] += 1
        return TurnNotice(content.user, guild, where, MessageId(next(self._numbers)), content.kind, self._now())

    async def may_write(self, _table: object, _user: UserId) -> bool:
        """Return that every player accepts direct messages."""
        return True

    async def change(self, _letter: NoticeContent, _notice: TurnNotice) -> None:
        """Do nothing: edits notify no player."""


class SimulatedNotices:
    """Sends notices of a slow table as the bot does. seen: whether a player has just looked at a table."""

    def __init__(self, store: Store, now: Callable[[], datetime], seen: Callable[[TableId, UserId], bool]) -> None:
        self._notice_sender, self._work = NoticeCounter(now), list[Coroutine[Any, Any, None]]()
        nowhere = SimpleNamespace(get_channel=lambda _channel: None)
        context: Any = SimpleNamespace(now=now, quiet_until=lambda _guild: None, client=nowhere)
        notice_sender: Any = self._notice_sender
        queue: Any = None  # no thread is opened
        own = PrivateThreads(context, queue, store.private_threads)
        preferences = PreferenceCache(store.people)
        self._noticing = NoticeScheduler(
            context=context,
            store=store,
            preferences=preferences,
            notice_sender=notice_sender,
            private_threads=own,
            seen=seen,
            is_here=self._is_here,
            run_in_background=self._work.append,
            perform=lambda _gone: None,
        )

    @staticmethod
    async def _is_here(_table: object, _user: UserId) -> bool:
        return True

    @property
    def sent(self) -> int:
        """Return the number of notices."""
        return self._notice_sender.sent.total()

    async def start(self, tables: TableRegistry) -> None:
        """Start."""
        await self._noticing.start(tables, lambda _at: None)

    async def next(self) -> datetime | None:
        """Return the time of the next possible notice."""
        return await self._noticing.next()

    async def ring(self) -> None:
        """Send the notices that are due."""
        await self._noticing.ring()
        await self._done()

    async def update(self, table: Table) -> None:
        """Record for whom the table waits now."""
        await self._noticing.update(table, table.scene(None))
        await self._done()

    async def _done(self) -> None:
        while self._work:
            await self._work.pop(0)
