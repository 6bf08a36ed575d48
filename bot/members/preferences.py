"""What people have chosen for themselves, remembered so that a click does not ask the store each time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Protocol

from bot.domain.ids import UserId
from bot.domain.preferences import Habits

MOST = 10_000  # people at once in memory


class HabitStore(Protocol):
    """What this needs of a store."""

    async def habits(self, user: UserId) -> Habits:
        """Return what a person has chosen, or the defaults."""
        ...

    async def keep_habits(self, user: UserId, habits: Habits) -> None:
        """Write what a person has chosen."""
        ...


class RememberedHabits:
    """The habits of the people who were here last, in memory."""

    def __init__(self, store: HabitStore) -> None:
        self.changed: Callable[[UserId], Awaitable[None]] | None = (
            None  # told of those who choose, where others remember
        )
        self._store = store
        self._known: OrderedDict[UserId, Habits] = OrderedDict()

    async def of(self, user: UserId) -> Habits:
        """Return what a person has chosen."""
        if user not in self._known:
            self._remember(user, await self._store.habits(user))
        self._known.move_to_end(user)
        return self._known[user]

    async def change(self, user: UserId, **chosen: Any) -> None:
        """Write what a person chooses anew."""
        habits = replace(await self.of(user), **chosen)
        await self._store.keep_habits(user, habits)
        self._remember(user, habits)
        if self.changed is not None:
            await self.changed(user)

    def forget(self, user: UserId) -> None:
        """Drop what is remembered about a person."""
        self._known.pop(user, None)

    def _remember(self, user: UserId, habits: Habits) -> None:
        self._known[user] = habits
        if len(self._known) > MOST:
            self._known.popitem(last=False)
