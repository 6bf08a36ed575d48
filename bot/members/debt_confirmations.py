"""Who is asked whether something is settled: where they can answer, and whether a message about it suits them now.

Written to is who has said yes to that, is awake, and can open that ledger; whoever would rather not play with the other
is not. Refuses to know what is owed, and how anybody is written to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Protocol

from bot.domain.debts import Notebook
from bot.domain.ids import UserId
from bot.domain.preferences import Apart
from bot.domain.rating import OPEN
from bot.domain.working_hours import Day
from bot.members.preferences import RememberedHabits
from bot.members.presence import Presence, Unasked
from bot.members.server_settings import Servers


class AnsweringStore(Protocol):
    """What this needs of a store. Every call may raise StoreError."""

    async def days(self, users: Collection[UserId]) -> Mapping[UserId, Day]:
        """Return when people have time."""
        ...

    async def apart_from(self, user: UserId, others: Collection[UserId]) -> Apart:
        """Tell whether a person would rather not play with any of these, or one of these with them."""
        ...

    async def unanswered(self, user: UserId) -> tuple[Notebook, ...]:
        """Give the ledgers in which another says that something is settled with somebody who has not answered."""
        ...


class Answering:
    """now: the time."""

    def __init__(
        self,
        store: AnsweringStore,
        habits: RememberedHabits,
        presence: Presence,
        servers: Servers,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._habits = habits
        self._presence = presence
        self._servers = servers
        self._now = now

    async def books(self, user: UserId, most: int) -> list[Notebook]:
        """Return where somebody is asked whether something is settled, as far as they can answer there now."""
        found = list[Notebook]()
        for book in await self._store.unanswered(user):
            if len(found) < most and await self._may_read(book, user):
                found.append(book)
        return found

    async def suits(self, book: Notebook, user: UserId, other: UserId) -> bool:
        """Tell whether a message to somebody about what the other says suits them now."""
        if (await self._habits.of(user)).hears not in ("direct", "both") or not self._servers.known(book.guild).mirror:
            return False
        if (await self._store.days([user]))[user].resting(self._now()):
            return False
        return await self._store.apart_from(user, [other]) == "no" and await self._may_read(book, user)

    async def _may_read(self, book: Notebook, user: UserId) -> bool:
        """Tell whether somebody can open a ledger now."""
        if book.channel != OPEN:
            return await self._presence.may_see(book.guild, book.channel, user)
        try:
            return await self._presence.member(book.guild, user) is not None
        except Unasked:
            return False
