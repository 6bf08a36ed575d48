"""Threads for matches, public below a lobby's message or private, with all players.

Players are named in the thread's first message by an edit: an edit adds them without a ping, and without a system
message for each. When a match gets a thread is decided elsewhere.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

import discord

from bot.delivery.context import DeliveryContext
from bot.delivery.outbox.discord_limits import channel, threads
from bot.delivery.outbox.effect_runner import EffectRunner
from bot.delivery.outbox.outbox import Outbox, has_text, text_message
from bot.delivery.outbox.write_queue import AT_ONCE, WriteQueue
from bot.domain.effects import PendingEffect, Signpost, ThreadRemoval
from bot.domain.ids import ChannelId, MessageId, UserId
from bot.domain.message_ids import N_
from bot.runtime.discord_requests import UNREACHED
from bot.show.kit.layout import PublicScreen
from bot.show.kit.phrases import table as table_name
from bot.show.kit.words import MessageText
from bot.show.table.notices import signpost
from bot.table.core.chairs import people
from bot.table.environment import ShownTable

log = logging.getLogger(__name__)

ARCHIVE_AFTER: Final = 10080  # minutes: the longest Discord offers
THREAD_IS_THERE = 160004
HERE = N_("{table} is played here.")
SHUT_OUT = N_(
    "{table} is waiting for {person}, who can't see or use this place any more. Their clock is "
    "stopped. A moderator of this place can let them back in, or the host or a moderator can move the "
    "table with /table move."
)
SHUT_OUT_THERE = N_(
    "{table} is waiting for {person}, who can't see or use this place any more. Their clock is "
    "stopped. A moderator of this place can let them back in."
)
THEIRS = N_("{table}. Players: {people}. Cards are dealt!")


class MatchThreads:
    """Opens threads for matches, adds the players and links to the thread."""

    def __init__(self, context: DeliveryContext, queue: WriteQueue, outbox: Outbox, effects: EffectRunner) -> None:
        self._context = context
        self._queue = queue
        self._outbox = outbox
        self._effects = effects

    async def opened(self, table: ShownTable, where: discord.TextChannel, lobby: MessageId) -> ChannelId | None:
        """Open a thread below the lobby's message and return the thread's id.

        Returns None if Discord refuses.
        """
        scene = table.scene(None)
        name = table_name(scene, self._context.words_for_table(scene))
        if left := next(_left_over(table, where, name, private=False), None):
            return ChannelId(left.id)  # below an earlier message of the lobby, replaced meanwhile
        make = partial(
            where.create_thread, name=name, message=discord.Object(lobby), auto_archive_duration=ARCHIVE_AFTER
        )
        try:
            return ChannelId((await self._queue.do(threads(where.id), make, AT_ONCE, urgent=True, in_person=True)).id)
        except UNREACHED as error:
            if isinstance(error, discord.HTTPException) and error.code == THREAD_IS_THERE:
                return ChannelId(lobby)  # a thread has the id of its message; a stop came before the id was saved
            log.warning("Table %s stays in its channel: %s", table.id, error)
            return None

    async def open_private(
        self, table: ShownTable, where: discord.TextChannel
    ) -> tuple[ChannelId, PendingEffect] | None:
        """Open a private thread and add the players of a table; None if Discord refuses.

        Only moderators of the channel can add other members. Returns the thread's id, and its removal as an effect: the
        start of the match cancels the removal; otherwise the removal runs after the table has closed. Raises
        StoreError.
        """
        scene = table.scene(None)
        name = table_name(scene, self._context.words_for_table(scene))
        make = partial(
            where.create_thread,
            name=name,
            invitable=False,
            type=discord.ChannelType.private_thread,
            auto_archive_duration=ARCHIVE_AFTER,
        )
        removal: PendingEffect | None = None
        try:
            thread = await self._taken_up(table, where, name)
            if thread is None:
                thread = await self._queue.do(threads(where.id), make, AT_ONCE, urgent=True, in_person=True)
            removal = await self._effects.keep(ThreadRemoval(ChannelId(thread.id)), table.row.guild, table.id)
            for user in people(scene.chairs):
                let_in = partial(thread.add_user, discord.Object(user))
                await self._queue.do(channel(ChannelId(thread.id)), let_in, AT_ONCE, urgent=True, in_person=True)
        except UNREACHED as error:
            log.warning("Table %s gets no private thread: %s", table.id, error)
            if removal is not None:
                await self.abandon(table, removal)
            return None
        return ChannelId(thread.id), removal

    async def _taken_up(self, table: ShownTable, where: discord.TextChannel, name: str) -> discord.Thread | None:
        """Return the private thread left by an interrupted start of this table, if any.

        A thread with members who do not play at the table is deleted. Raises the errors in UNREACHED.
        """
        for left in _left_over(table, where, name, private=True):
            now = await self._context.client.fetch_channel(left.id)  # cached member counts go stale
            theirs = [user for user in people(table.row.chairs) if await _is_in(left, user)]
            if isinstance(now, discord.Thread) and now.member_count <= len(theirs) + 1:
                return left
            await self.undo(table, ChannelId(left.id))
        return None

    async def abandon(self, table: ShownTable, removal: PendingEffect) -> None:
        """Delete a thread whose match could not begin."""
        assert isinstance(removal.effect, ThreadRemoval)
        try:
            await self.undo(table, removal.effect.thread)
        except UNREACHED as error:
            log.warning("Thread %s stays for now, though nothing has begun there: %s", removal.effect.thread, error)
        else:
            self._effects.end(removal)

    async def undo(self, table: ShownTable, thread: ChannelId) -> None:
        """Delete an unused thread, or archive the thread if the bot may not delete it.

        Only bots with Manage Threads may delete a thread. Raises the errors in UNREACHED.
        """
        if table.row.home == thread:
            return
        own, http = channel(thread), self._context.client.http
        try:
            await self._queue.do(own, partial(http.delete_channel, thread), AT_ONCE)
        except discord.Forbidden:
            await self._queue.do(own, partial(http.edit_channel, thread, archived=True), AT_ONCE)

    async def announce_lost_access(self, table: ShownTable, user: UserId, key: str) -> None:
        """Announce that the table waits for a player without access.

        The mention adds players to a private thread. If the mention did not, Discord is asked to add the player;
        neither gives access to a channel hidden from the player. key: of the message in the outbox. Raises the errors
        in UNREACHED, and StoreError.
        """
        scene, home = table.scene(None), table.row.home
        w = self._context.words_for_table(scene)
        named = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user)])
        why = SHUT_OUT_THERE if table.row.stays else SHUT_OUT
        text = w(why, table=table_name(scene, w), person=MessageText(f"<@{user}>"))
        where = self._context.client.get_partial_messageable(home)
        message = text_message(key, table.row.guild, where, text, mentions=named)
        await self._queue.do(channel(home), partial(self._outbox.send, message))
        thread = self._context.client.get_channel(home)
        if isinstance(thread, discord.Thread) and thread.is_private() and not await _is_in(thread, user):
            await self._queue.do(channel(home), partial(thread.add_user, discord.Object(user)))

    async def point(self, table: ShownTable, sign: Signpost) -> None:
        """Edit the lobby's board into a link to the thread. Raises the errors in UNREACHED."""
        scene = table.scene(None)
        w = self._context.words_for_table(scene)
        shown = PublicScreen.of(scene, lambda there, words: signpost(there, sign.thread, words), w)
        message = self._context.client.get_partial_messageable(sign.channel).get_partial_message(sign.lobby)
        await self._queue.do(channel(sign.channel), partial(message.edit, view=shown.drawn), AT_ONCE, urgent=True)

    async def add_players(self, table: ShownTable, thread: ChannelId, key: str) -> None:
        """Add all players of a table to the match's thread.

        key: of the thread's first message in the outbox. Raises the errors in UNREACHED, and StoreError.
        """
        scene = table.scene(None)
        w = self._context.words_for_table(scene)
        users = [chair.user for chair in scene.chairs if chair.user is not None]
        named_there = [MessageText(f"<@{user}>") for user in users]
        where, here = self._context.client.get_partial_messageable(thread), w(HERE, table=table_name(scene, w))
        theirs = w(THEIRS, table=table_name(scene, w), people=named_there)
        message = text_message(key, table.row.guild, where, here, mentions=discord.AllowedMentions.none())
        text = has_text(here), has_text(theirs)  # after a stop, the message is found with either text
        message = replace(message, matches=lambda sent: any(matches(sent) for matches in text))
        first = await self._queue.do(channel(thread), partial(self._outbox.send, message), AT_ONCE, urgent=True)
        named = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in users])
        name = partial(first.edit, content=theirs, allowed_mentions=named)
        await self._queue.do(channel(thread), name, AT_ONCE, urgent=True)


def _left_over(table: ShownTable, where: discord.TextChannel, name: str, *, private: bool) -> Iterator[discord.Thread]:
    """Yield the threads opened by interrupted starts of this table, which no row refers to."""
    for thread in where.threads:
        ours = thread.owner_id == where.guild.me.id and thread.name == name and not thread.archived
        if ours and thread.is_private() is private and (thread.created_at or table.row.created) >= table.row.created:
            yield thread


async def _is_in(thread: discord.Thread, user: UserId) -> bool:
    try:
        await thread.fetch_member(user)
    except discord.NotFound:
        return False
    return True
