"""People at a table of the killed bot: they look, click and type as impatient people do, sometimes twice.

They see nothing but messages. Refuses to know the game: they find possible actions on their screens.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bot.rules.core.cards import Card, Cards
from bot.show.kit.card_codes import split
from bot.show.kit.custom_ids import Press
from tests.kill.database_file import Kept, KeptTable
from tests.kill.ledger import OPENED, SEATED, Attempt, Ledger, told_beside, told_done
from tests.standin import BotProcess, Channel, Interaction, Message, User, World

DOTS, BACK, ASLEEP, LISTED = "⋯", "Back to my cards", "Show my cards", "What you can play"
PLAY = ":play:"  # in the address of the button whose label changes
PASS = ":pass:"  # in the addresses of what passes once, whatever its label
BLUE = 1  # the style of a card that is picked
AGAIN = 0.15  # seconds until a player looks again
IMPATIENT = 0.1  # how often a player looks though they are not asked


@dataclass(repr=False)
class Scene:
    """Where a trial takes place. opening: whether new tables are still opened."""

    world: World
    bot: BotProcess
    kept: Kept
    ledger: Ledger
    rng: random.Random
    opening: bool = True
    slowest: float = 0.0
    unanswered: list[Interaction] = field(default_factory=list)

    async def told(self, asked: Awaitable[Interaction]) -> Interaction:
        """Wait until the bot has answered, or is dead."""
        interaction = await asked
        self.slowest = max(self.slowest, interaction.seconds or 0.0)
        if interaction.error and interaction.generations:  # it was heard, by a process that lived on
            self.unanswered.append(interaction)
        await self.world.until(lambda: interaction.settled or not self.bot.running)
        return interaction


@dataclass(repr=False)
class Game:
    """A table that is opened by its host in a channel, again and again. houses: how many house players sit there."""

    scene: Scene
    channel: Channel
    people: tuple[User, ...]
    hands: int

    @property
    def host(self) -> User:
        return self.people[0]

    @property
    def table(self) -> KeptTable | None:
        return self.scene.kept.newest(self.host.id, self.channel.id)

    def board(self, table: KeptTable) -> Message | None:
        home = self.scene.world.channels[table.home]
        return home.messages.get(table.message or 0)


class Person:
    """One person at one table."""

    def __init__(self, game: Game, user: User) -> None:
        self.game, self.user, self.scene = game, user, game.scene
        self.hand: Message | None = None
        self.hand_of = 0

    @property
    def lies_open(self) -> bool:
        """Whether a hand lies open whose place no other one has taken."""
        return self.hand is not None and not self.hand.deleted

    async def live(self) -> None:
        """Continue until the bot is dead or nothing is left to do."""
        while self.scene.bot.running:
            table = self.game.table
            if not (table and table.open) and not self.scene.opening:
                return
            with suppress(LookupError):  # the screen has just changed under the finger
                await self._step(table)
            await asyncio.sleep(AGAIN * self.scene.rng.uniform(0.2, 1))

    async def _step(self, table: KeptTable | None) -> None:
        if table is None or not table.open:
            if self.user is self.game.host:
                await self._open()
        elif table.phase == "lobby":
            await self._sit(table)
        else:
            await self.play(table)

    # Before the match

    async def _open(self) -> None:
        asked = self.scene.world.slash(self.user, self.game.channel, "deal", hands=self.game.hands, pace="live hints")
        told = await self.scene.told(asked)
        if told_beside(told, self.scene.world.log, OPENED):
            self.scene.ledger.opened[self.user.id, self.game.channel.id] += 1

    async def _sit(self, table: KeptTable) -> None:
        board = self.game.board(table)
        if board is None:
            return
        if table.seat_of(self.user.id) is None:
            told = await self._press(board, "Join")
            if told_beside(told, self.scene.world.log, SEATED):
                self.scene.ledger.seated.add((table.id, self.user.id))
        elif self.user is self.game.host and all(table.seat_of(other.id) is not None for other in self.game.people):
            full = len(table.chairs) == 4
            told = await self._press(board, "Start" if full else "Play now")
            if told_done(told, self.scene.world.log):
                self.scene.ledger.started.add(table.id)

    # The match

    async def play(self, table: KeptTable) -> None:
        """Make a move at a table with a running match."""
        if self.user.id not in table.awaited and self.scene.rng.random() > IMPATIENT:
            return
        hand = await self._look(table)
        if hand is None or is_old(hand, table):
            return
        if self._can(hand, "Ready"):
            await self._note(table, "ready", table.ply, self._ready(table, hand))
        elif any(self._can(hand, label) for label in ("Hint", PASS)):
            await self._move(table, hand)

    async def _look(self, table: KeptTable) -> Message | None:
        """Look at the hand: reuse an open one, even of a dead process, or open a new one."""
        if self.hand and self._is_of_use(self.hand, table) and self.scene.rng.random() < 0.7:
            if self._can(self.hand, PASS) and not is_old(self.hand, table) and self.scene.rng.random() < 0.5:
                return self.hand
            await self._look_behind(self.hand)
            return self.hand
        board = self.game.board(table)
        if board is not None and self._can(board, "My hand"):
            told = await self._press(board, "My hand")
        else:
            told = await self._type("hand", table)
        if told.ephemeral and told.ephemeral.v2:
            self.hand, self.hand_of = told.ephemeral, table.id
        return self.hand if self.hand_of == table.id else None

    def _is_of_use(self, hand: Message, table: KeptTable) -> bool:
        """Whether a hand lies open, is of this table, and can be made to show how it stands."""
        asleep = hand.has(ASLEEP)
        return self.lies_open and self.hand_of == table.id and not asleep and (hand.has(DOTS) or hand.has(BACK))

    async def _look_behind(self, hand: Message) -> list[str]:
        """Open what is behind the dots, and go back to the cards; return the plays that are listed there."""
        if not hand.has(BACK):
            await self._press(hand, DOTS)
        offered = self._offered(hand)
        await self._press(hand, BACK)
        return offered

    def _ready(self, table: KeptTable, hand: Message) -> Awaitable[Interaction]:
        board = self.game.board(table)
        on = board if board and self._can(board, "Ready") and self.scene.rng.random() < 0.5 else hand
        return self._press(on, "Ready")

    async def _move(self, table: KeptTable, hand: Message) -> None:
        passing = self._can(hand, PASS) and (self.scene.rng.random() < 0.25 or not hand.has(PLAY))
        if not passing and not picked_on(hand, table):
            await self._choose(hand, table)
            passing = not picked_on(hand, table)
        button = hand.control(PASS if passing else PLAY)["custom_id"]
        made_for = Press.read(button)
        what = "pass" if passing else " ".join(map(str, picked_on(hand, table)))
        if self.scene.rng.random() < 0.4:
            typed = self._type("turn", table, move=what)
            await self._note(table, what, None, typed)
            return
        clicks = 2 if self.scene.rng.random() < 0.2 else 1
        await self._note(table, what, made_for.at, *(self._press(hand, button) for _ in range(clicks)))

    async def _choose(self, hand: Message, table: KeptTable) -> None:
        """Choose cards: from the list of plays, by tapping them one by one, or, now and then, by taking the hint.

        A hint takes a process that thinks, which restarts with each bot: many at once are too much for two cores.
        """
        way = self.scene.rng.choice(("list", "tap")) if self.scene.rng.random() < 0.95 else "hint"
        offered = await self._look_behind(hand) if way != "hint" else []
        if not offered:
            for label in ("Hint", "Hint"):
                if self._can(hand, label):
                    await self._press(hand, label)
            return
        play = self.scene.rng.choice(offered)
        if way == "list":
            await self._press(hand, DOTS)
            await self.scene.told(self.scene.world.select(self.user, hand, LISTED, [play]))
            return
        for card in split(play):
            await self._press(hand, {held: address for address, held in taps(hand, table)}[card])

    async def _note(self, table: KeptTable, what: str, ply: int | None, *asked: Awaitable[Interaction]) -> None:
        """Act, and note each attempt, also where nobody waited for the end of its answer."""
        for told in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(told, LookupError):
                continue  # there was nothing to press
            done = isinstance(told, Interaction) and told_done(told, self.scene.world.log)
            self.scene.ledger.attempts.append(Attempt(table.id, self.user.id, what, ply, done))
            if isinstance(told, BaseException):
                raise told
        if self.scene.rng.random() < 0.3:
            self.hand = None  # closed; another one is opened next time

    async def _press(self, message: Message, key: str) -> Interaction:
        return await self.scene.told(self.scene.world.click(self.user, message, message.control(key)["custom_id"]))

    async def _type(self, command: str, table: KeptTable, **options: Any) -> Interaction:
        where = self.scene.world.channels[table.home]
        return await self.scene.told(self.scene.world.slash(self.user, where, command, table=table.id, **options))

    @staticmethod
    def _can(message: Message, key: str) -> bool:
        try:
            return not message.control(key).get("disabled")
        except LookupError:
            return False

    @staticmethod
    def _offered(hand: Message) -> list[str]:
        """The values of the list of plays, cards without spaces."""
        lists = [part for part in hand.controls if (part.get("placeholder") or "").startswith(LISTED)]
        return [option["value"] for part in lists for option in part["options"]]


def ply_on(message: Message) -> int | None:
    """The moment a screen about a table asks about; None on a screen that asks for no play."""
    found = (re.match(r"bg:\d+:(?:play|pass):(\d+)", part.get("custom_id") or "") for part in message.controls)
    return next((int(each[1]) for each in found if each), None)


def is_old(hand: Message, table: KeptTable) -> bool:
    """Whether a hand asks about what is past: nobody acts on that who sees the board."""
    seen = ply_on(hand)
    return seen is not None and seen < table.ply - 1


def shows(board: Message, table: KeptTable) -> bool:
    """Whether a board shows a table that has begun as it stands in the file."""
    match = table.match
    asking = f"ready:{match.number}" if match.game.result else f"pass:{table.ply}"
    wanted = f"bg:{table.id}:{'rematch' if match.over else asking}"
    return any(part.get("custom_id") == wanted for part in board.controls)


def taps(message: Message, table: KeptTable, *, picked: bool | None = None) -> Iterator[tuple[str, Card]]:
    """The cards that are buttons in a hand, with their addresses; picked: only those that are, or are not."""
    pack = table.match.rules.pack
    for part in message.controls:
        address = part.get("custom_id") or ""
        if ":card:" in address and picked in (None, part.get("style") == BLUE):
            yield address, pack[Press.read(address).part]


def picked_on(message: Message, table: KeptTable) -> Cards:
    """The cards that are picked in a hand."""
    return tuple(card for _, card in taps(message, table, picked=True))
