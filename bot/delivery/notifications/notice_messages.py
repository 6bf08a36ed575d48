"""Notices and hands as private messages: how they are sent, edited and deleted."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.delivery.boards.boards import ARCHIVED, LOCKED, UNKNOWN_CHANNEL, is_screen_of
from bot.delivery.context import DeliveryContext
from bot.delivery.notifications.direct_messages import DirectMessages, SentDirectMessage
from bot.delivery.notifications.private_threads import PrivateThreads
from bot.delivery.outbox.discord_limits import channel
from bot.delivery.outbox.outbox import Outbound, Outbox, ResponseLost, has_text, key_of
from bot.delivery.outbox.write_queue import WriteQueue
from bot.domain.ids import ChannelId, GuildId, MessageId, UserId
from bot.domain.preferences import Preferences
from bot.interactions.private_replies import PrivateMessage, change_directly, in_text
from bot.members.preferences import PreferenceCache
from bot.runtime.discord_requests import UNREACHED
from bot.scene import Scene
from bot.show.hand.desk import desk
from bot.show.hand.hand import hand
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.open_menus import NO_MENUS, Menus, menus_of_message
from bot.show.table.notices import ping_row, waiting
from bot.store.rows import NoticeKind, TurnNotice
from bot.table.core.commands import Suspend
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

SHUT_UP = (ARCHIVED, LOCKED)  # a message reopens an archived thread, but not a locked one
NO_ACCESS = 50001
LOST = (*SHUT_UP, UNKNOWN_CHANNEL, NO_ACCESS)  # errors that mean: the private thread is no longer usable
CLOSED_CODES = (50007, 50278)  # the user's direct messages are closed to the bot, or they share no server
Allowed: TypeAlias = Callable[[Scene, UserId], Awaitable[bool]]


class DirectMessagesClosed(Exception):
    """The user's direct messages are closed."""


@dataclass(frozen=True, slots=True)
class NoticeContent:
    """A notice to a user: these tables wait.

    closed: also say that direct messages to the user fail.
    """

    user: UserId
    kind: NoticeKind
    tables: Sequence[ShownTable]
    preferences: Preferences
    _: KW_ONLY
    closed: bool = False


class NoticeSender:
    """Sends, edits and deletes notices.

    allowed: tells whether a user may see a table's channel now. on_desk: records a message as a desk. is_open: returns
    the message of an open hand, None for other messages.
    """

    def __init__(
        self,
        *,
        context: DeliveryContext,
        queue: WriteQueue,
        outbox: Outbox,
        direct_messages: DirectMessages,
        private_threads: PrivateThreads,
        allowed: Allowed,
        on_desk: Callable[[int], None],
        is_open: Callable[[int], PrivateMessage | None],
    ) -> None:
        self._on_desk = on_desk
        self._open = is_open
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self._direct_messages = direct_messages
        self._private_threads = private_threads
        self._allowed = allowed

    async def publish(self, content: NoticeContent, home: ChannelId, key: str) -> TurnNotice | None:
        """Ping a user in a channel; None if sending failed. Raises ResponseLost."""
        try:
            return await self._called(content, home, key)
        except ResponseLost:
            raise
        except UNREACHED as error:
            log.warning("Nobody could be told that table %s waits: %s", content.tables[0].id, error)
            if isinstance(error, discord.HTTPException) and error.code in SHUT_UP:
                for table in content.tables:
                    await table.do(Suspend())
            return None

    async def publish_in_thread(self, content: NoticeContent, home: ChannelId, key: str) -> TurnNotice | None:
        """Ping a user in a private thread below a channel, with public content.

        Returns None if sending failed. The first notice in a thread explains why the thread exists. Raises
        ResponseLost.
        """
        first = await self._private_threads.of(content.user, home) is None
        content = replace(content, closed=content.closed or first)
        for _ in range(2):  # a locked or deleted thread is replaced once
            thread = await self._private_threads.of(content.user, home) or await self._private_threads.opened(
                content.tables[0], content.user
            )
            if thread is None:
                return None
            try:
                return await self._called(content, thread, key)
            except ResponseLost:
                raise
            except UNREACHED as error:
                log.info("Somebody could not be told in the private thread %s that a table waits: %s", thread, error)
                if not (isinstance(error, discord.HTTPException) and error.code in LOST):
                    return None
                await self._private_threads.forget(content.user, home)
        return None

    async def _called(self, content: NoticeContent, there: ChannelId, key: str) -> TurnNotice:
        """Ping a user in a channel or thread. Raises Discord's errors."""
        where, guild = self._context.client.get_partial_messageable(there), content.tables[0].row.guild
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(content.user)])

        async def send(nonce: str) -> discord.Message:
            return await where.send(**self._published(content), allowed_mentions=mentions, nonce=nonce)

        outbound = Outbound(
            key=key, guild=guild, channel=there, send=send, matches=has_text(self._published(content)["content"])
        )
        sent = await self._queue.do(channel(there), partial(self._outbox.send, outbound))
        return self._sent(content, guild, there, MessageId(sent.id))

    async def write(self, content: NoticeContent, key: str) -> TurnNotice | None:
        """Send a direct message; None if sending failed for now.

        Raises DirectMessagesClosed, ResponseLost.
        """
        first = content.tables[0]
        matches = None if content.kind == "digest" else partial(is_screen_of, table=first.id)
        try:
            sent = await self._direct_messages.send(
                content.user, partial(self._drawn, content), of=first.row.guild, key=key, matches=matches
            )
        except ResponseLost:
            raise
        except UNREACHED as error:
            log.info("Somebody could not be told directly that a table waits: %s", error)
            if isinstance(error, discord.HTTPException) and error.code in CLOSED_CODES:
                raise DirectMessagesClosed from None
            return None
        if sent is None:
            return None
        self._on_desk(sent.message)
        return self._sent(content, None, sent.channel, sent.message)

    async def may_write(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether a user may get the hand of a table by direct message."""
        scene = table.scene(user)
        return scene.terms.server.mirror and await self._allowed(scene, user)

    async def change(self, content: NoticeContent, notice: TurnNotice) -> None:
        """Edit a notice to list these tables."""
        direct = notice.guild is None
        kind = discord.ChannelType.private if direct else None
        where = self._context.client.get_partial_messageable(notice.channel, type=kind)
        message = where.get_partial_message(notice.message)

        async def change(screen: PrivateScreen) -> None:
            await change_directly(message, screen)
            if opened := self._open(notice.message):
                opened.replaced(screen)

        async def edit() -> None:
            if direct:
                screen = self._drawn(content, menus_of_message(await message.fetch()))  # menus there work for hours
                await self._context.sender.deliver(content.user, screen, change, partial(in_text, screen))
            else:
                await message.edit(**self._published(content), allowed_mentions=discord.AllowedMentions.none())

        await self._try(notice, edit)

    async def give_up(self, message: Outbound) -> None:
        """Delete a needless notice without a response from Discord, if the message exists."""
        await self._outbox.give_up(message)

    async def _try(self, notice: TurnNotice, work: Callable[[], Awaitable[object]]) -> None:
        try:
            await self._queue.do(channel(notice.channel), work)
        except UNREACHED as error:
            log.info("Notice %s is left as it is: %s", notice.message, error)

    def _sent(self, content: NoticeContent, guild: GuildId | None, where: ChannelId, message: MessageId) -> TurnNotice:
        return TurnNotice(content.user, guild, where, message, content.kind, self._now())

    def _now(self) -> datetime:
        return self._context.now()

    def _published(self, content: NoticeContent) -> dict[str, Any]:
        """Return the public content of a notice."""
        scenes = [table.scene(None) for table in content.tables]
        w = self._context.words_for_table(scenes[0])
        late = content.kind == "reminder"
        text = waiting(scenes, content.user, w, late=late, closed=content.closed)
        return {"content": text, "view": ping_row(scenes[0], w, [content.user]).drawn}

    def _drawn(self, content: NoticeContent, menus: Menus = NO_MENUS) -> PrivateScreen:
        """Return the private content of a notice.

        The content is the most urgent hand with a button to the next, or a list. menus: the menus in the current
        message, which the user may have opened.
        """
        scenes = [table.scene(content.user) for table in content.tables]
        w = self._context.words_in(content.preferences.locale).with_preferences(content.preferences)
        names = {scene.where.guild: self._context.server_name(scene.where.guild) for scene in scenes}
        if content.kind == "digest":
            return desk(scenes, names, w, menus=menus)
        where = names[scenes[0].where.guild]
        return hand(scenes[0], w, where=where, preferences=content.preferences, desk=len(scenes) > 1, menus=menus)


class HandSender:
    """Sends hands by direct message.

    allowed: tells whether a user may see the table's channel now.
    """

    def __init__(
        self,
        context: DeliveryContext,
        direct_messages: DirectMessages,
        preferences: PreferenceCache,
        allowed: Callable[[Scene, UserId], Awaitable[bool]],
    ) -> None:
        self._context = context
        self._direct_messages = direct_messages
        self._preferences = preferences
        self._allowed = allowed

    async def is_wanted(self, table: ShownTable, user: UserId) -> bool:
        """Tell whether the player and the server want hands by direct message."""
        return (await self._preferences.of(user)).mirror and table.scene(user).terms.server.mirror

    async def send(self, table: ShownTable, user: UserId, asked: str) -> SentDirectMessage | None:
        """Send a player the hand, if the player and the server want hands by direct message.

        Returns None if the hand was not sent. asked: a key of the current question. Raises ResponseLost.
        """
        if not await self.is_wanted(table, user):
            return None
        preferences, scene = await self._preferences.of(user), table.scene(user)
        if not await self._allowed(scene, user):
            return None
        try:
            return await self._direct_messages.send(
                user,
                partial(self._drawn, table, user, preferences),
                of=scene.where.guild,
                key=key_of("hand", scene.where.table, user, asked),
                matches=partial(is_screen_of, table=scene.where.table),
                urgent=True,
            )
        except ResponseLost:
            raise
        except UNREACHED as error:
            log.info("A hand of table %s could not be sent directly: %s", scene.where.table, error)
            if isinstance(error, discord.HTTPException) and error.code in CLOSED_CODES:
                await self._preferences.change(user, mirror=False)
            return None

    def _drawn(self, table: ShownTable, user: UserId, preferences: Preferences) -> PrivateScreen:
        scene = table.scene(user)
        w = self._context.words_in(preferences.locale).with_preferences(preferences)
        return hand(scene, w, where=self._context.server_name(scene.where.guild), preferences=preferences)
