"""The public board of each table: a single message, edited in place.

Level-triggered: a board is rendered when its turn in the queue comes, so at most one edit is in flight and the latest
state wins. An error of Discord costs an edit, never a table: the next change repairs the board. Each write is one
request.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

import discord

from bot.delivery.boards.board_pictures import NotDrawn, Pictures
from bot.delivery.boards.channel_activity import ChannelActivity
from bot.delivery.boards.picks import parts
from bot.delivery.boards.reactions import Reactions
from bot.delivery.boards.recent_tables import RecentTables
from bot.delivery.context import DeliveryContext
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import UNKNOWN_MESSAGE, Outbound, Outbox
from bot.delivery.outbox.write_queue import AT_ONCE, USUAL, Write, WriteQueue
from bot.domain.effects import board_key
from bot.domain.ids import ChannelId, MessageId, TableId
from bot.runtime.discord_requests import UNREACHED, is_invalid_emoji, is_refusal
from bot.scene import PublicScene, Scene
from bot.show.kit.custom_ids import InvalidCustomId, Press, parse_custom_id
from bot.show.kit.fallback import public_in_text
from bot.show.kit.layout import PublicScreen, digest, has_same_texts
from bot.show.kit.words import Words
from bot.show.pictures.canvas import Picture
from bot.show.table.board import board
from bot.store.errors import StoreError
from bot.table.core.commands import EndSuspension, NoteBoard, Suspend
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL, ARCHIVED, LOCKED, TOO_OLD = 10003, 50083, 160005, 30046
OLD_AFTER = timedelta(minutes=50)  # Discord limits the rate of edits to messages older than an hour
PRIORITY_PERIOD = timedelta(minutes=1)  # a board has priority for this long after a click
REFUSAL_PAUSE = timedelta(minutes=1)  # until a suspended table's board is tried again after a refusal
MAX_REQUEST_TIME = timedelta(seconds=3)  # the longest time between a request and its message
RETRIES = (2.0, 10.0, 60.0)


class RenderedBoard(NamedTuple):
    """A rendered board. shown: a hash, equal for boards that look the same."""

    view: PublicScreen
    picture: Picture | None
    shown: int

    @classmethod
    def of(cls, scene: PublicScene, w: Words, picture: Picture | None) -> RenderedBoard:
        """Return the board of a scene, with a picture or in text alone."""
        view = PublicScreen.of(scene, partial(board, picture=picture), w)
        return cls(view, picture, hash((digest(view.drawn), picture)))

    def in_text(self) -> RenderedBoard:
        """Return the same board with its cards as text."""
        view = public_in_text(self.view)
        return RenderedBoard(view, self.picture, hash((digest(view.drawn), self.picture)))


class Boards:
    """The boards of all tables; an idle table costs nothing."""

    def __init__(self, context: DeliveryContext, queue: WriteQueue, outbox: Outbox) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self.reactions = Reactions()
        self._pictures = Pictures(context.wants_picture, context.now)
        self._activity = ChannelActivity(
            context.client, context.now, context.may_read, lambda home: queue.waits_at(channel(home))
        )
        self._hand = RecentTables[int]()
        self._showing = RecentTables[tuple[MessageId, int]]()
        self._ended = RecentTables[bool]()  # tables shown at their end: these boards never move again
        self._clicked_at = RecentTables[datetime]()
        self._beyond_change: set[TableId] = set()  # tables whose next board is a new message
        self._pinged: set[TableId] = set()  # tables with a ping since their latest board
        self._refused = RecentTables[tuple[datetime, bool]]()  # the time of a refusal, and whether the bot could write
        self._failed: dict[TableId, int] = {}
        self._after_redraw = defaultdict[TableId, list[Callable[[], None]]](list)
        self._retries: dict[TableId, asyncio.TimerHandle] = {}

    def changed(self, table: ShownTable) -> None:
        """Queue a redraw of the board; missing boards and boards with recent clicks come first.

        When its turn in the queue comes, `_publish` draws the board (`board` in `bot/show/table/board.py`) and edits or
        posts the message.
        """
        self._queue_redraw(table, AT_ONCE if self._has_priority(table.id) else USUAL)

    def _queue_redraw(self, table: ShownTable, patience: float) -> None:
        row = table.row
        missing = row.message is None or row.id in self._beyond_change
        old = bool(row.message) and self._age(row.message) > OLD_AFTER
        write = Write(
            _key(row.id), channel(row.home), partial(self._redraw, table), patience=patience, urgent=missing, old=old
        )
        self._queue.put(write)

    def redraw_after_ping(self, table: ShownTable) -> None:
        """Redraw the board after a ping; the board may move below recent messages."""
        self._pinged.add(table.id)
        self.changed(table)

    def repost(self, table: ShownTable) -> None:
        """Post a new board soon and delete the old message."""
        self._beyond_change.add(table.id)
        self.changed(table)

    def when_shown(self, table: ShownTable, callback: Callable[[], None]) -> None:
        """Redraw the board; call `callback` after the redraw succeeded or was given up."""
        self._after_redraw[table.id].append(callback)
        self.changed(table)

    def prioritize(self, table: TableId) -> None:
        """Give a board priority for the next minute: a player has clicked at the table."""
        self._clicked_at[table] = self._context.now()
        self._queue.prioritize(_key(table))

    def stop(self) -> None:
        """Cancel all retries; the next run updates every board."""
        for retry in self._retries.values():
            retry.cancel()

    def _has_priority(self, table: TableId) -> bool:
        at = self._clicked_at.get(table)
        return at is not None and self._context.now() - at < PRIORITY_PERIOD

    async def _redraw(self, table: ShownTable) -> None:
        """Redraw the board, or schedule a retry. Never raises."""
        if table.moved_on:
            return
        try:
            done = await self._try_redraw(table)
        except Exception:
            if not table.moved_on:
                log.exception("The board of table %s could not be shown", table.id)
            done = False
        if done:
            self._failed.pop(table.id, None)
            self._forget_ended(table)
            if table.id not in self._retries:
                for callback in self._after_redraw.pop(table.id, ()):
                    callback()
        else:
            self._schedule_retry(table)

    def _schedule_retry(self, table: ShownTable) -> None:
        failures = self._failed[table.id] = self._failed.get(table.id, 0) + 1
        if failures > len(RETRIES):
            del self._failed[table.id]  # no retry before the next change
            return
        self._try_again(table, RETRIES[failures - 1] * self._context.random.uniform(1.0, 1.5))

    def _try_again(self, table: ShownTable, seconds: float) -> None:
        if before := self._retries.pop(table.id, None):
            before.cancel()
        self._retries[table.id] = asyncio.get_running_loop().call_later(seconds, self._retry_now, table)

    def _retry_now(self, table: ShownTable) -> None:
        self._retries.pop(table.id, None)
        self._queue_redraw(table, AT_ONCE)  # the redraw has waited its turn already

    def _forget_ended(self, table: ShownTable) -> None:
        if not table.row.open:
            self._ended[table.id] = True
            self._hand.pop(table.id, None)
            self._showing.pop(table.id, None)

    async def _try_redraw(self, table: ShownTable) -> bool:
        try:
            await self._publish(table)
        except StoreError as error:
            log.error("The board of table %s could not be shown: %s", table.id, error)  # the message explains all
            return False
        except discord.RateLimited as error:
            self._try_again(table, error.retry_after)
        except UNREACHED as error:
            log.warning("The board of table %s could not be shown: %s", table.id, error)
            return isinstance(error, discord.HTTPException) and self._start_remedy(table, error)
        return True

    def _start_remedy(self, table: ShownTable, error: discord.HTTPException) -> bool:
        """Start the remedy for an error of Discord; tell whether no retry is needed."""
        shut = isinstance(error, discord.Forbidden)
        if error.code == UNKNOWN_CHANNEL:
            self._queue_place_change(table, self._context.on_channel_lost)
        elif error.code == ARCHIVED:
            self._queue_place_change(table, self._unarchive)
            return False
        elif shut or error.code == LOCKED:
            self._refused[table.id] = self._context.now(), self._context.may_write(table.row.home)
            self._queue_place_change(table, _suspend_table)
        else:
            return False
        return True

    def _queue_place_change(self, table: ShownTable, work: Callable[[ShownTable], Awaitable[None]]) -> None:
        """Queue a change of the table's channel as a separate write."""
        key = ("place", table.id)
        self._queue.put(Write(key, channel(table.row.home), partial(work, table), patience=AT_ONCE, urgent=True))

    async def _unarchive(self, table: ShownTable) -> None:
        """Reopen an archived thread; the bot may not reopen a locked thread."""
        try:
            await self._context.client.http.edit_channel(table.row.home, archived=False)
        except discord.Forbidden:
            await table.do(Suspend())
        except discord.RateLimited:
            raise  # the queue retries
        except UNREACHED as error:
            log.warning("Thread %s could not be opened again: %s", table.row.home, error)
        else:
            self.changed(table)

    async def _publish(self, table: ShownTable) -> None:
        """Draw the board of the present scene, and edit its message or post a new one."""
        if not table.row.running and self._is_refused(table):
            return
        scene = table.scene(None)
        if reactions := self.reactions.on_board(scene):
            scene = replace(scene, reactions=reactions)
        w = self._context.words_for_table(scene)
        drawn = RenderedBoard.of(scene, w, self._pictures.of(scene, w))
        writable = self._context.may_write(table.row.home)  # without write permission the bot can still edit its board
        if writable and (self._needs_new_message(scene) or await self._should_repost(scene, drawn)):
            self._beyond_change.add(table.id)  # until the post succeeds, even if Discord's response gets lost
        repost = table.id in self._beyond_change
        try:
            await self._send(table, scene, drawn, repost=repost)
        except (discord.HTTPException, NotDrawn) as error:
            pause = self._pictures.failed(table.id, error) if drawn.picture else None
            if pause is None:
                raise
            log.warning("The picture of table %s could not be shown: %s", table.id, error)
            self._try_again(table, pause.total_seconds())
            await self._send(table, scene, RenderedBoard.of(scene, w, None), repost=repost)
        else:
            if drawn.picture:
                self._pictures.shown(table.id)
        if repost:
            self._activity.posted(scene)
        await self._apply_permissions(table)

    async def _apply_permissions(self, table: ShownTable) -> None:
        """Suspend a running table whose channel the bot cannot write in, and resume it later."""
        writable = self._context.may_write(table.row.home)
        if writable and table.row.suspended_since:
            await table.do(EndSuspension())
        elif not writable and table.row.running:
            self._queue_place_change(table, self._suspend)

    async def _should_repost(self, scene: Scene, drawn: RenderedBoard) -> bool:
        """Tell whether to post the board again below recent messages.

        Never for an unchanged board without a ping: the move would reveal a secret answer. Nor for a board at whose end
        something is added later.
        """
        pinged = scene.where.table in self._pinged
        self._pinged.discard(scene.where.table)
        if scene.where.table in self._ended:
            return False
        return (pinged or not self._is_posted(scene, drawn)) and await self._activity.may_repost(scene)

    def _is_posted(self, scene: Scene, drawn: RenderedBoard) -> bool:
        return self._showing.get(scene.where.table) == (scene.where.message, drawn.shown)

    async def _send(self, table: ShownTable, scene: Scene, drawn: RenderedBoard, *, repost: bool) -> None:
        """Send a board, or after a refusal the same board with cards as text.

        With a picture, only a refused emoji leads to the text: any other refusal is blamed on the picture.
        """

        async def put(board: RenderedBoard) -> None:
            await self._post_or_edit(table, scene, board, repost=repost)

        helps = is_invalid_emoji if drawn.picture else is_refusal
        await self._context.sender.deliver(_key(table.id), drawn, put, drawn.in_text, helps=helps)

    async def _post_or_edit(self, table: ShownTable, scene: Scene, drawn: RenderedBoard, *, repost: bool) -> None:
        if scene.where.message is None or repost:
            await self._post(table, drawn, silent=repost)
        elif not self._is_posted(scene, drawn):
            await self._edit(table, scene.where.message, drawn)

    def _is_refused(self, table: ShownTable) -> bool:
        """Tell whether Discord refused this board within the last minute.

        A refusal under other permissions is ignored. Discord counts refused requests against the bot.
        """
        at, writable = self._refused.get(table.id, (None, False))
        return (
            at is not None
            and self._context.now() - at < REFUSAL_PAUSE
            and writable == self._context.may_write(table.row.home)
        )

    async def _suspend(self, table: ShownTable) -> None:
        """Suspend a table in a channel without write permission, and show the suspension.

        The board can still be edited.
        """
        await table.do(Suspend())
        self.changed(table)

    async def _edit(self, table: ShownTable, message: MessageId, drawn: RenderedBoard) -> None:
        before = self._channel(table.row.home).get_partial_message(message)
        try:
            await before.edit(view=drawn.view.drawn, attachments=await self._pictures.files(drawn.picture))
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, TOO_OLD):
                raise
            self._beyond_change.add(table.id)
            self.changed(table)
        else:
            self._showing[table.id] = message, drawn.shown

    async def _post(self, table: ShownTable, drawn: RenderedBoard, *, silent: bool) -> None:
        """Post a new board and delete the old message. silent: without a notification sound."""
        home, began = table.row.home, self._context.now()

        async def send(nonce: str) -> discord.Message:
            return await self._channel(home).send(
                view=drawn.view.drawn,
                files=await self._pictures.files(drawn.picture),
                nonce=nonce,
                allowed_mentions=discord.AllowedMentions.none(),
                silent=silent,
            )

        message = Outbound(
            key=board_key(table.id),
            guild=table.row.guild,
            channel=home,
            send=send,
            matches=partial(is_screen_of, table=table.id),
        )
        sent = await self._outbox.send(message)
        posted = MessageId(sent.id)
        self._beyond_change.add(table.id)  # if storing the id fails, the retry gets this message again
        await table.do(NoteBoard(home, posted, message.key))
        self._beyond_change.discard(table.id)
        if began - sent.created_at > MAX_REQUEST_TIME or not has_same_texts(drawn.view.drawn, sent):
            self.changed(table)  # posted before a stop: Discord returned the earlier message unchanged
        else:
            self._showing[table.id] = posted, drawn.shown

    def _needs_new_message(self, scene: Scene) -> bool:
        """Tell whether a new hand has begun while the board's message is old.

        The start of a hand is a good moment for a new message.
        """
        before = self._hand.get(scene.where.table, scene.tally.deal)
        self._hand[scene.where.table] = scene.tally.deal
        return scene.tally.deal != before and self._age(scene.where.message) > OLD_AFTER

    def _age(self, message: MessageId | None) -> timedelta:
        return self._context.now() - discord.utils.snowflake_time(message or 0)

    def _channel(self, channel: ChannelId) -> discord.PartialMessageable:
        return self._context.client.get_partial_messageable(channel)


async def _suspend_table(table: ShownTable) -> None:
    await table.do(Suspend())


def _key(table: TableId) -> tuple[str, TableId]:
    return "board", table


def is_screen_of(message: discord.Message, table: TableId) -> bool:
    """Tell whether a message of the bot is a board or a hand of a table.

    A ping with a button is neither, since it has text as well.
    """
    buttons = [part for part in parts(message) if isinstance(part, discord.Button)]
    return not message.content and any(_table_of(button.custom_id or "") == table for button in buttons)


def _table_of(custom_id: str) -> TableId | None:
    try:
        address = parse_custom_id(custom_id)
    except InvalidCustomId:
        return None
    return address.table if isinstance(address, Press) else None
