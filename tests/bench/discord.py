"""How much work a click is, in CPU time, beside a bot whose command only answers "ok": python -m tests.bench.discord

Both bots run in SimCord in one process and take turns; a ratio is the median over rounds. Four people play, so that no
house player thinks. A play is the answer, the store and the board; the last line adds the next person's open hand,
drawn again. A good half of the time is SimCord's own, which copies and checks each component of a message many times.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias
from unittest.mock import patch

import discord
import simcord
from discord import Message
from discord.ext import commands
from simcord.results import InteractionResult

from bot.ai_pool.moves import choose_action
from bot.rules.core.asks import Play
from bot.table.table import Table
from tests.support.message_text import ParsedMessage
from tests.support.simulated_discord import Env
from tests.support.world import World, world

ROUNDS = 50
OPEN, TAP, PLAY, PLAY_ON = "My hand, opened", "a card, tapped", "a play", "a play, next hand redrawn"
GOALS = {OPEN: "4", TAP: "4", PLAY: "6", PLAY_ON: ""}

Ask: TypeAlias = Callable[[], Awaitable[object]]


class Resting(Env):
    """A simulated Discord that settles after a click, unlike SimCord by default."""

    async def _settle_internal(self, *, idle: float = 0.05, **how: Any) -> None:
        await simcord.Env._settle_internal(self, idle=idle, **how)


class Bare(commands.Bot):
    """A bot with one command."""

    def __init__(self) -> None:
        super().__init__(command_prefix=(), help_command=None, intents=discord.Intents(guilds=True))

    async def setup_hook(self) -> None:
        @self.tree.command(name="ok", description="Answers ok")
        async def ok(interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message("ok", ephemeral=True)

        await self.tree.sync()


@asynccontextmanager
async def bare_server() -> AsyncIterator[Ask]:
    """Give what asks the bare bot once."""
    env = simcord.Env(Bare())
    guild = env.create_guild(name="Bare")
    await env.start()
    try:
        ann, channel = guild.add_member(env.create_user("ann")), guild.create_text_channel("cards")
        yield lambda: ann.slash(channel, "ok")
    finally:
        await env.shutdown()


class Group:
    """Four people at one table, each with one action at a time."""

    def __init__(self, here: World, table: Table) -> None:
        self.here, self.table = here, table
        self.hands: dict[str, Message] = {}

    async def timed(self, what: str) -> float:
        """Do one thing and return the CPU time it took, in seconds."""
        name = await self.ready()
        if what in (PLAY, PLAY_ON):
            who, play = await self.play(name)
            if what == PLAY:
                self.look_away(who)
            return await measured(play)
        if what == OPEN:
            return await measured(lambda: self._open(name))
        tapped = ParsedMessage.of(self.hands[name]).cards[0]
        return await measured(lambda: self._press(name, self.hands[name], tapped))

    def look_away(self, but: str) -> None:
        """Click for every player except one, so that no other hand is open."""
        delivery, user = self.here.parts.delivery, self.here.people[but].id
        delivery.hands._keep(lambda whose, _: whose == user)
        self.hands = {but: self.hands[but]}
        for person in self.here.people.values():
            delivery.clicked(self.table.id, person.id)

    async def ready(self) -> str:
        """Play until a person with an open hand is to move; return this person."""
        while self.table.stage == "between":
            for person in self.here.people.values():
                await person.click(self.here.board(self.table), label="Ready")
            await self.here.settle()
        name = self.here.current_player(self.table)
        assert name is not None
        if name not in self.hands:
            await self._open(name)
        return name

    async def _open(self, name: str) -> InteractionResult:
        shown = await self.here.people[name].click(self.here.board(self.table), label="My hand")
        self.hands[name] = _message(shown)
        return shown

    async def play(self, name: str) -> tuple[str, Ask]:
        """Select cards, or pass without any; return the player and the action."""
        while True:
            shown = await self._open(name)
            view = self.table.scene(self.here.people[name].id).view
            if view and isinstance(action := choose_action(view), Play):
                shown = await self.here.pick(name, shown, *map(str, action.cards))
            hand = _message(shown)
            if play := _address(hand, ":play:"):
                return name, partial(self._press, name, hand, play)
            await self._press(name, hand, _address(hand, ":pass:"))
            name = await self.ready()

    async def _press(self, name: str, message: Message, address: str) -> InteractionResult:
        result = await self.here.people[name].click(message, custom_id=address)
        await self.here.parts.delivery.settled()
        await self.here.env.settle()
        return result


def _address(hand: Message, verb: str) -> str:
    """Return the custom id of an enabled button with this verb, empty without one."""
    found = (
        address for address, disabled in ParsedMessage.of(hand).buttons.values() if verb in address and not disabled
    )
    return next(found, "")


def _message(shown: InteractionResult) -> Message:
    assert shown.response is not None
    return shown.response.message


async def measured(ask: Ask) -> float:
    """Return the CPU seconds that this process works on something."""
    start = time.process_time()
    await ask()
    return time.process_time() - start


def main() -> None:
    """Print milliseconds and ratios, SimCord resting after a click, as a bot does."""
    with (
        patch("tests.support.world.Env", Resting),
        asyncio.Runner() as bare,
        asyncio.Runner() as ours,
        tempfile.TemporaryDirectory() as folder,
    ):
        stacks = AsyncExitStack(), AsyncExitStack()
        ok = bare.run(stacks[0].enter_async_context(bare_server()))
        here = ours.run(stacks[1].enter_async_context(world(Path(folder))))
        group = Group(here, ours.run(here.start_table("ben", "cleo", "dev", hands=100)))
        print(f"{'CPU time an interaction':28}{'ms':>8}{'ok, ms':>8}{'ratio':>8}{'goal':>8}")
        for what, goal in GOALS.items():
            pairs = [(bare.run(measured(ok)), ours.run(group.timed(what))) for _ in range(ROUNDS + 5)][5:]
            plain, full = (statistics.median(column) * 1000 for column in zip(*pairs, strict=True))
            ratio = statistics.median(mine / theirs for theirs, mine in pairs)
            print(f"{what:28}{full:8.2f}{plain:8.2f}{ratio:8.1f}{goal:>8}")
        ours.run(stacks[1].aclose())
        bare.run(stacks[0].aclose())


if __name__ == "__main__":
    main()
