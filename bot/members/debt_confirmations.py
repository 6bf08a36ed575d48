"""Requests to confirm a settled debt: whether a user can answer, and whether a message suits the user now.

A message goes to a user with direct messages switched on, within working hours, and with access to the ledger; never
between two users of whom one has blocked the other. The debts and the sending live elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.domain.debts import LedgerScope
from bot.domain.ids import UserId
from bot.domain.rating import VISIBLE_CHANNELS
from bot.members.preferences import PreferenceCache
from bot.members.presence import DiscordUnavailable, Presence
from bot.members.server_settings import Servers
from bot.store.store import Store


class DebtConfirmations:
    """The open requests to users. now: the current time."""

    def __init__(
        self,
        *,
        store: Store,
        habits: PreferenceCache,
        presence: Presence,
        servers: Servers,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._habits = habits
        self._presence = presence
        self._servers = servers
        self._now = now

    async def books(self, user: UserId, most: int) -> list[LedgerScope]:
        """Return the ledgers with a request that the user can answer now. most: their maximum number."""
        found = list[LedgerScope]()
        for book in await self._store.debts.unanswered(user):
            if len(found) < most and await self._may_read(book, user):
                found.append(book)
        return found

    async def suits(self, book: LedgerScope, user: UserId, other: UserId) -> bool:
        """Tell whether a message about the other user's statement suits a user now."""
        if (await self._habits.of(user)).notice_channel not in ("direct", "both") or not self._servers.known(
            book.guild
        ).mirror:
            return False
        if (await self._store.people.days([user]))[user].resting(self._now()):
            return False
        return await self._store.social.block_between(user, [other]) == "no" and await self._may_read(book, user)

    async def _may_read(self, book: LedgerScope, user: UserId) -> bool:
        """Tell whether a user can open a ledger now."""
        if book.channel != VISIBLE_CHANNELS:
            return await self._presence.may_see(book.guild, book.channel, user)
        try:
            return await self._presence.member(book.guild, user) is not None
        except DiscordUnavailable:
            return False
