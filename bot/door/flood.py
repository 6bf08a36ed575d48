"""How much one person may ask for at once: some commands and clicks a second, and one autocompletion at a time.

Also how often in ten minutes somebody opens a table, and a table is moved: each of that is a message that all read.

Knows who asked when, for as long as that matters. Refuses to know what is asked for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.door.reply import Reply
from bot.door.visit import Visit, Work
from bot.ground.ids import UserId
from bot.ground.refused import Refused

SECOND, TEN_MINUTES = 1.0, 600.0
COMMANDS = 3  # a second
CLICKS = 8  # a second: nobody presses buttons faster by hand
OPENINGS = 6  # in ten minutes, of one person
MOVES = 3  # in ten minutes, of one table
RETURNS = 3  # in ten minutes, of one person to one seat
OWN_DATA = "data"  # the one command that nobody is denied: /my data
TOO_FAST = "You are quicker than I am. One moment, then once more, please."
MANY_TABLES = "That is {most} tables of yours in ten minutes. Stay at one of them, or open another in a little while."
MANY_RETURNS = "You have come back {most} times in ten minutes. Let the house player play a while."
MANY_MOVES = "This table has moved {most} times in ten minutes. Let it stay a while, and then move on."


class Often:
    """Lets something be done so many times within some seconds, by each person or at each table.

    pulse: seconds from any beginning on. no: what is said to who does it more often.
    """

    def __init__(self, most: int, pulse: Callable[[], float], within: float = SECOND, no: str = TOO_FAST) -> None:
        self._most = most
        self._pulse = pulse
        self._within = within
        self._no = no
        self._lately: OrderedDict[Hashable, list[float]] = OrderedDict()

    def check(self, who: Hashable) -> None:
        """Note that it is done. Raises Refused, and then it does not count, where that is too often."""
        self.allow(who)
        self.note(who)

    def allow(self, who: Hashable) -> None:
        """Raise Refused where it was done as often as may be."""
        if len(self._since(who, self._pulse())) >= self._most:
            raise Refused(self._no, most=self._most)

    def note(self, who: Hashable) -> None:
        """Note that it is done."""
        now = self._pulse()
        self._lately[who] = [*self._since(who, now), now]
        self._lately.move_to_end(who)
        while next(iter(self._lately.values()))[-1] <= now - self._within:
            self._lately.popitem(last=False)

    def _since(self, who: Hashable, now: float) -> list[float]:
        return [at for at in self._lately.get(who, ()) if at > now - self._within]

    def forget(self, user: Hashable) -> None:
        """Drop when somebody has done it."""
        self._lately.pop(user, None)


def refusing(refused: Refused) -> Work:
    """Return what answers with a refusal."""

    async def work(_: Visit) -> Reply:
        raise refused

    return work


class Floodgate(app_commands.CommandTree[Any]):
    """All commands, each person who is served a few at a time, and everybody met who comes with one."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self._often = Often(COMMANDS, client.pulse)
        self._completing: WeakValueDictionary[UserId, asyncio.Task[Any]] = WeakValueDictionary()

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Let a command pass unless it is one too many, and an autocompletion in place of that person's last one."""
        if (task := asyncio.current_task()) is not None:
            self.client.door.heard.hold(task)
        self.client.presence.met(interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            self._only(UserId(interaction.user.id))
            return True
        try:
            self._often.check(interaction.user.id)
            if interaction.command is None or interaction.command.name != OWN_DATA:
                self.client.upkeep.check(UserId(interaction.user.id))
        except Refused as refused:
            await interaction.client.reply(interaction, refusing(refused))
            return False
        return True

    def forget(self, user: Hashable) -> None:
        """Drop what is remembered about a person."""
        self._often.forget(user)

    def _only(self, user: UserId) -> None:
        """Give up what this person has typed before: nobody looks at what is offered for it any more."""
        before, now = self._completing.get(user), asyncio.current_task()
        if before is not None and before is not now:
            before.cancel()
        if now is not None:
            self._completing[user] = now
