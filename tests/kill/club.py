"""A club with the real bot in a process of its own, for tests that spoil its network or its disk.

Knows how a table is opened, and what people press and type. Refuses to know the rules.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.ai import plain
from bot.rules.core.asks import Play, write_action
from tests.kill.database_file import Kept, KeptTable
from tests.kill.people import PLAY, shows, taps
from tests.kill.trial import HURRIED, SPEED
from tests.standin import BotProcess, Channel, Interaction, Message, User, World
from tests.standin.rates import Rates
from tests.support.blank_database import create_blank_database

CREATE_PUBLIC_THREADS = 1 << 35


@dataclass(repr=False)
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
        await self.told(await self.world.slash(host, self.channel, "deal", hands=1, pace="live"))
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

    async def shown(self) -> None:
        """Wait until the board shows the table as it stands in the file, at a person's turn."""
        await self.world.until(lambda: self.table.awaited and shows(self.board(), self.table))

    @property
    def turn(self) -> User:
        """The person on turn."""
        (number,) = self.table.awaited
        return self.world.users[number]

    async def hand(self, user: User) -> Message:
        """Open a player's hand."""
        told = await self.told(await self.world.click(user, self.board(), "My hand"))
        assert told.ephemeral
        return told.ephemeral

    async def play(self) -> None:
        """Let the player on turn type what the plainest house player would do, until that is kept."""
        user, table = self.turn, self.table
        seat = table.seat_of(user.id)
        assert seat is not None
        action = plain.plain_action(table.match.view(seat))
        assert action
        await self.told(await self.world.slash(user, self.channel, "turn", move=write_action(action), table=table.id))
        await self.world.until(lambda: self.table.ply > table.ply)  # others who can only pass may have done so

    async def choose(self, user: User, hand: Message) -> str:
        """Tap what the plainest house player would lead, in a hand that was just opened; the address of what plays it.

        The list of plays is no help: there is none where a hand allows a single play.
        """
        table = self.table
        seat = table.seat_of(user.id)
        assert seat is not None
        lead = plain.plain_action(table.match.view(seat))
        assert isinstance(lead, Play)
        for card in lead.cards:
            await self.told(await self.world.click(user, hand, {held: tap for tap, held in taps(hand, table)}[card]))
        await self.world.until(lambda: can(hand, PLAY))
        return str(hand.control(PLAY)["custom_id"])

    async def reads(self, interaction: Interaction, words: str) -> None:
        """Wait until a user reads these words."""
        await self.world.until(lambda: any(words in message.text for message in interaction.messages))

    async def told(self, interaction: Interaction) -> Interaction:
        """Wait until an interaction is answered for good; it must not fail."""
        await self.world.until(lambda: interaction.settled)
        assert interaction.error is None, self.bot.output
        return interaction


def can(message: Message, key: str) -> bool:
    """Tell whether an enabled button is present."""
    return message.has(key) and not message.control(key).get("disabled")


@asynccontextmanager
async def club(folder: Path, **settings: str) -> AsyncIterator[Club]:
    """Give a club whose bot has these settings; its channel has no threads."""
    create_blank_database(database := folder / "bigger.db")
    env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database), "BOT_SPEED": str(SPEED), **settings}
    async with World(rates=Rates(speed=SPEED)) as world:
        channel = world.add_channel("cards")
        channel.app_permissions &= ~CREATE_PUBLIC_THREADS
        people = {name: world.add_user(name) for name in ("ann", "ben", "cleo", "dev")}
        async with BotProcess(world, HURRIED, env=env) as bot:
            yield Club(world, bot, channel, database, Kept(database), people)
            assert bot.tracebacks == []
            assert world.complaints() == []
