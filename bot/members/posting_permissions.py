"""Whether the bot may write in a channel, by the permissions in an interaction.

Checked before a table begins: players learn that no table is possible there, and managers which permissions the bot
lacks (`missing`). Discord is not asked, except for access to a private thread, which only an attempt to join reveals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias, get_args

import discord

from bot.domain.ids import ChannelId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.domain.server_settings import ServerSettings
from bot.runtime.discord_requests import UNREACHED

NOT_HERE = N_("You can't play here. Try another channel.")
NO_PRIVATE = N_(
    "Tables with the same deals are played in private threads, which aren't possible here. Try another text channel."
)
TIMED_OUT = N_("I'm timed out on this server until {until}, so I can't open a table right now.")
NO_SUCH_PLACE = N_("A table needs a channel you can write in. Try a text channel.")
NOT_LET_IN = N_("This thread is private and I'm not in it. Mention me here once, then try again.")
LOCKED = N_("This thread is locked, so you can't play here. Try another channel.")
Speakable: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
SPEAKABLE: Final = get_args(Speakable)
IN_PUBLIC_THREADS: Final = ("create_public_threads", "send_messages_in_threads")
IN_PRIVATE_THREADS: Final = ("create_private_threads", "send_messages_in_threads")


async def check(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused if the bot may not write in the channel of an interaction on a server."""
    channel, rights = interaction.channel, interaction.app_permissions
    if not isinstance(channel, SPEAKABLE):
        raise Refused(NO_SUCH_PLACE)
    _check_rights(channel, rights)
    if isinstance(channel, discord.Thread):
        await _check_thread(channel, rights)


async def check_elsewhere(guild: discord.Guild | None, number: int) -> None:
    """Raise Refused if the bot may not write in another channel or thread of a server.

    An unknown channel passes.
    """
    channel = guild.get_channel_or_thread(number) if guild else None
    if isinstance(channel, SPEAKABLE):
        rights = channel.permissions_for(channel.guild.me)
        _check_rights(channel, rights)
        if isinstance(channel, discord.Thread):
            await _check_thread(channel, rights)


def may_write(channel: object) -> bool:
    """Tell from the cache whether the bot may write in a channel or thread; True if unknown."""
    if not isinstance(channel, SPEAKABLE) or (isinstance(channel, discord.Thread) and channel.parent is None):
        return True
    me: discord.Member | None = channel.guild.me
    if me is None:
        return True
    rights = channel.permissions_for(me)
    return _has(rights, *_to_write(channel)) and not is_locked(channel, rights)


def has_right(channel: object, right: str) -> bool:
    """Tell from the cache whether the bot has a permission in a channel or thread.

    Returns False if the channel is unknown.
    """
    if not isinstance(channel, SPEAKABLE) or (isinstance(channel, discord.Thread) and channel.parent is None):
        return False
    me: discord.Member | None = channel.guild.me
    return me is not None and bool(getattr(channel.permissions_for(me), right))


def may_open_own_thread(channel: object) -> bool:
    """Tell from the cache whether the bot may open and use private threads in a channel."""
    able = isinstance(channel, discord.TextChannel) and not channel.is_news()
    return able and all(has_right(channel, right) for right in ("view_channel", *IN_PRIVATE_THREADS))


def check_private(channel: object) -> None:
    """Raise Refused if the bot may not open private threads and write in them."""
    if not may_open_own_thread(channel):
        raise Refused(NO_PRIVATE)


def is_locked(channel: object, rights: discord.Permissions) -> bool:
    """Tell whether a channel is a thread locked to a bot without Manage Threads."""
    return isinstance(channel, discord.Thread) and channel.locked and not rights.manage_threads


def whole(channel: Speakable) -> ChannelId:
    """Return the channel with the permissions of a channel or thread."""
    parent = channel.parent_id if isinstance(channel, discord.Thread) else channel.id
    return ChannelId(parent)


def missing_on(
    guild: discord.Guild, channels: Iterable[ChannelId], server: ServerSettings
) -> list[tuple[ChannelId, tuple[str, ...]]]:
    """Return these channels of a server with the bot's missing permissions in each.

    A thread is counted with its parent channel.
    """
    found = dict[ChannelId, tuple[str, ...]]()
    for number in channels:
        channel = guild.get_channel_or_thread(number)
        if isinstance(channel, SPEAKABLE) and not (isinstance(channel, discord.Thread) and channel.parent is None):
            lacking = missing(channel, channel.permissions_for(guild.me), server)
            found[whole(channel)] = tuple(dict.fromkeys((*found.get(whole(channel), ()), *lacking)))
    return list(found.items())


def may_open_thread(channel: object, rights: discord.Permissions) -> bool:
    """Tell whether the bot may open a public thread for a table in a channel, and write in it."""
    return not isinstance(channel, discord.TextChannel) or _has(rights, *IN_PUBLIC_THREADS)


def missing(channel: object, rights: discord.Permissions, server: ServerSettings) -> tuple[str, ...]:
    """Return the permissions that the bot lacks in a channel or thread.

    They have their names in discord.py, and are limited to those that the server's settings need. During a time-out of
    the bot the result is empty: no permission would help.
    """
    if not isinstance(channel, SPEAKABLE) or channel.guild.me is None or channel.guild.me.is_timed_out():
        return ()
    return tuple(dict.fromkeys(name for name in _wanted(channel, server) if not getattr(rights, name)))


def _wanted(channel: Speakable, server: ServerSettings) -> Iterator[str]:
    yield from _to_write(channel)
    if isinstance(channel, discord.TextChannel):
        yield from IN_PUBLIC_THREADS if server.threads else ()
        yield from () if channel.is_news() else IN_PRIVATE_THREADS
    if server.pictures:
        yield "attach_files"
    yield "read_message_history"


def _to_write(channel: Speakable) -> tuple[str, ...]:
    send = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    return "view_channel", send


def _has(rights: discord.Permissions, *wanted: str) -> bool:
    return all(getattr(rights, name) for name in wanted)


def _check_rights(channel: Speakable, rights: discord.Permissions) -> None:
    if not _has(rights, *_to_write(channel)):
        me = channel.guild.me
        if me.is_timed_out():
            raise Refused(TIMED_OUT, until=me.timed_out_until)
        raise Refused(NOT_HERE)


async def _check_thread(thread: discord.Thread, rights: discord.Permissions) -> None:
    if is_locked(thread, rights):
        raise Refused(LOCKED)
    if thread.is_private() and thread.me is None and not rights.manage_threads:
        try:
            await thread.join()
        except discord.RateLimited:
            raise
        except UNREACHED:
            raise Refused(NOT_LET_IN) from None
