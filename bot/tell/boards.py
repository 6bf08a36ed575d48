"""The public board of each table: one living message, edited in place.

Level-triggered: it shows the table as it is when the edit is sent, so one edit is in flight and the latest state
wins. An error of Discord costs an edit, never a table: the next change heals it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

import discord

from bot.show.board import board
from bot.show.layout import PublicScreen
from bot.show.words import Words
from bot.store.rows import StoreError
from bot.table.scene import Scene
from bot.table.table import Table
from bot.unreached import UNREACHED

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED, TOO_OLD = 10003, 10008, 50083, 30046
OLD = timedelta(minutes=50)  # Discord slows edits of messages older than an hour
SPACING = 0.8  # seconds between two edits of a board
PATIENCE = 0.5  # seconds that an edit waits for house players who are about to play
RETRIES = (2.0, 10.0, 60.0)
NOTED = 1000  # tables of which is known what their boards show; of another one a board is edited once too often

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Places:
    """Where boards are put, and in whose words.

    public: the words of a table's server. speaking: those of a locale of Discord. server: the name of a server.
    gone: called when the channel of a table no longer exists.
    """

    client: discord.Client
    public: Callable[[Scene], Words]
    speaking: Callable[[str], Words]
    server: Callable[[int], str]
    gone: Callable[[Table], Awaitable[None]]
    now: Callable[[], datetime]


class Lately(OrderedDict[int, T]):
    """Something about tables, by number; only of those it was last noted for, as tables may be forgotten quietly."""

    def __setitem__(self, table: int, value: T) -> None:
        super().__setitem__(table, value)
        self.move_to_end(table)
        while len(self) > NOTED:
            del self[next(iter(self))]


class Boards:
    """Keeps the board of every table that changes; a table at rest costs nothing."""

    def __init__(self, places: Places, shown: Callable[[Table], Awaitable[None]]) -> None:
        self._places = places
        self._shown = shown
        self._dirty: dict[int, Table] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._hand = Lately[int]()
        self._showing = Lately[tuple[int, int]]()
        self._stopped = False

    def changed(self, table: Table) -> None:
        """Bring the board up to date soon."""
        if self._stopped:
            return
        self._dirty[table.id] = table
        if table.id not in self._tasks:
            self._tasks[table.id] = asyncio.create_task(self._keep(table.id), name=f"board of table {table.id}")

    def stop(self) -> None:
        """Show nothing any more; the next run brings every board up to date."""
        self._stopped = True
        for task in self._tasks.values():
            task.cancel()

    async def settled(self) -> None:
        """Wait until every board is up to date."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values())

    async def _keep(self, table_id: int) -> None:
        failures = 0
        try:
            while (table := self._dirty.get(table_id)) is not None:
                await table.at_rest(PATIENCE)
                table = self._dirty.pop(table_id)
                if await self._once(table):
                    failures = 0
                    self._forget_ended(table)
                    await asyncio.sleep(SPACING if table_id in self._dirty else 0)
                elif failures < len(RETRIES):
                    self._dirty.setdefault(table_id, table)
                    await asyncio.sleep(RETRIES[failures])
                    failures += 1
        finally:
            self._tasks.pop(table_id, None)

    def _forget_ended(self, table: Table) -> None:
        if table.row.phase in ("over", "closed"):
            self._hand.pop(table.id, None)
            self._showing.pop(table.id, None)

    async def _once(self, table: Table) -> bool:
        """Show the table as it is; tell whether nothing is left to do for it. Never raises."""
        try:
            return await self._tried(table)
        except Exception:
            log.exception("The board of table %s could not be shown", table.id)
            return False

    async def _tried(self, table: Table) -> bool:
        try:
            await self._publish(table)
            await self._shown(table)
        except StoreError as error:
            log.error("The board of table %s could not be shown: %s", table.id, error)  # noqa: TRY400  # says it all
            return False
        except UNREACHED as error:
            log.warning("The board of table %s could not be shown: %s", table.id, error)
            return isinstance(error, discord.HTTPException) and await self._recovered(table, error)
        return True

    async def _recovered(self, table: Table, error: discord.HTTPException) -> bool:
        """Do what there is to do about an error of Discord; tell whether nothing is left to do."""
        row = table.row
        shut = isinstance(error, discord.Forbidden)
        if error.code == UNKNOWN_CHANNEL:
            await self._places.gone(table)
        elif error.code == ARCHIVED and await self._unarchived(row.home):
            return False
        elif row.home != row.channel and (shut or error.code == ARCHIVED):
            await table.placed(row.channel, None)
            self._dirty.setdefault(table.id, table)
        else:
            return shut
        return True

    async def _unarchived(self, thread: int) -> bool:
        """Open an archived thread again; tell whether that may be hoped for: a locked one is not ours to open."""
        try:
            channel = await self._places.client.fetch_channel(thread)
            if isinstance(channel, discord.Thread):
                await channel.edit(archived=False)
        except UNREACHED as error:
            log.warning("Thread %s could not be opened again: %s", thread, error)
            return not isinstance(error, discord.Forbidden)
        return True

    async def _publish(self, table: Table) -> None:
        scene = table.scene(None)
        view = PublicScreen.of(scene, board, self._places.public(scene))
        channel = self._channel(scene.home)
        shown = hash(repr(view.drawn.to_components()))  # type: ignore[no-untyped-call]
        if scene.message is not None and not self._wants_fresh(scene):
            if self._showing.get(scene.table) == (scene.message, shown):
                return
            if await self._edited(channel.get_partial_message(scene.message), view):
                self._showing[scene.table] = scene.message, shown
                return
        self._showing[scene.table] = await self._post(table, channel, view), shown

    async def _edited(self, message: discord.PartialMessage, view: PublicScreen) -> bool:
        """Change a board; tell whether it is there and can still be changed."""
        try:
            await message.edit(view=view.drawn)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, TOO_OLD):
                raise
            return False
        return True

    async def _post(self, table: Table, channel: discord.PartialMessageable, view: PublicScreen) -> int:
        """Post a new board, put the old one away, and return the number of the new one."""
        old = table.row.message or None
        sent = await channel.send(view=view.drawn, allowed_mentions=discord.AllowedMentions.none())
        try:
            await table.placed(channel.id, sent.id)
        except Exception:  # nobody would ever know of this one again, and each further try would post another
            await self._put_away(table, channel, sent.id)
            raise
        if old is not None:
            await self._put_away(table, channel, old)
        return sent.id

    async def _put_away(self, table: Table, channel: discord.PartialMessageable, message: int) -> None:
        try:
            await channel.get_partial_message(message).delete()
        except UNREACHED as error:
            log.info("A board of table %s that is of no use stays: %s", table.id, error)

    def _wants_fresh(self, scene: Scene) -> bool:
        """Tell whether a new hand is a good moment for a new message, the old one being old."""
        before = self._hand.get(scene.table, scene.hand)
        self._hand[scene.table] = scene.hand
        posted = discord.utils.snowflake_time(scene.message or 0)
        return scene.hand != before and self._places.now() - posted > OLD

    def _channel(self, channel: int) -> discord.PartialMessageable:
        return self._places.client.get_partial_messageable(channel)
