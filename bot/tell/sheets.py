"""The sheet on which all in a channel read how those compare who have played the same deals at several tables.

Posted once, when a second table has played them, and brought up to date with each further one: drawn anew from results
whenever such a table is over, so a stop between two of these loses nothing. Refuses to know what is compared, and shows
nothing of any hand.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Protocol

import discord

from bot.ground.duplicate import Duplicate, Played
from bot.ground.ids import MessageId, TableId
from bot.ground.unreached import UNREACHED
from bot.show.duplicate import for_all
from bot.show.layout import PublicScreen
from bot.show.words import Words
from bot.table.around import Told
from bot.table.duplicates import compared, rules_of
from bot.tell.boards import Places
from bot.tell.lately import Lately
from bot.tell.letters import hashed
from bot.tell.limits import channel
from bot.tell.queue import Queue

log = logging.getLogger(__name__)

ENOUGH = 2  # tables
NO_MENTIONS = discord.AllowedMentions.none()


class SheetStore(Protocol):
    """What this needs of a store. Every call may raise StoreError."""

    async def duplicate(self, number: int) -> Duplicate | None:
        """Return a duplicate."""
        ...

    async def duplicate_played(self, number: int) -> tuple[Played, ...]:
        """Return what came of the tables at which it was played to an end."""
        ...

    async def keep_sheet(self, number: int, message: MessageId) -> None:
        """Remember in which message all read how people compare."""
        ...


class Sheets:
    """Keeps the sheets of duplicates that people play together."""

    def __init__(self, places: Places, queue: Queue, store: SheetStore) -> None:
        self._places = places
        self._queue = queue
        self._store = store
        self._one_at_a_time = asyncio.Lock()  # else two tables that end at once would post two
        self._shown = Lately[frozenset[TableId]]()

    async def show(self, table: Told) -> None:
        """Show the sheet to which a table belongs that is over, if there is enough to compare. Raises StoreError."""
        number = table.row.duplicate_id
        if number is None or table.row.alone:
            return
        async with self._one_at_a_time:
            known, played = await self._store.duplicate(number), await self._store.duplicate_played(number)
            there = frozenset(one.table for one in played)
            if known is None or len(played) < ENOUGH or self._shown.get(table.id) == there:
                return
            lines = compared(rules_of(known).rules, played, None)
            shown = for_all(known, len(played), lines, self._words(table))
            try:
                await self._put_up(known, shown)
            except UNREACHED as error:
                log.warning("The sheet of duplicate %s could not be shown: %s", number, error)
            else:
                self._shown[table.id] = there

    def _words(self, table: Told) -> Words:
        return self._places.public(table.scene(None))

    async def _put_up(self, known: Duplicate, shown: PublicScreen) -> None:
        where = self._places.client.get_partial_messageable(known.channel)
        if known.sheet is not None:
            edit = partial(where.get_partial_message(known.sheet).edit, view=shown.drawn)
            await self._queue.do(channel(known.channel), edit)
            return
        nonce = hashed(f"sheet {known.number}")
        send = partial(where.send, view=shown.drawn, nonce=nonce, allowed_mentions=NO_MENTIONS)
        sent = await self._queue.do(channel(known.channel), send)
        await self._store.keep_sheet(known.number, MessageId(sent.id))
