"""Everything a table says to Discord, put together: board, pings, open hands, news.

Called by tables after something has been remembered. Returns at once; whatever Discord answers stays here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from datetime import datetime
from typing import Any

import discord

from bot.door.private import PrivateMessage
from bot.habits import RememberedHabits
from bot.show.hand import hand
from bot.show.phrases import table as table_name
from bot.table.around import Told
from bot.table.scene import Scene
from bot.table.table import Table
from bot.tell.boards import Boards, Places
from bot.tell.hands import OpenHands
from bot.tell.mirror import Mirror
from bot.tell.pings import Pings, PingStore
from bot.tell.sweep import sweep
from bot.unreached import UNREACHED

log = logging.getLogger(__name__)


class Telling:
    """The Teller of all tables."""

    def __init__(self, places: Places, pings: PingStore, habits: RememberedHabits) -> None:
        self._places = places
        self._pings = pings
        self._habits = habits
        self.hands = OpenHands(places.now)
        self.pings = Pings(places.client, pings, places.now, Mirror(places, habits).send)
        self.boards = Boards(places, self._shown)
        self._tasks: set[asyncio.Task[None]] = set()
        self._looks: dict[int, asyncio.TimerHandle] = {}

    def changed(self, table: Told) -> None:
        """Show the table as it is now."""
        assert isinstance(table, Table)
        self.pings.changed(table)
        self.boards.changed(table)

    def remind(self, table: Told) -> None:
        """Remind those awaited that their time is running out."""
        scene = table.scene(None)
        self._soon(self.pings.remind(table, self._places.public(scene)))

    def news(self, table: Told, sentence: str, **values: Any) -> None:
        """Say something to everybody at the table; `{table}` in the sentence becomes its name."""
        scene = table.scene(None)
        w = self._places.public(scene)
        self._soon(self._say(scene, w(sentence, table=table_name(scene, w), **values)))

    async def tidy(self, table: Table, before: datetime) -> None:
        """Take away what was sent for this table before a stop and could not be remembered."""
        scene = table.scene(None)
        known = {ping.message for ping in await self._pings.pings(table.id)} | {scene.message or 0}
        await sweep(self._places.client, scene, self._places.public(scene), known, before)

    def opened(self, table: Table, scene: Scene, message: PrivateMessage | None) -> None:
        """Take note of a hand that was asked for: where it can be read, None where it has not got there."""
        if message is None:
            self.hands.lost(scene)
            return
        self.hands.opened(scene, message)
        if scene.viewer is not None and self.hands.outdated(table.scene(scene.viewer)):
            self._soon(self._refresh(table, scene.viewer))

    async def forget(self, user: int, tables: Iterable[int]) -> None:
        """Forget a person, who is to be called at these tables no more."""
        for table in tables:
            await self.pings.withdraw(table, user)
        self.hands.forget(user)

    def stop(self) -> None:
        """Say nothing any more."""
        self.boards.stop()
        for look in self._looks.values():
            look.cancel()
        for task in self._tasks:
            task.cancel()

    async def settled(self) -> None:
        """Wait until all is told."""
        await self.boards.settled()
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _say(self, scene: Scene, text: str) -> None:
        try:
            channel = self._places.client.get_partial_messageable(scene.home)
            await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
        except UNREACHED as error:
            log.warning("News of table %s could not be told: %s", scene.table, error)

    async def _shown(self, table: Table) -> None:
        """After the board: pings, and the private hands that are open."""
        scene = table.scene(None)
        if until := await self.pings.update(table, self._places.public(scene)):
            self._look_again(table, until)
        if scene.stage in ("over", "closed"):
            self.pings.forget(table.id)
        for chair in scene.chairs:
            if chair.user is not None and self.hands.editable(table.id, chair.user):
                await self._refresh(table, chair.user)

    def _look_again(self, table: Table, at: datetime) -> None:
        """Come back to a table where somebody is called if they have not clicked by then."""
        if before := self._looks.pop(table.id, None):
            before.cancel()
        delay = max((at - self._places.now()).total_seconds(), 1.0)
        self._looks[table.id] = asyncio.get_running_loop().call_later(delay, self.boards.changed, table)

    async def _refresh(self, table: Table, user: int) -> None:
        scene = table.scene(user)
        shown = self.hands.outdated(scene)
        if shown is None:
            return
        view = hand(
            scene,
            self._places.speaking(shown.message.locale),
            where=self._places.server(scene.guild),
            habits=await self._habits.of(user),
        )
        await self.hands.refresh(shown, scene, view)

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("Something could not be told")
