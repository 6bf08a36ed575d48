"""How much CPU time a click costs, relative to a bot whose command only answers "ok": python -m tests.bench.discord

Both bots run in SimCord in one process and alternate; each ratio is the median over rounds. Four people play, so that
no house player thinks. A play includes the answer, the store and the board; the last line adds redrawing the next
player's open hand. More than half of the time is SimCord's own, which copies and checks components many times.
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
OPEN, TAP, PLAY, PLAY_WITH_NEXT_HAND = (
    "My hand, opened",
    "a card, tapped",
    "a play",
    "a play, next hand redrawn",
)
GOALS = {OPEN: "4", TAP: "4", PLAY: "6", PLAY_WITH_NEXT_HAND: ""}

Ask: TypeAlias = Callable[[], Awaitable[object]]


class SettlingDiscord(Env):
    """A simulated Discord that settles after a click, unlike SimCord by default."""

    async def _settle_internal(self, *, idle: float = 0.05, **how: Any) -> None:
        await simcord.Env._settle_internal(self, idle=idle, **how)


class BareBot(commands.Bot):
    """A bot with one command."""

    def __init__(self) -> None:
        super().__init__(command_prefix=(), help_command=None, intents=discord.Intents(guilds=True))

    async def setup_hook(self) -> None:
        @self.tree.command(name="ok", description="Answers ok")
        async def ok(interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message("ok", ephemeral=True)

        await self.tree.sync()


@asynccontextmanager
async def bare_request() -> AsyncIterator[Ask]:
    """Yield a function that sends one command to the bare bot."""
    env = simcord.Env(BareBot())
    guild = env.create_guild(name="Bare")
    await env.start()
    try:
        ann, channel = guild.add_member(env.create_user("ann")), guild.create_text_channel("cards")
        yield lambda: ann.slash(channel, "ok")
    finally:
        await env.shutdown()


class FourPlayers:
    """Four people at one table, who each perform one measured action at a time."""

    def __init__(self, here: World, table: Table) -> None:
        self.here, self.table = here, table
        self.hands: dict[str, Message] = {}

    async def measure(self, what: str) -> float:
        """Perform an action of this kind; return its CPU seconds."""
        name = await self.advance_to_turn()
        if what in (PLAY, PLAY_WITH_NEXT_HAND):
            who, select_play = await self.select_play(name)
            if what == PLAY:
                self.close_other_hands(who)
            return await cpu_seconds(select_play)
        if what == OPEN:
            return await cpu_seconds(lambda: self._open(name))
        tapped = ParsedMessage.of(self.hands[name]).cards[0]
        return await cpu_seconds(lambda: self._press(name, self.hands[name], tapped))

    def close_other_hands(self, name: str) -> None:
        """Close the open hands of all players except one."""
        delivery, user = self.here.parts.delivery, self.here.people[name].id
        delivery.hands._keep(lambda whose, _: whose == user)
        self.hands = {name: self.hands[name]}
        for person in self.here.people.values():
            delivery.clicked(self.table.id, person.id)

    async def advance_to_turn(self) -> str:
        """Play until a person with an open hand is on turn; return the name."""
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

    async def select_play(self, name: str) -> tuple[str, Ask]:
        """Select cards, passing while there is no play; return the player and the click on Play."""
        while True:
            shown = await self._open(name)
            view = self.table.scene(self.here.people[name].id).view
            if view and isinstance(action := choose_action(view), Play):
                shown = await self.here.pick(name, shown, *map(str, action.cards))
            hand = _message(shown)
            if select_play := _address(hand, ":play:"):
                return name, partial(self._press, name, hand, select_play)
            await self._press(name, hand, _address(hand, ":pass:"))
            name = await self.advance_to_turn()

    async def _press(self, name: str, message: Message, address: str) -> InteractionResult:
        result = await self.here.people[name].click(message, custom_id=address)
        await self.here.parts.delivery.settled()
        await self.here.env.settle()
        return result


def _address(hand: Message, verb: str) -> str:
    """Return the custom id of an enabled button with this verb; empty without one."""
    found = (
        address for address, disabled in ParsedMessage.of(hand).buttons.values() if verb in address and not disabled
    )
    return next(found, "")


def _message(shown: InteractionResult) -> Message:
    assert shown.response is not None
    return shown.response.message


async def cpu_seconds(ask: Ask) -> float:
    """Return the CPU seconds of this process during an action."""
    start = time.process_time()
    await ask()
    return time.process_time() - start


def main() -> None:
    """Print milliseconds and ratios; SimCord settles after each click, as the bot does."""
    with (
        patch("tests.support.world.Env", SettlingDiscord),
        asyncio.Runner() as bare,
        asyncio.Runner() as ours,
        tempfile.TemporaryDirectory() as folder,
    ):
        stacks = AsyncExitStack(), AsyncExitStack()
        ok = bare.run(stacks[0].enter_async_context(bare_request()))
        here = ours.run(stacks[1].enter_async_context(world(Path(folder))))
        group = FourPlayers(here, ours.run(here.start_table("ben", "cleo", "dev", hands=100)))
        print(f"{'CPU time an interaction':28}{'ms':>8}{'ok, ms':>8}{'ratio':>8}{'goal':>8}")
        for what, goal in GOALS.items():
            pairs = [(bare.run(cpu_seconds(ok)), ours.run(group.measure(what))) for _ in range(ROUNDS + 5)][5:]
            plain, full = (statistics.median(column) * 1000 for column in zip(*pairs, strict=True))
            ratio = statistics.median(mine / theirs for theirs, mine in pairs)
            print(f"{what:28}{full:8.2f}{plain:8.2f}{ratio:8.1f}{goal:>8}")
        ours.run(stacks[1].aclose())
        bare.run(stacks[0].aclose())


if __name__ == "__main__":
    main()
