"""Those who do not sit at a table and have asked to be told what happens there: a hand has ended, or the match.

All of them are called in one message, at most once in ten minutes and once more at the end; the call before goes. What
they read stands on the board too, so it tells nothing of any hand. Rows in the store remember who they are, and what
they have been told. Refuses to know words.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.delivery.boards.boards import Places
from bot.delivery.notifications.turn_pings import NOBODY, WATCHERS, Pings
from bot.domain.effects import Occasion, Pending, WatcherCall
from bot.domain.ids import TableId, UserId
from bot.scene import Scene
from bot.show.table.notices import join_row, rematch_row
from bot.show.table.spectators import ended, free, hand_ended
from bot.store.rows import Watcher
from bot.table.core.chairs import seat_of
from bot.table.environment import ShownTable

BREAK = timedelta(minutes=10)  # between two calls before the end
CALLS: Final[Mapping[Occasion, tuple[Callable[..., str], UserId | None]]] = {
    "match ended": (ended, None),
    "seat free": (free, NOBODY),
    "hand ended": (hand_ended, WATCHERS),
}  # what they read, and as whose ping the call is kept until it goes


class WatchStore(Protocol):
    """What this needs of a store. Every call may raise StoreError."""

    async def watch(self, watcher: Watcher) -> None:
        """Remember that somebody watches a table. Raises TooMany."""
        ...

    async def unwatch(self, table: TableId, user: UserId) -> None:
        """Forget that somebody watches a table."""
        ...

    async def watchers(self, table: TableId) -> tuple[Watcher, ...]:
        """Return who watches a table."""
        ...

    async def told(
        self, table: TableId, users: Collection[UserId], hands: int, at: datetime | None, call: Occasion | None
    ) -> tuple[Pending, ...]:
        """Remember that the end of so many hands is no news to these; return the call of those who watch still.

        at: when they are called. call: why; None where they are not called.
        """
        ...

    async def end_watch(self, table: TableId, now: datetime, call: Occasion | None) -> tuple[Pending, ...]:
        """Forget who watches a table, and return their call. call: why; None where they are not called."""
        ...


class Watching:
    """Tells who watches. sees: whether a person sees the channel of a table now. perform: begins to call them.

    unwatched: tables at which nobody is known to, so that these need not be looked at.
    """

    def __init__(
        self,
        places: Places,
        store: WatchStore,
        pings: Pings,
        sees: Callable[[Scene, UserId], Awaitable[bool]],
        perform: Callable[[Iterable[Pending]], None],
    ) -> None:
        self._now = places.now
        self._public = places.public
        self._store = store
        self._pings = pings
        self._sees = sees
        self._perform = perform
        self._known: dict[TableId, tuple[Watcher, ...]] = {}
        self.unwatched: set[TableId] = set()

    async def begin(self, table: ShownTable, user: UserId) -> None:
        """Tell somebody from now on what happens at a table. Raises TooMany."""
        scene = table.scene(None)
        full = scene.stage == "lobby" and not _has_room(scene)
        await self._store.watch(Watcher(table.id, user, scene.tally.hand - (scene.stage == "playing"), full))
        self.forget(table.id)

    async def stop(self, table: TableId, user: UserId) -> None:
        """Tell somebody no more."""
        await self._store.unwatch(table, user)
        self.forget(table)

    async def is_told(self, table: TableId, user: UserId) -> bool:
        """Tell whether somebody watches a table."""
        return table not in self.unwatched and any(watcher.user == user for watcher in await self._of(table))

    async def update(self, table: ShownTable, scene: Scene) -> None:
        """Tell those who watch what they have not been told, if it is time."""
        watchers = await self._of(table.id)
        if not watchers:
            self.unwatched.add(table.id)
        elif not scene.open:  # a lobby that is closed is no news
            occasion: Occasion | None = "match ended" if scene.view is not None else None
            self._perform(await self._store.end_watch(table.id, self._now(), occasion))
        elif scene.stage == "lobby" and _has_room(scene):
            await self._note(scene, (each for each in watchers if each.seat), "seat free")
        elif scene.stage == "between":
            late = (each for each in watchers if each.hands < scene.tally.hand)
            # what is passed over now is no news later
            await self._note(scene, late, "hand ended" if self._rested(watchers) else None)

    def forget(self, table: TableId) -> None:
        """Drop from memory what the store has."""
        self._known.pop(table, None)
        self.unwatched.discard(table)

    def forget_all(self) -> None:
        """Do so for all tables: somebody is to stand nowhere any more."""
        self._known.clear()

    async def _of(self, table: TableId) -> tuple[Watcher, ...]:
        """Return who watches a table, from the store only the first time: nobody else writes them."""
        if table not in self._known:
            self._known[table] = await self._store.watchers(table)
        return self._known[table]

    def _rested(self, watchers: Iterable[Watcher]) -> bool:
        """Tell whether nobody has been called for so long that there may be a call again."""
        since = self._now() - BREAK
        return all(watcher.told is None or watcher.told <= since for watcher in watchers)

    async def _note(self, scene: Scene, due: Iterable[Watcher], occasion: Occasion | None) -> None:
        """Remember that what there is now is no news to these any more, and call them where there is an occasion."""
        table, users = scene.where.table, [watcher.user for watcher in due]
        if not users:
            return
        self.forget(table)
        at = self._now() if occasion else None
        self._perform(await self._store.told(table, users, scene.tally.hand, at, occasion))

    async def call(self, table: ShownTable, effect: WatcherCall, key: str) -> None:
        """Call those of the watchers who do not sit at a table and may see it.

        key: of the message in the outbox. Raises what UNREACHED names, and StoreError.
        """
        scene, (said, kept_as) = table.scene(None), CALLS[effect.occasion]
        there = (user for user in effect.users if seat_of(scene.chairs, user) is None)
        here = [user for user in there if await self._sees(scene, user)]
        if here:
            w = self._public(scene)
            below = join_row(scene, w) if scene.stage == "lobby" else rematch_row(scene, w)
            await self._pings.tell(table, said(scene, here, w), here, kept_as, below, key)


def _has_room(scene: Scene) -> bool:
    return len(scene.chairs) < scene.terms.rules.players
