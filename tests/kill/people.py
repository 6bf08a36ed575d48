"""Simulated players at a table of the killed bot: they look, click and type impatiently, sometimes twice.

Players see only messages and find possible actions on their screens; no rules of a game are used.
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
from tests.kill.database_file import DatabaseFile, StoredTable
from tests.kill.ledger import FIRST_TABLE_TEXT, SEATED_TEXT, Attempt, Ledger, is_confirmed, is_confirmed_privately
from tests.standin import BotProcess, Channel, Interaction, Message, User, World

MORE_BUTTON, BACK_BUTTON, EXPIRED_HAND_BUTTON, PLAY_MENU = "⋯", "Back to my cards", "Show my cards", "What you can play"
PLAY_ID = ":play:"  # part of the custom id of Play, whose label changes
PASS_ID = ":pass:"  # part of the custom ids of Pass, whose label changes
PRIMARY_STYLE = 1  # button style of a selected card
LOOK_INTERVAL = 0.15  # longest pause between two looks of a player, in seconds
IMPATIENCE = 0.1  # probability that a player looks while not awaited


@dataclass(repr=False)
class Scene:
    """The environment of a trial. opening: whether hosts still open new tables."""

    world: World
    bot: BotProcess
    database: DatabaseFile
    ledger: Ledger
    rng: random.Random
    opening: bool = True
    slowest: float = 0.0
    unanswered: list[Interaction] = field(default_factory=list)

    async def await_answer(self, asked: Awaitable[Interaction]) -> Interaction:
        """Wait until the bot has answered an interaction, or is dead."""
        interaction = await asked
        self.slowest = max(self.slowest, interaction.seconds or 0.0)
        if interaction.error and interaction.generations:  # received by a process that is still alive
            self.unanswered.append(interaction)
        await self.world.until(lambda: interaction.settled or not self.bot.running)
        return interaction


@dataclass(repr=False)
class Game:
    """A table that its host opens repeatedly in a channel. people: the host first. hands: per match."""

    scene: Scene
    channel: Channel
    people: tuple[User, ...]
    hands: int

    @property
    def host(self) -> User:
        return self.people[0]

    @property
    def table(self) -> StoredTable | None:
        return self.scene.database.newest(self.host.id, self.channel.id)

    def board(self, table: StoredTable) -> Message | None:
        home = self.scene.world.channels[table.home]
        return home.messages.get(table.message or 0)


class Person:
    """One player at one table."""

    def __init__(self, game: Game, user: User) -> None:
        self.game, self.user, self.scene = game, user, game.scene
        self.hand: Message | None = None
        self.hand_table = 0

    @property
    def has_open_hand(self) -> bool:
        """Whether the player has an open hand that no newer one has replaced."""
        return self.hand is not None and not self.hand.deleted

    async def act_until_done(self) -> None:
        """Act until the bot is dead, or the table has ended and no new one is opened."""
        while self.scene.bot.running:
            table = self.game.table
            if not (table and table.open) and not self.scene.opening:
                return
            with suppress(LookupError):  # the screen changed before the click
                await self._step(table)
            await asyncio.sleep(LOOK_INTERVAL * self.scene.rng.uniform(0.2, 1))

    async def _step(self, table: StoredTable | None) -> None:
        if table is None or not table.open:
            if self.user is self.game.host:
                await self._open_table()
        elif table.phase == "lobby":
            await self._prepare(table)
        else:
            await self.play(table)

    # Before the match

    async def _open_table(self) -> None:
        asked = self.scene.world.slash(self.user, self.game.channel, "deal", hands=self.game.hands, pace="live hints")
        answer = await self.scene.await_answer(asked)
        if is_confirmed_privately(answer, self.scene.world.log, FIRST_TABLE_TEXT):
            self.scene.ledger.opened[self.user.id, self.game.channel.id] += 1

    async def _prepare(self, table: StoredTable) -> None:
        board = self.game.board(table)
        if board is None:
            return
        if table.seat_of(self.user.id) is None:
            answer = await self._press(board, "Join")
            if is_confirmed_privately(answer, self.scene.world.log, SEATED_TEXT):
                self.scene.ledger.seated.add((table.id, self.user.id))
        elif self.user is self.game.host and all(table.seat_of(other.id) is not None for other in self.game.people):
            full = len(table.chairs) == 4
            answer = await self._press(board, "Start" if full else "Play now")
            if is_confirmed(answer, self.scene.world.log):
                self.scene.ledger.started.add(table.id)

    # The match

    async def play(self, table: StoredTable) -> None:
        """Look at a running match, and act if asked."""
        if self.user.id not in table.awaited and self.scene.rng.random() > IMPATIENCE:
            return
        hand = await self._look(table)
        if hand is None or is_outdated(hand, table):
            return
        if self._is_enabled(hand, "Ready"):
            await self._act(table, "ready", table.ply, self._ready(table, hand))
        elif any(self._is_enabled(hand, label) for label in ("Hint", PASS_ID)):
            await self._move(table, hand)

    async def _look(self, table: StoredTable) -> Message | None:
        """Return the hand: an open one, even from a former process, or a newly opened one."""
        if self.hand and self._is_usable(self.hand, table) and self.scene.rng.random() < 0.7:
            if (
                self._is_enabled(self.hand, PASS_ID)
                and not is_outdated(self.hand, table)
                and self.scene.rng.random() < 0.5
            ):
                return self.hand
            await self._read_play_list(self.hand)
            return self.hand
        board = self.game.board(table)
        if board is not None and self._is_enabled(board, "My hand"):
            answer = await self._press(board, "My hand")
        else:
            answer = await self._type("hand", table)
        if answer.ephemeral and answer.ephemeral.v2:
            self.hand, self.hand_table = answer.ephemeral, table.id
        return self.hand if self.hand_table == table.id else None

    def _is_usable(self, hand: Message, table: StoredTable) -> bool:
        """Whether the hand is open, of this table, and not expired."""
        expired = hand.has(EXPIRED_HAND_BUTTON)
        return (
            self.has_open_hand
            and self.hand_table == table.id
            and not expired
            and (hand.has(MORE_BUTTON) or hand.has(BACK_BUTTON))
        )

    async def _read_play_list(self, hand: Message) -> list[str]:
        """Open the menu behind the dots and go back to the cards; return the listed plays."""
        if not hand.has(BACK_BUTTON):
            await self._press(hand, MORE_BUTTON)
        offered = self._listed_plays(hand)
        await self._press(hand, BACK_BUTTON)
        return offered

    def _ready(self, table: StoredTable, hand: Message) -> Awaitable[Interaction]:
        board = self.game.board(table)
        on = board if board and self._is_enabled(board, "Ready") and self.scene.rng.random() < 0.5 else hand
        return self._press(on, "Ready")

    async def _move(self, table: StoredTable, hand: Message) -> None:
        is_pass = self._is_enabled(hand, PASS_ID) and (self.scene.rng.random() < 0.25 or not hand.has(PLAY_ID))
        if not is_pass and not picked_cards(hand, table):
            await self._choose(hand, table)
            is_pass = not picked_cards(hand, table)
        button = hand.control(PASS_ID if is_pass else PLAY_ID)["custom_id"]
        play_press = Press.read(button)
        action = "pass" if is_pass else " ".join(map(str, picked_cards(hand, table)))
        if self.scene.rng.random() < 0.4:
            typed = self._type("turn", table, move=action)
            await self._act(table, action, None, typed)
            return
        clicks = 2 if self.scene.rng.random() < 0.2 else 1
        await self._act(table, action, play_press.at, *(self._press(hand, button) for _ in range(clicks)))

    async def _choose(self, hand: Message, table: StoredTable) -> None:
        """Select cards: from the list of plays, one by one, or rarely by the hint.

        Hints are rare because their worker processes restart with each bot, too often for two cores.
        """
        way = self.scene.rng.choice(("list", "tap")) if self.scene.rng.random() < 0.95 else "hint"
        offered = await self._read_play_list(hand) if way != "hint" else []
        if not offered:
            for label in ("Hint", "Hint"):
                if self._is_enabled(hand, label):
                    await self._press(hand, label)
            return
        play = self.scene.rng.choice(offered)
        if way == "list":
            await self._press(hand, MORE_BUTTON)
            await self.scene.await_answer(self.scene.world.select(self.user, hand, PLAY_MENU, [play]))
            return
        for card in split(play):
            await self._press(hand, {button_card: address for address, button_card in card_buttons(hand, table)}[card])

    async def _act(self, table: StoredTable, action: str, ply: int | None, *requests: Awaitable[Interaction]) -> None:
        """Await these interactions and record each in the ledger, also after a timeout of its answer."""
        for answer in await asyncio.gather(*requests, return_exceptions=True):
            if isinstance(answer, LookupError):
                continue  # there was no such button
            done = isinstance(answer, Interaction) and is_confirmed(answer, self.scene.world.log)
            self.scene.ledger.attempts.append(Attempt(table.id, self.user.id, action, ply, done))
            if isinstance(answer, BaseException):
                raise answer
        if self.scene.rng.random() < 0.3:
            self.hand = None  # dismissed: the next look opens a new one

    async def _press(self, message: Message, key: str) -> Interaction:
        return await self.scene.await_answer(
            self.scene.world.click(self.user, message, message.control(key)["custom_id"])
        )

    async def _type(self, command: str, table: StoredTable, **options: Any) -> Interaction:
        where = self.scene.world.channels[table.home]
        return await self.scene.await_answer(
            self.scene.world.slash(self.user, where, command, table=table.id, **options)
        )

    @staticmethod
    def _is_enabled(message: Message, key: str) -> bool:
        try:
            return not message.control(key).get("disabled")
        except LookupError:
            return False

    @staticmethod
    def _listed_plays(hand: Message) -> list[str]:
        """Return the values of the list of plays, cards without spaces."""
        lists = [part for part in hand.controls if (part.get("placeholder") or "").startswith(PLAY_MENU)]
        return [option["value"] for part in lists for option in part["options"]]


def asked_ply(message: Message) -> int | None:
    """Return the ply for which a screen offers Play or Pass; None on other screens."""
    found = (re.match(r"bg:\d+:(?:play|pass):(\d+)", part.get("custom_id") or "") for part in message.controls)
    return next((int(each[1]) for each in found if each), None)


def is_outdated(hand: Message, table: StoredTable) -> bool:
    """Whether a hand is at least two plies behind, so that a player who sees the board ignores it."""
    seen = asked_ply(hand)
    return seen is not None and seen < table.ply - 1


def is_current(board: Message, table: StoredTable) -> bool:
    """Whether a board shows the stored state of a running or finished match."""
    match = table.match
    asking = f"ready:{match.number}" if match.game.result else f"pass:{table.ply}"
    wanted = f"bg:{table.id}:{'rematch' if match.over else asking}"
    return any(part.get("custom_id") == wanted for part in board.controls)


def card_buttons(message: Message, table: StoredTable, *, picked: bool | None = None) -> Iterator[tuple[str, Card]]:
    """Yield custom id and card of each card button in a hand. picked: only selected or only other cards."""
    pack = table.match.rules.pack
    for part in message.controls:
        address = part.get("custom_id") or ""
        if ":card:" in address and picked in (None, part.get("style") == PRIMARY_STYLE):
            yield address, pack[Press.read(address).part]


def picked_cards(message: Message, table: StoredTable) -> Cards:
    """Return the selected cards of a hand."""
    return tuple(card for _, card in card_buttons(message, table, picked=True))
