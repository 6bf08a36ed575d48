"""Membership on servers and access to channels.

Discord is asked when needed, and the answers are cached for a minute: the bot receives no events about leaving members
and changed roles. Each click and command carries the member's current roles; the rest is fetched. Permissions are
computed from roles and the cached overwrites of channels. Tables, and the consequences of an answer, belong elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Hashable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar, cast

import discord

from bot.domain.ids import AccessChannel, ChannelId, GuildId, UserId
from bot.runtime.discord_requests import UNREACHED, server_of
from bot.runtime.tasks import SingleFlight

log = logging.getLogger(__name__)

CACHE_TIME = timedelta(seconds=60)
RETRY_AFTER = timedelta(seconds=20)  # before a failed question is asked again
UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_USER = 10003, 10007, 10013
NO_ACCESS = 50001
MEMBERS_PER_REQUEST = 100  # members per look-up
ANSWER_TIMEOUT = 3.0  # seconds to wait for an answer
MAX_FETCHED_CHANNELS = 25  # uncached channels fetched for one list
MAX_CACHED_ANSWERS = 10_000  # cached answers

Channel: TypeAlias = discord.abc.GuildChannel | discord.Thread
Unfound: TypeAlias = Literal["gone", "shut"]  # "gone": no such channel on the server; "shut": no access for the bot
T = TypeVar("T")


class DiscordUnavailable(OSError):
    """Discord could not be asked, so the answer is unknown. One of the errors in UNREACHED."""


NOT_NOW: tuple[type[Exception], ...] = (*UNREACHED, discord.ClientException)


class Presence:
    """Answers about members and channels, cached for a minute. now: the current time."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime]) -> None:
        self._client = client
        self._now = now
        self._known: OrderedDict[Hashable, tuple[datetime, Any]] = OrderedDict()
        self._asking = SingleFlight[Any]("question to Discord")
        self._overdue: set[tuple[str, int, int]] = set()  # questions that timed out

    def record_member(self, interaction: discord.Interaction[Any]) -> None:
        """Record the member and the roles in an interaction on a server."""
        if isinstance(interaction.user, discord.Member) and (guild := server_of(interaction)) is not None:
            self._learn(("member", guild, interaction.user.id), interaction.user)

    def forget(self, user: UserId) -> None:
        """Drop all cached answers about a user."""
        for key in [key for key in self._known if isinstance(key, tuple) and user in key]:
            del self._known[key]
        self._overdue = {key for key in self._overdue if user not in key}

    async def member(self, guild: GuildId, user: UserId) -> discord.Member | None:
        """Return a user's current member on a server, None after leaving.

        Raises DiscordUnavailable.
        """
        return await self._once(("member", guild, user), lambda: self._fetch_member(self._guild(guild), user))

    async def gone(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        """Return the users who have left the server.

        Users about whom Discord cannot be asked are left out. Members are looked up in batches; users not found in a
        batch are fetched one by one.
        """
        known = {user: self._fresh(("member", guild, user)) for user in users}
        unknown = [user for user, answer in known.items() if answer is None]
        missing = {user for user, answer in known.items() if answer is not None and answer[1] is None}
        for at in range(0, len(unknown), MEMBERS_PER_REQUEST):
            missing |= await self._not_found(guild, unknown[at : at + MEMBERS_PER_REQUEST])
        return frozenset([user for user in missing if await self._is_gone(guild, user)])

    async def sees(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Tell whether a user may see a channel or thread now; False for a deleted one.

        Raises DiscordUnavailable.
        """
        found = await self._channel(guild, channel)
        member = await self.member(guild, user) if found else None
        if found is None or member is None:
            return False
        if not isinstance(found, discord.Thread):
            return found.permissions_for(member).view_channel
        rights = found.parent.permissions_for(member) if found.parent else discord.Permissions.none()
        if not rights.view_channel:
            return False
        return not found.is_private() or rights.manage_threads or await self._is_in(found, user)

    async def seen(self, guild: GuildId, channels: Sequence[ChannelId], user: UserId) -> frozenset[ChannelId]:
        """Return the channels visible to a user now.

        Channels about which Discord cannot be asked are left out. Uncached channels (archived threads) are fetched up
        to a limit.
        """
        here = self._client.get_guild(guild)
        far = [channel for channel in channels if here is None or here.get_channel_or_thread(channel) is None]
        wanted = set(channels) - set(far[MAX_FETCHED_CHANNELS:])
        return frozenset([channel for channel in wanted if await self.may_see(guild, channel, user)])

    async def may_see(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Tell whether a user may see a channel or thread now; False if Discord cannot be asked."""
        try:
            return await self.sees(guild, channel, user)
        except DiscordUnavailable:
            return False

    async def is_shut_out(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool | None:
        """Tell whether a member of a server has no access to a channel that the bot sees.

        Without access are members who cannot see the channel, and members in time-out, whose clicks Discord ignores.
        Returns None if Discord does not answer in time. Membership of a thread is always fetched, since the bot gets no
        events about it, except for a late answer to the last question.
        """
        key = ("thread", channel, user)
        if key not in self._overdue:
            self._known.pop(key, None)
        self._overdue.discard(key)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                member, found = await self.member(guild, user), await self._channel(guild, channel)
                if member is None or found is None:
                    return False
                return member.is_timed_out() or not await self.sees(guild, channel, user)
        except DiscordUnavailable:
            return None
        except TimeoutError:
            self._overdue.add(key)
            return None

    def has_lost(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Tell from the cache whether a user has left or cannot see a channel. False if unknown."""
        here = self._client.get_guild(guild)
        found = here.get_channel_or_thread(channel) if here else None
        _, member = self._known.get(("member", guild, user), (None, DiscordUnavailable))
        ruled = found.parent if isinstance(found, discord.Thread) else found
        if member is None or ruled is None or not isinstance(member, discord.Member):
            return member is None
        return not ruled.permissions_for(member).view_channel

    async def place(self, guild: GuildId, channel: ChannelId, noted: AccessChannel | None = None) -> AccessChannel:
        """Return the place of a channel or thread, whose permissions decide who may see it.

        noted: the known place, for a deleted channel or without an answer in time; without `noted`, or without access
        for the bot, the place counts as hidden.
        """
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                found = await self._found(guild, channel)
        except (DiscordUnavailable, TimeoutError):
            found = "gone"
        if isinstance(found, str):
            return noted if noted and found == "gone" else AccessChannel(channel, hidden=True)
        return place_of(found)

    # Questions to Discord

    def _guild(self, guild: GuildId) -> discord.Guild:
        found = self._client.get_guild(guild)
        if found is None or found.unavailable:
            raise DiscordUnavailable
        return found

    async def _channel(self, guild: GuildId, channel: ChannelId) -> Channel | None:
        """Return a channel or thread of a server, or None if the bot sees no such channel.

        Raises DiscordUnavailable.
        """
        found = await self._found(guild, channel)
        return None if isinstance(found, str) else found

    async def _found(self, guild: GuildId, channel: ChannelId) -> Channel | Unfound:
        """Return a channel or thread of a server, or the reason for its absence.

        Raises DiscordUnavailable.
        """
        if found := self._guild(guild).get_channel_or_thread(channel):
            return found
        return await self._once(("channel", guild, channel), lambda: self._fetch_channel(guild, channel))

    async def _fetch_channel(self, guild: GuildId, channel: ChannelId) -> Channel | Unfound:
        try:
            found = await self._client.fetch_channel(channel)
        except discord.HTTPException as error:
            _only_if(error, UNKNOWN_CHANNEL, NO_ACCESS)
            return "shut" if error.code == NO_ACCESS else "gone"
        if not isinstance(found, discord.abc.GuildChannel | discord.Thread) or found.guild.id != guild:
            return "gone"
        return found

    async def _fetch_member(self, guild: discord.Guild, user: UserId) -> discord.Member | None:
        try:
            return await guild.fetch_member(user)
        except discord.HTTPException as error:
            _only_if(error, UNKNOWN_MEMBER, UNKNOWN_USER)
            return None

    async def _is_in(self, thread: discord.Thread, user: UserId) -> bool:
        return await self._once(("thread", thread.id, user), lambda: self._fetch_thread_member(thread, user))

    async def _fetch_thread_member(self, thread: discord.Thread, user: UserId) -> bool:
        try:
            await thread.fetch_member(user)
        except discord.HTTPException as error:
            _only_if(error, UNKNOWN_MEMBER, UNKNOWN_USER, UNKNOWN_CHANNEL, NO_ACCESS)
            return False
        return True

    async def _is_gone(self, guild: GuildId, user: UserId) -> bool:
        try:
            return await self.member(guild, user) is None
        except DiscordUnavailable:
            return False

    async def _not_found(self, guild: GuildId, users: Sequence[UserId]) -> set[UserId]:
        """Look up members and cache them; return the users not found, who may still be members."""
        try:
            found = await self._guild(guild).query_members(user_ids=list(users), limit=MEMBERS_PER_REQUEST, cache=False)
        except NOT_NOW as error:
            log.info("People of server %s could not be looked up: %s", guild, error)
            return set()
        for member in found:
            self._learn(("member", guild, member.id), member)
        there = {member.id for member in found}
        return {user for user in users if user not in there}

    # Cache

    async def _once(self, key: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """Return the cached answer, or ask.

        Concurrent questions for the same key share one request.
        """
        if (known := self._fresh(key)) is not None:
            answer = known[1]
        else:
            answer = await self._asking.do(key, partial(self._ask, key, ask))
        if answer is DiscordUnavailable:
            raise DiscordUnavailable
        return cast(T, answer)

    async def _ask(self, key: Hashable, ask: Callable[[], Awaitable[Any]]) -> Any:
        try:
            answer = await ask()
        except UNREACHED as error:
            log.info("Discord could not be asked: %s", error)
            answer = DiscordUnavailable
        self._learn(key, answer)
        return answer

    def _learn(self, key: Hashable, answer: Any) -> None:
        self._known[key] = self._now(), answer
        self._known.move_to_end(key)
        while len(self._known) > MAX_CACHED_ANSWERS:
            self._known.popitem(last=False)

    def _fresh(self, key: Hashable) -> tuple[datetime, Any] | None:
        known = self._known.get(key)
        if known is None or self._now() - known[0] >= (RETRY_AFTER if known[1] is DiscordUnavailable else CACHE_TIME):
            return None
        return known


def _only_if(error: discord.HTTPException, *codes: int) -> None:
    """Re-raise an error, unless its code is among these: the codes for "not found"."""
    if error.code not in codes:
        raise error


def place_of(channel: Channel) -> AccessChannel:
    """Return the place of a channel or thread, which may have just been deleted."""
    ruled = channel.parent if isinstance(channel, discord.Thread) else channel
    if ruled is None or (isinstance(channel, discord.Thread) and channel.is_private()):
        return AccessChannel(ChannelId(channel.id), hidden=True)
    return AccessChannel(ChannelId(ruled.id), hidden=not ruled.permissions_for(ruled.guild.default_role).view_channel)
