"""Limits per user: commands and clicks per second, one expensive piece of work at once."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from hashlib import blake2b
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Limit, Refused
from bot.interactions.answers import Reply
from bot.interactions.visit import STALE, Visit, Work
from bot.runtime.workers import Workers, WorkerTurn
from bot.store.errors import StoreError

SECOND, TEN_MINUTES = 1.0, timedelta(minutes=10)
KEY_BYTES = 16
COMMANDS = 3  # per second
KEYSTROKES = 4  # per second: faster typing gets its choices after a pause
PAUSE = 0.15  # seconds
CLICKS = 8  # per second: faster than clicks by hand
OWN_DATA = "data"  # the command allowed to everyone: /my data
TOO_FAST = N_("Too fast! Try again in a second.")
MANY_TABLES = N_("That's {most} tables in ten minutes. Stay at one of them, or open another {when}.")
MANY_RETURNS = N_("You've come back {most} times in ten minutes. Let the bot play for now: you can come back {when}.")
MANY_MOVES = N_("This table has moved {most} times in ten minutes. It can move again {when}.")
OPENINGS = Limit("opening", 6, TEN_MINUTES, MANY_TABLES)  # per user
MOVES = Limit("move", 3, TEN_MINUTES, MANY_MOVES)  # per table
RETURNS = Limit("return", 3, TEN_MINUTES, MANY_RETURNS)  # per user and seat


class UserRateLimit:
    """A limit of uses per second and user. pulse: seconds of a monotonic clock.

    Users are counted by a hash with a key of this process: a deletion of their data resets no count.
    """

    def __init__(self, most: int, pulse: Callable[[], float]) -> None:
        self._most = most
        self._pulse = pulse
        self._key = secrets.token_bytes(KEY_BYTES)
        self._lately: OrderedDict[bytes, list[float]] = OrderedDict()

    def check(self, user: UserId) -> None:
        """Count a use. Raises Refused for one too many, which is not counted."""
        now, who = self._pulse(), blake2b(str(user).encode(), key=self._key).digest()
        since = [at for at in self._lately.get(who, ()) if at > now - SECOND]
        if len(since) >= self._most:
            raise Refused(TOO_FAST)
        self._lately[who] = [*since, now]
        self._lately.move_to_end(who)
        while next(iter(self._lately.values()))[-1] <= now - SECOND:
            self._lately.popitem(last=False)


def refusing(error: Refused | StoreError) -> Work:
    """Return a handler that answers with a refusal, or with the failure of the store."""

    async def work(_: Visit) -> Reply:
        raise error

    return work


class RateLimitedTree(app_commands.CommandTree[Any]):
    """The command tree, with rate limits per user; records the presence of each caller."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self._often = UserRateLimit(COMMANDS, client.launch.pulse)
        self._completing: WeakValueDictionary[UserId, asyncio.Task[Any]] = WeakValueDictionary()
        self._typed = UserRateLimit(KEYSTROKES, client.launch.pulse)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Check the limits of a command; let an autocompletion replace the user's previous one."""
        if (task := asyncio.current_task()) is not None:
            self.client.parts.dispatcher.event_tasks.hold(task)
        self.client.parts.presence.record_member(interaction)
        if interaction.type is discord.InteractionType.autocomplete:
            user = UserId(interaction.user.id)
            if self._superseded(user) or self._too_fast(user):
                await asyncio.sleep(PAUSE)  # the next keystroke cancels this task, which saves a query
            return True
        try:
            self._often.check(UserId(interaction.user.id))
            _check_choices(interaction)
            await self.client.parts.user_deletion.check(UserId(interaction.user.id))
            if interaction.command is None or interaction.command.name != OWN_DATA:
                self.client.parts.decisions.check(UserId(interaction.user.id))
        except (Refused, StoreError) as error:
            await self.client.parts.dispatcher.reply(interaction, refusing(error))
            return False
        return True

    def _too_fast(self, user: UserId) -> bool:
        """Count a keystroke; tell whether the user types too fast for choices."""
        try:
            self._typed.check(user)
        except Refused:
            return True
        return False

    def _superseded(self, user: UserId) -> bool:
        """Cancel the user's previous autocompletion, now obsolete; tell whether one was running."""
        before, now = self._completing.get(user), asyncio.current_task()
        if now is not None:
            self._completing[user] = now
        return before is not None and before is not now and before.cancel()


def _check_choices(interaction: discord.Interaction[Any]) -> None:
    """Raise Refused for an option outside its fixed choices.

    No client of Discord sends one.
    """
    if isinstance(interaction.command, app_commands.Command):
        given = dict(iter(interaction.namespace))
        for option in interaction.command.parameters:
            offered = [choice.value for choice in option.choices]
            if offered and given.get(option.display_name, offered[0]) not in offered:
                raise Refused(STALE)


@asynccontextmanager
async def enter_expensive_turn(workers: Workers, visit: Visit) -> AsyncIterator[WorkerTurn]:
    """Enter the user's turn for expensive work, unless the visit has entered it.

    Raises Refused as `turn` does.
    """
    if visit.turn is not None:
        yield visit.turn
        return
    async with workers.turn(visit.user, visit.is_awaited, visit.guild) as visit.turn:
        yield visit.turn
    visit.turn = None


def as_expensive(workers: Workers, work: Work) -> Work:
    """Return a handler that runs within the user's turn for expensive work."""

    async def done(visit: Visit) -> Reply:
        async with enter_expensive_turn(workers, visit):
            return await work(visit)

    return done
