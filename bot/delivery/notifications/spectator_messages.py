"""Messages to spectators who asked for news of a table.

The news is the end of a hand or of the match, or a free seat. One message mentions all of the spectators, at most once
in ten minutes and once more at the end; the previous message is deleted. The board says the same, so no message reveals
anything of a hand. Rows in the store remember the spectators and their latest news. The sentences live elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Final

from bot.delivery.context import DeliveryContext
from bot.delivery.notifications.seat_queue import SeatQueue
from bot.delivery.notifications.turn_pings import LOBBY_PING, SPECTATOR_PING, Pings
from bot.domain.effects import Occasion, PendingEffect, WatcherCall
from bot.domain.ids import TableId, UserId
from bot.scene import Scene
from bot.show.table.notices import join_row, rematch_row
from bot.show.table.spectators import ended, free, hand_ended
from bot.store.repositories.spectators import WatcherRepository
from bot.store.rows import Watcher
from bot.table.core.chairs import seat_of
from bot.table.environment import ShownTable

BREAK = timedelta(minutes=10)  # between two pings before the end
CALLS: Final[Mapping[Occasion, tuple[Callable[..., str], UserId | None]]] = {
    "match ended": (ended, None),
    "seat free": (free, LOBBY_PING),
    "hand ended": (hand_ended, SPECTATOR_PING),
}  # the text, and the user id under which the ping is saved until its deletion


class SpectatorNotifier:
    """Sends spectators the news of tables.

    seat_queue: of people in line, who come before spectators. sees: tells whether a user sees a table's channel now.
    perform: starts effects. unwatched: skipped tables without spectators.
    """

    def __init__(
        self,
        *,
        context: DeliveryContext,
        watchers: WatcherRepository,
        pings: Pings,
        seat_queue: SeatQueue,
        sees: Callable[[Scene, UserId], Awaitable[bool]],
        perform: Callable[[Iterable[PendingEffect]], None],
    ) -> None:
        self._now = context.now
        self._words_for_table = context.words_for_table
        self._watchers = watchers
        self._pings = pings
        self._sees = sees
        self._seat_queue = seat_queue
        self._perform = perform
        self._known: dict[TableId, tuple[Watcher, ...]] = {}
        self.unwatched: set[TableId] = set()

    async def begin(self, table: ShownTable, user: UserId) -> None:
        """Start sending a user the news of a table. Raises LimitReached."""
        scene = table.scene(None)
        full = scene.stage == "lobby" and not await self._has_free_seat(table)
        await self._watchers.watch(Watcher(table.id, user, scene.tally.hand - (scene.stage == "playing"), full))
        self.forget(table.id)

    async def stop(self, table: TableId, user: UserId) -> None:
        """Stop sending a user the news of a table."""
        await self._watchers.unwatch(table, user)
        self.forget(table)

    async def is_subscribed(self, table: TableId, user: UserId) -> bool:
        """Tell whether a user gets the news of a table."""
        return table not in self.unwatched and any(watcher.user == user for watcher in await self._of(table))

    async def update(self, table: ShownTable, scene: Scene) -> None:
        """Send spectators the news of a table, if due."""
        watchers = await self._of(table.id)
        if not watchers:
            self.unwatched.add(table.id)
        elif not scene.open:  # a closed lobby is no news
            occasion: Occasion | None = "match ended" if scene.view is not None else None
            self._perform(await self._watchers.end(table.id, self._now(), occasion))
        elif scene.stage == "lobby":
            without_seat = [each for each in watchers if each.seat]
            if without_seat and await self._has_free_seat(table):
                await self._note(scene, without_seat, "seat free")
        elif scene.stage == "between":
            late = (each for each in watchers if each.hands < scene.tally.hand)
            # news skipped now is not sent later
            await self._note(scene, late, "hand ended" if self._rested(watchers) else None)

    def forget(self, table: TableId) -> None:
        """Drop the cached spectators of a table."""
        self._known.pop(table, None)
        self.unwatched.discard(table)

    def forget_all(self) -> None:
        """Drop the cached spectators of all tables: rows were changed outside this class."""
        self._known.clear()
        self.unwatched.clear()

    async def _of(self, table: TableId) -> tuple[Watcher, ...]:
        """Return the spectators of a table, cached: only this class writes them."""
        if table not in self._known:
            self._known[table] = await self._watchers.of_table(table)
        return self._known[table]

    def _rested(self, watchers: Iterable[Watcher]) -> bool:
        """Tell whether the pause since the latest ping is over."""
        since = self._now() - BREAK
        return all(watcher.told is None or watcher.told <= since for watcher in watchers)

    async def _note(self, scene: Scene, due: Iterable[Watcher], occasion: Occasion | None) -> None:
        """Record the current state as known to these spectators; ping them on an occasion."""
        table, users = scene.where.table, [watcher.user for watcher in due]
        if not users:
            return
        self.forget(table)
        at = self._now() if occasion else None
        self._perform(await self._watchers.note_notified(table, users, scene.tally.hand, at, occasion))

    async def ping_spectators(self, table: ShownTable, effect: WatcherCall, key: str) -> None:
        """Ping the spectators who may hear of the news.

        key: of the message in the outbox. Raises the errors in UNREACHED, and StoreError.
        """
        scene, (content, kept_as) = table.scene(None), CALLS[effect.occasion]
        here = [user for user in effect.users if await self._may_hear(table, effect.occasion, user)]
        if here:
            w = self._words_for_table(scene)
            below = join_row(scene, w) if scene.stage == "lobby" else rematch_row(scene, w)
            await self._pings.ping_spectators(
                table,
                content(scene, here, w),
                users=here,
                whom=kept_as,
                below=below,
                key=key,
                is_true=partial(self._is_true, table, effect.occasion),
            )
        if not await self._is_true(table, effect.occasion):
            await self._watchers.expect_seat(table.id, effect.users)
            self.forget(table.id)

    async def _may_hear(self, table: ShownTable, occasion: Occasion, user: UserId) -> bool:
        """Tell whether a spectator is without a seat and may see the table.

        A person in line is asked otherwise.
        """
        if seat_of(table.row.chairs, user) is not None:
            return False
        if occasion == "seat free" and await self._seat_queue.place_of(table.id, user) is not None:
            return False
        return await self._sees(table.scene(None), user)

    async def _is_true(self, table: ShownTable, occasion: Occasion) -> bool:
        """Tell whether news still holds.

        A seat may have been taken meanwhile, but an end stays an end.
        """
        return occasion != "seat free" or await self._has_free_seat(table)

    async def _has_free_seat(self, table: ShownTable) -> bool:
        """Tell whether a lobby has a free seat that is promised to nobody in line."""
        free = table.row.seats - len(table.row.chairs)
        return free > 0 and free > await self._seat_queue.promised(table)
