"""Announcements in channels: season results, scoresheets of duplicates, shared moments."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

import discord

from bot.club.duplicates import comparison, duplicate_rules
from bot.delivery.boards.recent_tables import RecentTables
from bot.delivery.context import DeliveryContext
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import UNKNOWN_MESSAGE, Outbox, screen_message
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.contests import Duplicate
from bot.domain.effects import scoresheet_key, season_key
from bot.domain.ids import ChannelId, GuildId, MessageId
from bot.domain.seasons import SeasonResult
from bot.runtime.discord_requests import UNREACHED
from bot.show.contests.season import heading, podiums, season
from bot.show.kit.layout import PublicScreen, begins_with, has_same_texts
from bot.show.kit.words import Words
from bot.show.pictures.canvas import Picture
from bot.show.table.duplicates import for_all
from bot.store.store import Store
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)


class SeasonAnnouncer:
    """Posts podiums.

    words: returns the words in a server's language. may_attach: tells whether a channel of a server permits pictures.
    """

    def __init__(
        self,
        *,
        context: DeliveryContext,
        queue: WriteQueue,
        outbox: Outbox,
        words: Callable[[GuildId], Words],
        may_attach: Callable[[GuildId, ChannelId], bool],
    ) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self._words = words
        self._may_attach = may_attach

    async def send(self, guild: GuildId, home: ChannelId, podium: SeasonResult) -> bool:
        """Post a podium, without a sound if late; return whether the message exists.

        Raises StoreError. The caller that records the post also ends its outbox entry.
        """
        w, server = self._words(guild), self._context.server_name(guild)
        pictures = podiums(podium, server, w) if self._may_attach(guild, home) else []
        drawn = [(one.name, await asyncio.to_thread(one.png)) for one in pictures]
        where = self._context.client.get_partial_messageable(home)
        shown, silent = season(podium, pictures, w), podium.late is not None
        made = screen_message("season", guild, where, shown, self._context.sender, *drawn, silent=silent)
        head = heading(podium.season, w)  # the other text may differ at a later try
        message = replace(made, key=season_key(guild, podium.season.number), matches=partial(begins_with, text=head))
        try:
            await self._queue.do(channel(home), partial(self._outbox.send, message))
        except UNREACHED as error:
            log.warning("Channel %s could not be told how a season ended: %s", home, error)
            return False
        return True


MIN_FINISHED_TABLES = 2  # tables


class ScoresheetPoster:
    """The scoresheets of duplicates played together."""

    def __init__(self, context: DeliveryContext, queue: WriteQueue, outbox: Outbox, store: Store) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self._store = store
        self._showing: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()  # locks exist only while held
        self._shown = RecentTables[int]()  # the hash of the scoresheet drawn after a table's end

    async def show(self, table: ShownTable) -> None:
        """Post or edit the scoresheet of a finished table's duplicate, if two tables are finished.

        Raises StoreError, and the errors in UNREACHED.
        """
        number = table.row.duplicate_id
        if number is None or table.row.solo:
            return
        async with self._showing.setdefault(
            number, asyncio.Lock()
        ):  # so that two tables ending at once post one scoresheet
            known, played = await self._store.duplicates.load(number), await self._store.duplicates.played(number)
            if known is None or len(played) < MIN_FINISHED_TABLES:
                return
            lines = comparison(duplicate_rules(known).rules, played, None)
            shown = for_all(known, len(played), lines, self._words(table))
            digest = hash(repr(shown.drawn.to_components()))  # type: ignore[no-untyped-call]
            if self._shown.get(table.id) == digest:
                return
            await self._put_up(known, shown)
            self._shown[table.id] = digest

    def _words(self, table: ShownTable) -> Words:
        return self._context.words_for_table(table.scene(None))

    async def _put_up(self, known: Duplicate, shown: PublicScreen) -> None:
        where = self._context.client.get_partial_messageable(known.channel)
        if known.sheet is not None and await self._changed(known, where.get_partial_message(known.sheet), shown):
            return
        scoresheet = replace(
            screen_message("sheet", known.guild, where, shown, self._context.sender), key=scoresheet_key(known.number)
        )
        sent = await self._queue.do(channel(known.channel), partial(self._outbox.send, scoresheet))
        await self._store.duplicates.keep_sheet(known.number, MessageId(sent.id))
        if not has_same_texts(shown.drawn, sent):  # posted before a stop
            await self._changed(known, where.get_partial_message(sent.id), shown)

    async def _changed(self, known: Duplicate, scoresheet: discord.PartialMessage, shown: PublicScreen) -> bool:
        """Edit the message; tell whether the message still exists."""
        try:
            await self._queue.do(channel(known.channel), partial(scoresheet.edit, view=shown.drawn))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return False
        return True


class MomentPoster:
    """Posts shared screens."""

    def __init__(self, context: DeliveryContext, queue: WriteQueue, outbox: Outbox) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox

    async def show(self, guild: GuildId, home: ChannelId, shown: PublicScreen, picture: Picture | None) -> None:
        """Post a screen with its picture. May raise the errors in UNREACHED, and StoreError."""
        files = [(picture.name, await asyncio.to_thread(picture.png))] if picture else []
        where = self._context.client.get_partial_messageable(home)
        message = screen_message("shared", guild, where, shown, self._context.sender, *files)
        await self._queue.do(channel(home), partial(self._outbox.send_once, message), urgent=True, in_person=True)
