"""The simulated server: one guild, two channels, four members who know each other.

All ids are the same at each start: SimCord counts ids up from a fixed first instant, so the order below is part of the
sandbox's stored data. Never reorder it; add at the end.
"""

from __future__ import annotations

from typing import NamedTuple

import discord
from simcord import ChannelHandle, Env, MemberActor, UserHandle

GUILD = "Bigger's kitchen table"
CHANNEL = "big-two"
TOPIC = "A simulated Discord for trying the bot. Nothing here leaves this machine."
THREADED, THREADED_TOPIC = "with-threads", "Here each match is played in a thread of its own: look for it under Place."
PEOPLE = {"ann": "Ann", "ben": "Ben", "cleo": "Cleo", "dev": "Dev"}


class World(NamedTuple):
    """The page's first channel, and its users; the first is Ann, who owns the server."""

    channel: ChannelHandle
    people: tuple[MemberActor, ...]


def settle_in(env: Env) -> World:
    """Build the server in a new environment, before the bot starts."""
    env.backend.bot_user.name = "Bigger"
    users = [env.create_user(name, global_name=shown) for name, shown in PEOPLE.items()]
    guild = env.create_guild(GUILD, owner=users[0])
    people = (MemberActor(env, guild, users[0]), *(guild.add_member(user) for user in users[1:]))
    bot = UserHandle(env, env.backend.bot_user)
    channel = guild.create_text_channel(CHANNEL, topic=TOPIC, overwrites={bot: _no_threads()})
    guild.create_text_channel(THREADED, topic=THREADED_TOPIC)
    for user in users:
        env.backend.get_dm_channel(user.id)
    return World(channel, people)


def _no_threads() -> discord.PermissionOverwrite:
    """Return overwrites that deny threads: the page shows one channel at a time, the first one.

    Without threads, all messages of a match appear there.
    """
    return discord.PermissionOverwrite(create_public_threads=False, create_private_threads=False)
