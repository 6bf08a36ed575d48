"""A club with the real bot in a process of its own, for tests that spoil its network or its disk.

Knows how a table is opened, and what people press. Refuses to know the rules.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.kill.kept import Kept, KeptTable
from tests.kill.people import PASS, PLAY, shows
from tests.standin import BotProcess, Channel, Interaction, Message, User, World

CREATE_PUBLIC_THREADS = 1 << 35


@dataclass
class Club:
    """One channel, four people, one bot."""

    world: World
    bot: BotProcess
    channel: Channel
    database: Path
    kept: Kept
    people: dict[str, User] = field(default_factory=dict)

    async def start_table(self, *names: str) -> KeptTable:
        """Let the first open a table, the others join, house players fill up, and start."""
        host, *others = (self.people[name] for name in names)
        await self.told(await self.world.slash(host, self.channel, "deal", hands=1, pace="live hints"))
        board = await self.world.until(self.board)
        for other in others:
            await self.told(await self.world.click(other, board, "Join"))
        start = "Play now" if board.has("Play now") else "Start"  # once the board shows that all seats are taken
        await self.told(await self.world.click(host, board, start))
        await self.shown()
        return self.table

    @property
    def table(self) -> KeptTable:
        return self.kept.tables()[-1]

    def board(self) -> Message:
        """The board of the newest table. LookupError before it is there."""
        return self.channel.messages[self.table.message or 0]

    async def shown(self, seconds: float = 10.0) -> None:
        """Wait until the board shows the table as it stands in the file, at a person's turn."""
        await self.world.until(lambda: self.table.awaited and shows(self.board(), self.table), seconds)

    @property
    def turn(self) -> User:
        """The person whose turn it is."""
        (number,) = self.table.awaited
        return self.world.users[number]

    async def hand(self, user: User) -> Message:
        """Open somebody's hand."""
        told = await self.told(await self.world.click(user, self.board(), "My hand"))
        assert told.ephemeral
        return told.ephemeral

    async def play(self) -> Interaction:
        """Let whose turn it is do what the hint says; what came of the last click."""
        user = self.turn
        hand = await self.hand(user)
        await self.advise(user, hand)
        can_play = hand.has(PLAY) and not hand.control(PLAY).get("disabled")
        return await self.world.click(user, hand, hand.control(PLAY if can_play else PASS)["custom_id"])

    async def advise(self, user: User, hand: Message) -> None:
        """Take the hint, where there is one: whoever can only pass needs none."""
        for label in ("Hint", "Which cards?"):
            if hand.has(label):
                before = hand.text
                await self.told(await self.world.click(user, hand, label))
                await self.world.until(partial(says_something_else, hand, before), 30)  # it is thought out meanwhile

    async def told(self, interaction: Interaction) -> Interaction:
        """Wait until an interaction is answered for good; it must not fail."""
        await self.world.until(lambda: interaction.settled, 15)
        assert interaction.error is None, self.bot.output
        return interaction


def says_something_else(message: Message, before: str) -> bool:
    """Tell whether a message has another text by now."""
    return message.text != before


@asynccontextmanager
async def club(folder: Path, **settings: str) -> AsyncIterator[Club]:
    """Give a club whose bot has these settings; its channel has no threads."""
    database = folder / "bigger.db"
    env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database), **settings}
    async with World() as world:
        channel = world.add_channel("cards")
        channel.app_permissions &= ~CREATE_PUBLIC_THREADS
        people = {name: world.add_user(name) for name in ("ann", "ben", "cleo", "dev")}
        async with BotProcess(world, env=env) as bot:
            yield Club(world, bot, channel, database, Kept(database), people)
            assert "Traceback" not in bot.output, bot.output
            assert world.complaints() == []
