"""A server with the real bot in its own process, for tests that disturb its network or its disk.

Opens tables and presses and types for the players.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bot.ai import plain
from bot.rules.core.asks import Play, write_action
from tests.kill.database_file import DatabaseFile, StoredTable
from tests.kill.people import PLAY_ID, card_buttons, is_current
from tests.kill.trial import FAST_CLOCK_BOT, SPEED
from tests.standin import BotProcess, Channel, Interaction, Message, User, World
from tests.standin.rates import Rates
from tests.support.blank_database import create_blank_database

CREATE_PUBLIC_THREADS = 1 << 35


@dataclass(repr=False)
class Club:
    """One channel, four players, one bot. database: reads the file of the bot."""

    world: World
    bot: BotProcess
    channel: Channel
    database_path: Path
    database: DatabaseFile
    people: dict[str, User] = field(default_factory=dict)

    async def start_table(self, *names: str) -> StoredTable:
        """Open a table as the first player, join as the others, fill it with house players, and start."""
        host, *others = (self.people[name] for name in names)
        await self.await_success(await self.world.slash(host, self.channel, "deal", hands=1, pace="live"))
        board = await self.world.until(self.board)
        for other in others:
            await self.await_success(await self.world.click(other, board, "Join"))
        start = "Play now" if board.has("Play now") else "Start"  # Start once all seats are taken
        await self.await_success(await self.world.click(host, board, start))
        await self.await_board()
        return self.table

    @property
    def table(self) -> StoredTable:
        return self.database.tables()[-1]

    def board(self) -> Message:
        """Return the board of the newest table. Raises LookupError before its first message."""
        return self.channel.messages[self.table.message or 0]

    async def await_board(self) -> None:
        """Wait until it is a person's turn and the board shows the stored state."""
        await self.world.until(lambda: self.table.awaited and is_current(self.board(), self.table))

    @property
    def turn(self) -> User:
        """The player on turn."""
        (number,) = self.table.awaited
        return self.world.users[number]

    async def open_hand(self, user: User) -> Message:
        """Open and return the hand of a player."""
        answer = await self.await_success(await self.world.click(user, self.board(), "My hand"))
        assert answer.ephemeral
        return answer.ephemeral

    async def play(self) -> None:
        """Type the action of a plain house player for the player on turn; wait until the action is stored."""
        user, table = self.turn, self.table
        seat = table.seat_of(user.id)
        assert seat is not None
        action = plain.plain_action(table.match.view(seat))
        assert action
        await self.await_success(
            await self.world.slash(user, self.channel, "turn", move=write_action(action), table=table.id)
        )
        await self.world.until(lambda: self.table.ply > table.ply)  # automatic passes may follow

    async def select_cards(self, user: User, hand: Message) -> str:
        """Select the lead of a plain house player in a newly opened hand; return the custom id of Play.

        The cards are tapped one by one, since a hand with a single legal play has no list of plays.
        """
        table = self.table
        seat = table.seat_of(user.id)
        assert seat is not None
        lead = plain.plain_action(table.match.view(seat))
        assert isinstance(lead, Play)
        for card in lead.cards:
            await self.await_success(
                await self.world.click(
                    user, hand, {button_card: tap for tap, button_card in card_buttons(hand, table)}[card]
                )
            )
        await self.world.until(lambda: is_enabled(hand, PLAY_ID))
        return str(hand.control(PLAY_ID)["custom_id"])

    async def await_text(self, interaction: Interaction, words: str) -> None:
        """Wait until an answer contains these words."""
        await self.world.until(lambda: any(words in message.text for message in interaction.messages))

    async def await_success(self, interaction: Interaction) -> Interaction:
        """Wait until an interaction is finally answered; assert that it did not fail."""
        await self.world.until(lambda: interaction.settled)
        assert interaction.error is None, self.bot.output
        return interaction


def is_enabled(message: Message, key: str) -> bool:
    """Whether a message has this button, enabled."""
    return message.has(key) and not message.control(key).get("disabled")


@asynccontextmanager
async def club(folder: Path, **settings: str) -> AsyncIterator[Club]:
    """Start a bot with these settings on a server whose channel allows no threads; check its logs at the end."""
    create_blank_database(database := folder / "bigger.db")
    env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database), "BOT_SPEED": str(SPEED), **settings}
    async with World(rates=Rates(speed=SPEED)) as world:
        channel = world.add_channel("cards")
        channel.app_permissions &= ~CREATE_PUBLIC_THREADS
        people = {name: world.add_user(name) for name in ("ann", "ben", "cleo", "dev")}
        async with BotProcess(world, FAST_CLOCK_BOT, env=env) as bot:
            yield Club(world, bot, channel, database, DatabaseFile(database), people)
            assert bot.tracebacks == []
            assert world.complaints() == []
