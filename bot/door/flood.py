"""How much one person may ask for at once: some commands and clicks a second, and one autocompletion at a time.

Knows who asked when, for as long as that matters. Refuses to know what is asked for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.door.reply import Reply
from bot.ground.refused import Refused

SECOND = 1.0
COMMANDS = 3  # a second
CLICKS = 8  # a second: nobody presses buttons faster by hand
TOO_FAST = "You are quicker than I am. One moment, then once more, please."


class Often:
    """Lets each person do something so many times a second. pulse: seconds from any beginning on."""

    def __init__(self, most: int, pulse: Callable[[], float]) -> None:
        self._most = most
        self._pulse = pulse
        self._lately: OrderedDict[int, list[float]] = OrderedDict()

    def check(self, user: int) -> None:
        """Note that somebody has done it. Raises Refused, and then it does not count, for who did it too often."""
        now = self._pulse()
        lately = [at for at in self._lately.get(user, ()) if at > now - SECOND]
        if len(lately) >= self._most:
            raise Refused(TOO_FAST)
        self._lately[user] = [*lately, now]
        self._lately.move_to_end(user)
        while next(iter(self._lately.values()))[-1] <= now - SECOND:
            self._lately.popitem(last=False)

    def forget(self, user: int) -> None:
        """Drop when somebody has done it."""
        self._lately.pop(user, None)


async def refusing(refused: Refused) -> Reply:
    """Answer with a refusal."""
    raise refused


class Floodgate(app_commands.CommandTree[Any]):
    """All commands, each person a few at a time."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self._often = Often(COMMANDS, client.pulse)
        self._completing: WeakValueDictionary[int, asyncio.Task[Any]] = WeakValueDictionary()

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let a command pass unless it is one too many, and an autocompletion in place of that person's last one."""
        if interaction.type is discord.InteractionType.autocomplete:
            self._only(interaction.user.id)
            return True
        try:
            self._often.check(interaction.user.id)
        except Refused as refused:
            await interaction.client.reply(interaction, refusing(refused))
            return False
        return True

    def forget(self, user: int) -> None:
        """Drop what is remembered about a person."""
        self._often.forget(user)

    def _only(self, user: int) -> None:
        """Give up what this person has typed before: nobody looks at what is offered for it any more."""
        before, now = self._completing.get(user), asyncio.current_task()
        if before is not None and before is not now:
            before.cancel()
        if now is not None:
            self._completing[user] = now
