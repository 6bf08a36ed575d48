"""Whether the bot may write where it is asked to, known from the question itself before anything is begun.

Knows kinds of channels, and what permissions are called where an owner looks for them. Refuses to ask Discord, but for
the way into a private thread, which only trying tells.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias, get_args

import discord

from bot.ground.refused import Refused
from bot.ground.unreached import UNREACHED
from bot.rules.sentences import Phrase
from bot.show.words import N_

CALLED: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_public_threads": N_("Create Public Threads"),
    "create_private_threads": N_("Create Private Threads"),
}
"""Permissions as Discord's own settings call them."""
MISSING = (
    "I may not write here yet: I lack {permissions}. Ask somebody who runs the server to allow that, "
    "or open the table in another channel."
)
NO_PRIVATE = (
    "Each table with the same deals is played in a private thread of its own, and here there can be none. Try it in a "
    "text channel."
)
NO_PRIVATE_YET = (
    "Each table with the same deals is played in a private thread of its own. For that I lack {permissions} here: ask "
    "somebody who runs the server to allow it."
)
TIMED_OUT = "I am in time-out on this server until {until}, so I cannot open a table now."
NO_SUCH_PLACE = "A table needs a channel in which one can write. Try it in a text channel."
NOT_LET_IN = "This thread is private and I am not in it. Mention me here once, then try again."
LOCKED = "This thread is locked. Ask somebody who runs the server to open it, or use another channel."
Speakable: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
SPEAKABLE: Final = get_args(Speakable)


async def check(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused, with what is missing, where the bot may not write into the channel of a question on a server."""
    channel, rights = interaction.channel, interaction.app_permissions
    if not isinstance(channel, SPEAKABLE):
        raise Refused(NO_SUCH_PLACE)
    _check_rights(channel, rights)
    if isinstance(channel, discord.Thread):
        await _check_thread(channel, rights)


async def check_elsewhere(guild: discord.Guild | None, number: int) -> None:
    """Raise Refused where the bot may not write into a channel or thread of a server other than the one of a question.

    What is not known is left to be tried.
    """
    channel = guild.get_channel_or_thread(number) if guild else None
    if isinstance(channel, SPEAKABLE):
        rights = channel.permissions_for(channel.guild.me)
        _check_rights(channel, rights)
        if isinstance(channel, discord.Thread):
            await _check_thread(channel, rights)


def may_write(channel: object) -> bool:
    """Tell whether the bot may write into a channel or thread, by what it has heard; yes where it has heard nothing."""
    if not isinstance(channel, SPEAKABLE) or (isinstance(channel, discord.Thread) and channel.parent is None):
        return True
    me: discord.Member | None = channel.guild.me
    if me is None:
        return True
    rights = channel.permissions_for(me)
    return not _lacking(channel, rights) and not is_locked(channel, rights)


def has_right(channel: object, right: str) -> bool:
    """Tell whether the bot has a right in a channel or thread, by what it has heard; no where it has not."""
    if not isinstance(channel, SPEAKABLE) or (isinstance(channel, discord.Thread) and channel.parent is None):
        return False
    me: discord.Member | None = channel.guild.me
    return me is not None and bool(getattr(channel.permissions_for(me), right))


def may_open_own_thread(channel: object) -> bool:
    """Tell whether the bot may open private threads in a channel and write there, by what it has heard."""
    wanted = ("view_channel", "create_private_threads", "send_messages_in_threads")
    able = isinstance(channel, discord.TextChannel) and not channel.is_news()
    return able and all(has_right(channel, right) for right in wanted)


def check_private(channel: object) -> None:
    """Raise Refused, with what is missing, where the bot may not open private threads and write there."""
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        raise Refused(NO_PRIVATE)
    rights = channel.permissions_for(channel.guild.me)
    if lacking := _lacks(rights, "create_private_threads", "send_messages_in_threads"):
        raise Refused(NO_PRIVATE_YET, permissions=lacking)


def is_locked(channel: object, rights: discord.Permissions) -> bool:
    """Tell whether this is a thread into which only those write who look after it, and the bot does not."""
    return isinstance(channel, discord.Thread) and channel.locked and not rights.manage_threads


def no_threads(channel: object, rights: discord.Permissions) -> list[Phrase]:
    """Return what the bot lacks to give a table a thread of its own in a channel that can have one."""
    wanted = ("create_public_threads", "send_messages_in_threads") if isinstance(channel, discord.TextChannel) else ()
    return _lacks(rights, *wanted)


def _check_rights(channel: Speakable, rights: discord.Permissions) -> None:
    if lacking := _lacking(channel, rights):
        me = channel.guild.me
        if me.is_timed_out():
            raise Refused(TIMED_OUT, until=me.timed_out_until)
        raise Refused(MISSING, permissions=lacking)


def _lacking(channel: Speakable, rights: discord.Permissions) -> list[Phrase]:
    send = "send_messages_in_threads" if isinstance(channel, discord.Thread) else "send_messages"
    return _lacks(rights, "view_channel", send)


def _lacks(rights: discord.Permissions, *wanted: str) -> list[Phrase]:
    return [Phrase(CALLED[name]) for name in wanted if not getattr(rights, name)]


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
