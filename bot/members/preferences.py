"""The preferences of users, cached so that clicks need no query."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.store.repositories.people import PersonRepository

MAX_CACHED_USERS = 10_000  # cached users


class PreferenceCache:
    """A cache of preferences, for recently active users."""

    def __init__(self, people: PersonRepository) -> None:
        self.changed: Callable[[UserId], Awaitable[None]] | None = (
            None  # called after a change, if other processes cache too
        )
        self._people = people
        self._known: OrderedDict[UserId, Preferences] = OrderedDict()

    async def of(self, user: UserId) -> Preferences:
        """Return a user's preferences."""
        if user not in self._known:
            self._remember(user, await self._people.preferences(user))
        self._known.move_to_end(user)
        return self._known[user]

    async def change(self, user: UserId, **chosen: Any) -> None:
        """Save changed preferences of a user."""
        preferences = replace(await self.of(user), **chosen)
        await self._people.save_preferences(user, preferences)
        self._remember(user, preferences)
        if self.changed is not None:
            await self.changed(user)

    def forget(self, user: UserId) -> None:
        """Drop a user's cached preferences."""
        self._known.pop(user, None)

    def _remember(self, user: UserId, preferences: Preferences) -> None:
        self._known[user] = preferences
        if len(self._known) > MAX_CACHED_USERS:
            self._known.popitem(last=False)
