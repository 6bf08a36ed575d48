"""Who is on a server still, and what they may see there now: asked of Discord when it matters, known for a minute.

The bot hears neither of people who leave nor of roles that are given or taken. What people do tells both at once, for
every click and command carries their roles; what is left is asked. Rights follow from roles and the channels' cached
overwrites. Refuses to know tables, and what follows from an answer.
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

from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.places import Place
from bot.runtime.discord_failures import UNREACHED
from bot.runtime.single_flight import SingleFlight
from bot.runtime.visited_server import server_of

log = logging.getLogger(__name__)

KNOWN = timedelta(seconds=60)
UNANSWERED = timedelta(seconds=20)  # before the same is asked again
UNKNOWN_CHANNEL, UNKNOWN_MEMBER, UNKNOWN_USER = 10003, 10007, 10013
NO_ACCESS = 50001
TOGETHER = 100  # people that Discord looks up in one go
PATIENCE = 3.0  # seconds for an answer that others wait for
FAR = 25  # channels that have to be asked for, so that somebody can look at a list
MOST = 10_000  # answers at once in memory

Channel: TypeAlias = discord.abc.GuildChannel | discord.Thread
Unfound: TypeAlias = Literal["gone", "shut"]  # there is no such channel on the server; the bot is not let in
T = TypeVar("T")


class Unasked(OSError):
    """Discord could not be asked: nothing is known either way. One of what UNREACHED names."""


NOT_NOW: tuple[type[Exception], ...] = (*UNREACHED, discord.ClientException)


class Presence:
    """Answers for a minute each. now: the time."""

    def __init__(self, client: discord.Client, now: Callable[[], datetime]) -> None:
        self._client = client
        self._now = now
        self._known: OrderedDict[Hashable, tuple[datetime, Any]] = OrderedDict()
        self._asking = SingleFlight[Any]("question to Discord")
        self._overdue: set[tuple[str, int, int]] = set()  # what was asked for longer than anybody waits

    def met(self, interaction: discord.Interaction[Any]) -> None:
        """Learn from a click or a command on a server of the bot: whoever does it is there, with these roles."""
        if isinstance(interaction.user, discord.Member) and (guild := server_of(interaction)) is not None:
            self._learn(("member", guild, interaction.user.id), interaction.user)

    def forget(self, user: UserId) -> None:
        """Drop what is known about a person."""
        for key in [key for key in self._known if isinstance(key, tuple) and user in key]:
            del self._known[key]
        self._overdue = {key for key in self._overdue if user not in key}

    async def member(self, guild: GuildId, user: UserId) -> discord.Member | None:
        """Return a person as they are on a server now, None where they are not there. Raises Unasked."""
        return await self._once(("member", guild, user), lambda: self._fetch_member(self._guild(guild), user))

    async def gone(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        """Return who of these is not on the server any more; of whoever cannot be asked for nothing is said.

        They are looked up many at a time, and only who is not found that way is asked for alone.
        """
        known = {user: self._fresh(("member", guild, user)) for user in users}
        unknown = [user for user, answer in known.items() if answer is None]
        missing = {user for user, answer in known.items() if answer is not None and answer[1] is None}
        for at in range(0, len(unknown), TOGETHER):
            missing |= await self._not_found(guild, unknown[at : at + TOGETHER])
        return frozenset([user for user in missing if await self._is_gone(guild, user)])

    async def sees(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Tell whether a person may see a channel or thread now; nobody sees one that is deleted. Raises Unasked."""
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
        """Return which of these channels a person may see now, as far as that can be asked.

        Of those that are not in memory (threads that have been archived) only the first few are asked for.
        """
        here = self._client.get_guild(guild)
        far = [channel for channel in channels if here is None or here.get_channel_or_thread(channel) is None]
        wanted = set(channels) - set(far[FAR:])
        return frozenset([channel for channel in wanted if await self.may_see(guild, channel, user)])

    async def may_see(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Tell whether a person may see a channel or thread now; no where Discord cannot be asked."""
        try:
            return await self.sees(guild, channel, user)
        except Unasked:
            return False

    async def is_shut_out(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool | None:
        """Tell whether somebody is on a server and can do nothing in a channel there that the bot sees.

        They do not see it, or a moderator of the server has sent them into time-out, where no button obeys them.

        None where Discord has not answered soon. Of who is in a thread it tells nothing, so that is asked anew, but
        for an answer that came after all.
        """
        key = ("thread", channel, user)
        if key not in self._overdue:
            self._known.pop(key, None)
        self._overdue.discard(key)
        try:
            async with asyncio.timeout(PATIENCE):
                member, found = await self.member(guild, user), await self._channel(guild, channel)
                if member is None or found is None:
                    return False
                return member.is_timed_out() or not await self.sees(guild, channel, user)
        except Unasked:
            return None
        except TimeoutError:
            self._overdue.add(key)
            return None

    def has_lost(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Tell whether a person is known to be gone or not to see a channel, as they were met last; nothing is asked.

        False where that is not known.
        """
        here = self._client.get_guild(guild)
        found = here.get_channel_or_thread(channel) if here else None
        _, member = self._known.get(("member", guild, user), (None, Unasked))
        ruled = found.parent if isinstance(found, discord.Thread) else found
        if member is None or ruled is None or not isinstance(member, discord.Member):
            return member is None
        return not ruled.permissions_for(member).view_channel

    async def place(self, guild: GuildId, channel: ChannelId, noted: Place | None = None) -> Place:
        """Return whose rights decide about a channel or thread.

        noted: what was known of it, for one that is gone or about which nobody answers soon; without that, and where
        the bot itself is not let in, it counts as hidden.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                found = await self._found(guild, channel)
        except (Unasked, TimeoutError):
            found = "gone"
        if isinstance(found, str):
            return noted if noted and found == "gone" else Place(channel, hidden=True)
        return place_of(found)

    # Asking

    def _guild(self, guild: GuildId) -> discord.Guild:
        found = self._client.get_guild(guild)
        if found is None or found.unavailable:
            raise Unasked
        return found

    async def _channel(self, guild: GuildId, channel: ChannelId) -> Channel | None:
        """Return a channel or thread of a server, None where there is none that the bot sees. Raises Unasked."""
        found = await self._found(guild, channel)
        return None if isinstance(found, str) else found

    async def _found(self, guild: GuildId, channel: ChannelId) -> Channel | Unfound:
        """Return a channel or thread of a server, or why there is none. Raises Unasked."""
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
        except Unasked:
            return False

    async def _not_found(self, guild: GuildId, users: Sequence[UserId]) -> set[UserId]:
        """Learn who of these is there; return the others, who may still be."""
        try:
            found = await self._guild(guild).query_members(user_ids=list(users), limit=TOGETHER, cache=False)
        except NOT_NOW as error:
            log.info("People of server %s could not be looked up: %s", guild, error)
            return set()
        for member in found:
            self._learn(("member", guild, member.id), member)
        there = {member.id for member in found}
        return {user for user in users if user not in there}

    # Remembering

    async def _once(self, key: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """Return what is known, or ask; whoever wants to know the same meanwhile waits for the same answer."""
        if (known := self._fresh(key)) is not None:
            answer = known[1]
        else:
            answer = await self._asking.do(key, partial(self._ask, key, ask))
        if answer is Unasked:
            raise Unasked
        return cast(T, answer)

    async def _ask(self, key: Hashable, ask: Callable[[], Awaitable[Any]]) -> Any:
        try:
            answer = await ask()
        except UNREACHED as error:
            log.info("Discord could not be asked: %s", error)
            answer = Unasked
        self._learn(key, answer)
        return answer

    def _learn(self, key: Hashable, answer: Any) -> None:
        self._known[key] = self._now(), answer
        self._known.move_to_end(key)
        while len(self._known) > MOST:
            self._known.popitem(last=False)

    def _fresh(self, key: Hashable) -> tuple[datetime, Any] | None:
        known = self._known.get(key)
        if known is None or self._now() - known[0] >= (UNANSWERED if known[1] is Unasked else KNOWN):
            return None
        return known


def _only_if(error: discord.HTTPException, *codes: int) -> None:
    """Raise an error again that says something else than that there is nothing."""
    if error.code not in codes:
        raise error


def place_of(channel: Channel) -> Place:
    """Return whose rights decide about a channel or thread, which may just have been deleted."""
    ruled = channel.parent if isinstance(channel, discord.Thread) else channel
    if ruled is None or (isinstance(channel, discord.Thread) and channel.is_private()):
        return Place(ChannelId(channel.id), hidden=True)
    return Place(ChannelId(ruled.id), hidden=not ruled.permissions_for(ruled.guild.default_role).view_channel)
