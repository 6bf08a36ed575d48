"""The simulated server: one guild, two channels, four people who know each other.

Knows who and what there is, and that everything has the same id at every start: SimCord counts ids up from a fixed
first instant, so the order below is part of the sandbox's memory. Never reorder it; add at the end.
Refuses to know: the bot, time, the page.
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
    """The channel on the page at first, and the people who can look at it, Ann (who owns the server) first."""

    channel: ChannelHandle
    people: tuple[MemberActor, ...]


def settle_in(env: Env) -> World:
    """Build the server into a new environment, before the bot starts."""
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
    """The page shows one channel at a time, so what is said of a match is to stay in the first one."""
    return discord.PermissionOverwrite(create_public_threads=False, create_private_threads=False)
