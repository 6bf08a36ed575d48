"""What a play costs where every player looks on: the part of tests.bench.load that says what people do.

The real process over real sockets, with a Discord without limits: live tables of all five games, each in a channel of
its own, with pictures, emoji and an open hand for every player. The player on turn picks card by card in the open hand
and presses Play, as a house player would; or passes, answers, gets ready. Between two actions at a table lie PAUSE
seconds on average, so that screens which may wait are coalesced as in an evening. Counted is the time that the bot's
process spends on a processor once all hands are open.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from bot.ai.plain import plain_action
from bot.delivery.emoji import CARD_STYLES
from bot.domain.pace import LIVE
from bot.rules.core.asks import Action, Ask, Choose, ChooseAsk, Give, Name, Pass, Play, Ready, read_action, write_action
from bot.rules.core.cards import SUITS
from bot.rules.matches.match import Match
from bot.show.kit.custom_ids import InvalidCustomId, Press, Verb
from tests.bench.processor import NOTHING, Spent, spent
from tests.bench.requests import kind
from tests.bench.sampling_bot import INTO
from tests.restart.crowd import OWN_TIME, Begun, Rows, add_board, long_ago
from tests.standin import BotProcess, Message, User, World
from tests.standin.components import BUTTON
from tests.standin.realm import AT_DISCORD

PLAYED = (
    ("big_two", "pagat"),
    ("big_a", "standard"),
    ("a_bao", "standard"),
    ("big_little_a", "standard"),
    ("tien_len", "south"),
)
EACH = 6  # tables of each game
SECONDS = 40.0
STARTING, WARM = 5.0, 10.0  # seconds before the hands are opened, and after that before anything counts
PAUSE, TAP = 5.0, 0.4  # seconds between two actions at a table, and between two taps
LOOK_AGAIN = 0.5  # seconds after which to look again at a table that waits for no player
PICKED = 1  # the style of the button of a card that is picked
PATIENCE = 3.0  # seconds for a hand to show a button; some are redrawn a little later
BUTTONS: Mapping[type[Action], Verb] = {
    Play: Verb.PLAY,
    Give: Verb.GIVE,
    Name: Verb.NAME,
    Pass: Verb.PASS,
    Choose: Verb.CHOOSE,
    Ready: Verb.READY,
}
Button: TypeAlias = tuple[Verb, int]  # and the part of its address
ACTIONS = "SELECT seat, action FROM actions WHERE table_id = ? AND ply >= ? ORDER BY ply"


@dataclass
class Figures:
    """What was done and what it cost. typed: actions without a button for them; late: clicks without an answer."""

    clicks: int = 0
    actions: int = 0
    typed: int = 0
    late: int = 0
    cost: Spent = NOTHING
    requests: Counter[str] = field(default_factory=Counter)


class Seat(NamedTuple):
    """A player, and the message in which their hand is open."""

    user: User
    hand: Message


class Control(NamedTuple):
    """An enabled button, its custom id, and whether it is marked as selected."""

    custom_id: str
    press: Press
    picked: bool


class Evening:
    """What is open while people play. store: the bot's own, to read. figures: of what is done from now on."""

    def __init__(self, world: World, store: sqlite3.Connection) -> None:
        self.world = world
        self.store = store
        self.figures = Figures()

    async def click(self, seat: Seat, custom_id: str) -> None:
        """Let a player press a button of their hand, unless that was redrawn without it meanwhile."""
        if any(control.custom_id == custom_id for control in controls(seat.hand)):
            clicked = await self.world.click(seat.user, seat.hand, custom_id)
            self._count(clicked.seconds)

    async def type(self, seat: Seat, action: Action, table: int) -> Seat:
        """Let a player type an action; return the new hand, which replaces the other one."""
        self.figures.typed += 1
        where = seat.hand.channel
        typed = await self.world.slash(seat.user, where, "turn", move=write_action(action), table=table)
        self._count(typed.seconds)
        return seat._replace(hand=typed.ephemeral or seat.hand)

    def _count(self, answered: float | None) -> None:
        self.figures.clicks += 1
        self.figures.late += answered is None


class LiveTable:
    """A table, as its players see it. The bot's store says how its match stands."""

    def __init__(self, number: int, match: Match, board: Message, people: Sequence[User]) -> None:
        self.number = number
        self.match = match
        self._board = board
        self._people = people
        self._seats: list[Seat] = []
        self._ply = 0
        self._random = Random(number)

    async def open_hands(self, world: World) -> None:
        """Let all players open their hands."""
        for user in self._people:
            opened = await world.click(user, self._board, "My hand")
            assert opened.ephemeral, opened.error
            self._seats.append(Seat(user, opened.ephemeral))

    async def play(self, evening: Evening) -> None:
        """Let the players act in turn until cancelled."""
        await asyncio.sleep(self._random.uniform(0, PAUSE))
        while True:
            began, pause = monotonic(), self._random.uniform(0.5, 1.5) * PAUSE
            self._read(evening.store)
            if self.match.awaited:
                await self._act(evening, min(self.match.awaited))
                await asyncio.sleep(max(0.0, began + pause - monotonic()))
            else:
                await asyncio.sleep(LOOK_AGAIN)

    def _read(self, store: sqlite3.Connection) -> None:
        """Bring the match up to date."""
        for seat, action in store.execute(ACTIONS, (self.number, self._ply)).fetchall():
            self.match = self.match.act(seat, read_action(action))
            self._ply += 1

    async def _act(self, evening: Evening, awaited: int) -> None:
        """Let a player act by the buttons of their hand, or type what it has no button for."""
        seat, match = self._seats[awaited], self.match
        action = Ready() if match.game.result else plain_action(match.view(awaited)) or Pass()
        last = BUTTONS[type(action)], answer_place(action, match.view(awaited).ask)
        for picked in self._picks(seat.hand, action):
            if control := next(pressed(seat.hand, picked), None):
                await evening.click(seat, control.custom_id)
                await asyncio.sleep(TAP)
        with suppress(TimeoutError):
            await evening.world.until(lambda: any(pressed(seat.hand, last)), PATIENCE)
        if control := next(pressed(seat.hand, last), None):
            await evening.click(seat, control.custom_id)
        else:
            self._seats[awaited] = await evening.type(seat, action, self.number)
        evening.figures.actions += 1

    def _picks(self, hand: Message, action: Action) -> list[Button]:
        """Return the buttons of cards to select, and of cards to deselect."""
        if isinstance(action, Name):
            pack, suits = self.match.rules.pack, [suit for suit in SUITS if suit is action.card.suit]
            return [*((Verb.SUIT, SUITS.index(suit)) for suit in suits), (Verb.CARD, pack.index(action.card))]
        wanted, found = Counter(getattr(action, "cards", ())), list[Button]()
        cards = [control for control in controls(hand) if control.press.verb is Verb.CARD] if wanted else []
        for control in sorted(cards, key=lambda control: not control.picked):
            card = self.match.rules.pack[control.press.part]
            needed = wanted[card] > 0
            wanted[card] -= needed
            if needed != control.picked:
                found.append((Verb.CARD, control.press.part))
        return found


def answer_place(action: Action, ask: Ask | None) -> int:
    """Return the rank of this message among the answers; 0 for other messages."""
    if not isinstance(action, Choose) or not isinstance(ask, ChooseAsk):
        return 0
    return next(answer.place for answer in ask.offered if answer.codes == action.codes)


def pressed(hand: Message, wanted: Button) -> Iterator[Control]:
    """Press the button of a hand for this purpose, if enabled."""
    return (each for each in controls(hand) if (each.press.verb, each.press.part) == wanted)


def controls(message: Message) -> Iterator[Control]:
    """Return the enabled buttons below a table's messages."""
    for part in message.controls:
        if part["type"] == BUTTON and not part.get("disabled"):
            try:
                press = Press.read(part.get("custom_id") or "")
            except InvalidCustomId:
                continue
            yield Control(part["custom_id"], press, part["style"] == PICKED)


async def live_tables(world: World, database: Path) -> list[LiveTable]:
    """Set up tables at which the first cards have been dealt, on Discord and in the bot's store."""
    now, ids, rows, made = datetime.now(UTC), count(long_ago()), Rows(), list[LiveTable]()
    timed: dict[str, Any] = {"pace": LIVE, "deadline": now + OWN_TIME, "wake": now + OWN_TIME}
    for number in range(1, EACH * len(PLAYED) + 1):
        begun = Begun.at(f"evening {number}", now, 0, played=PLAYED[number % len(PLAYED)])
        match, where = begun.record.begin(), world.add_channel(f"cards {number}")
        people = [world.add_user(f"p{number}-{seat}") for seat in range(match.rules.players)]
        board = add_board(world, where, number, next(ids))
        rows.add(begun, board, number, people, timed)
        made.append(LiveTable(number, match, board, people))
    await rows.keep(database, now)
    return made


def add_emoji(world: World) -> None:
    """Let Discord have the bot's emoji already."""
    for look in CARD_STYLES:
        for name in look.names().values():
            number = world.snowflakes.next()
            world.emojis[number] = {"id": str(number), "name": name, "animated": False, "available": True}


async def evening(folder: Path, samples: Path | None = None) -> Figures:
    """Return the figures of SECONDS of an evening. samples: a file for what the bot does meanwhile, see sampled."""
    database, module = folder / "evening.db", "tests.bench.sampling_bot" if samples else "bot"
    async with World(answer_within=AT_DISCORD) as world:
        add_emoji(world)
        tables = await live_tables(world, database)
        env = {"BIGGER_DATABASE": str(database), "BIGGER_LOG_LEVEL": "ERROR", INTO: str(samples)}
        async with BotProcess(world, module, env=env) as bot:
            await asyncio.sleep(STARTING)
            await asyncio.gather(*(table.open_hands(world) for table in tables))
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as store:
                return await _measured(Evening(world, store), tables, bot, samples)


async def _measured(here: Evening, tables: Sequence[LiveTable], bot: BotProcess, samples: Path | None) -> Figures:
    """Let every player play, and return the figures of it."""
    playing = [asyncio.create_task(table.play(here)) for table in tables]
    await asyncio.sleep(WARM)
    figures = here.figures = Figures()
    before, since = spent(bot.pid), monotonic()
    if samples:
        os.kill(bot.pid, signal.SIGUSR2)
    await asyncio.sleep(SECONDS)
    figures.cost = spent(bot.pid).since(before)
    if samples:
        os.kill(bot.pid, signal.SIGUSR2)
        await here.world.until(samples.exists)
    sent = (f"{entry.method} {kind(entry.path)}" for entry in here.world.log if entry.at > since)
    figures.requests.update(sent)
    for task in playing:
        task.cancel()
    for ended in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    return figures
