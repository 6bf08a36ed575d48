"""What a play costs while all players have open hands: the evening of tests.bench.load.

The real process over real sockets, with a Discord without limits: live tables of all five games, each in its own
channel, with pictures, emoji and an open hand for every player. The player on turn selects the cards of a plain house
player one by one and presses Play, or passes, answers, gets ready. Actions at a table are ACTION_INTERVAL seconds apart
on average, so that screens are coalesced as in real use. Measured is the CPU time of the bot once all hands are open.
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
from tests.bench.processor import NO_TIME, CpuTime, cpu_time
from tests.bench.requests import kind
from tests.bench.sampling_bot import SAMPLES_VARIABLE
from tests.restart.live_tables import MOVE_TIME, StartedMatch, TableRows, add_board, old_snowflake
from tests.standin import BotProcess, Message, User, World
from tests.standin.components import BUTTON
from tests.standin.realm import DISCORD_TIMEOUT

PRESETS = (
    ("big_two", "pagat"),
    ("big_a", "standard"),
    ("a_bao", "standard"),
    ("big_little_a", "standard"),
    ("tien_len", "south"),
)
TABLES_PER_GAME = 6
SECONDS = 40.0
START_SECONDS, WARM_UP_SECONDS = 5.0, 10.0  # seconds until hands are opened, and from then until the measurement
ACTION_INTERVAL, TAP_INTERVAL = 5.0, 0.4  # seconds between two actions at a table, on average, and between two taps
POLL_INTERVAL = 0.5  # seconds between two looks at a table that awaits no person
SELECTED_STYLE = 1  # button style of a selected card
BUTTON_TIMEOUT = 3.0  # seconds for a hand to show a button; some hands are redrawn a little later
BUTTONS: Mapping[type[Action], Verb] = {
    Play: Verb.PLAY,
    Give: Verb.GIVE,
    Name: Verb.NAME,
    Pass: Verb.PASS,
    Choose: Verb.CHOOSE,
    Ready: Verb.READY,
}
Button: TypeAlias = tuple[Verb, int]  # and the part of the custom id
ACTIONS = "SELECT seat, action FROM actions WHERE table_id = ? AND ply >= ? ORDER BY ply"


@dataclass
class EveningResult:
    """Counts and cost. typed: actions that had no button; late: clicks without an answer."""

    clicks: int = 0
    actions: int = 0
    typed: int = 0
    late: int = 0
    cost: CpuTime = NO_TIME
    requests: Counter[str] = field(default_factory=Counter)


class Seat(NamedTuple):
    """A player, and the message with the open hand."""

    user: User
    hand: Message


class Control(NamedTuple):
    """An enabled button, its custom id, and whether its card is selected."""

    custom_id: str
    press: Press
    selected: bool


class EveningSession:
    """A running evening. store: the bot's database, read-only. result: counts from now on."""

    def __init__(self, world: World, store: sqlite3.Connection) -> None:
        self.world = world
        self.store = store
        self.result = EveningResult()

    async def click(self, seat: Seat, custom_id: str) -> None:
        """Press a button of a hand, unless a redraw has removed the button."""
        if any(control.custom_id == custom_id for control in enabled_buttons(seat.hand)):
            clicked = await self.world.click(seat.user, seat.hand, custom_id)
            self._count(clicked.seconds)

    async def type(self, seat: Seat, action: Action, table: int) -> Seat:
        """Type an action; return the seat with the new hand."""
        self.result.typed += 1
        where = seat.hand.channel
        typed = await self.world.slash(seat.user, where, "turn", move=write_action(action), table=table)
        self._count(typed.seconds)
        return seat._replace(hand=typed.ephemeral or seat.hand)

    def _count(self, answered: float | None) -> None:
        self.result.clicks += 1
        self.result.late += answered is None


class LiveTable:
    """A table and its players; the match is read from the bot's store."""

    def __init__(self, number: int, match: Match, board: Message, people: Sequence[User]) -> None:
        self.number = number
        self.match = match
        self._board = board
        self._people = people
        self._seats: list[Seat] = []
        self._ply = 0
        self._random = Random(number)

    async def open_hands(self, world: World) -> None:
        """Open the hands of all players."""
        for user in self._people:
            opened = await world.click(user, self._board, "My hand")
            assert opened.ephemeral, opened.error
            self._seats.append(Seat(user, opened.ephemeral))

    async def play(self, session: EveningSession) -> None:
        """Let the players act in turn until cancelled."""
        await asyncio.sleep(self._random.uniform(0, ACTION_INTERVAL))
        while True:
            began, pause = monotonic(), self._random.uniform(0.5, 1.5) * ACTION_INTERVAL
            self._update_match(session.store)
            if self.match.awaited:
                await self._act(session, min(self.match.awaited))
                await asyncio.sleep(max(0.0, began + pause - monotonic()))
            else:
                await asyncio.sleep(POLL_INTERVAL)

    def _update_match(self, store: sqlite3.Connection) -> None:
        """Apply the newly stored actions to the match."""
        for seat, action in store.execute(ACTIONS, (self.number, self._ply)).fetchall():
            self.match = self.match.act(seat, read_action(action))
            self._ply += 1

    async def _act(self, session: EveningSession, awaited: int) -> None:
        """Act by the buttons of the hand, or type an action that has no button."""
        seat, match = self._seats[awaited], self.match
        action = Ready() if match.game.result else plain_action(match.view(awaited)) or Pass()
        last = BUTTONS[type(action)], answer_index(action, match.view(awaited).ask)
        for selected in self._card_taps(seat.hand, action):
            if control := next(find_buttons(seat.hand, selected), None):
                await session.click(seat, control.custom_id)
                await asyncio.sleep(TAP_INTERVAL)
        with suppress(TimeoutError):
            await session.world.until(lambda: any(find_buttons(seat.hand, last)), BUTTON_TIMEOUT)
        if control := next(find_buttons(seat.hand, last), None):
            await session.click(seat, control.custom_id)
        else:
            self._seats[awaited] = await session.type(seat, action, self.number)
        session.result.actions += 1

    def _card_taps(self, hand: Message, action: Action) -> list[Button]:
        """Return the buttons of cards to select, and of cards to deselect."""
        if isinstance(action, Name):
            pack, suits = self.match.rules.pack, [suit for suit in SUITS if suit is action.card.suit]
            return [*((Verb.SUIT, SUITS.index(suit)) for suit in suits), (Verb.CARD, pack.index(action.card))]
        wanted, found = Counter(getattr(action, "cards", ())), list[Button]()
        cards = [control for control in enabled_buttons(hand) if control.press.verb is Verb.CARD] if wanted else []
        for control in sorted(cards, key=lambda control: not control.selected):
            card = self.match.rules.pack[control.press.part]
            needed = wanted[card] > 0
            wanted[card] -= needed
            if needed != control.selected:
                found.append((Verb.CARD, control.press.part))
        return found


def answer_index(action: Action, ask: Ask | None) -> int:
    """Return the index of an answer among the offered ones; 0 for other actions."""
    if not isinstance(action, Choose) or not isinstance(ask, ChooseAsk):
        return 0
    return next(answer.place for answer in ask.offered if answer.codes == action.codes)


def find_buttons(hand: Message, wanted: Button) -> Iterator[Control]:
    """Return the enabled buttons of a hand with this verb and part."""
    return (each for each in enabled_buttons(hand) if (each.press.verb, each.press.part) == wanted)


def enabled_buttons(message: Message) -> Iterator[Control]:
    """Yield the enabled buttons of a message."""
    for part in message.controls:
        if part["type"] == BUTTON and not part.get("disabled"):
            try:
                press = Press.read(part.get("custom_id") or "")
            except InvalidCustomId:
                continue
            yield Control(part["custom_id"], press, part["style"] == SELECTED_STYLE)


async def set_up_evening_tables(world: World, database: Path) -> list[LiveTable]:
    """Set up tables right after the deal, on Discord and in the bot's store."""
    now, ids, rows, tables = datetime.now(UTC), count(old_snowflake()), TableRows(), list[LiveTable]()
    timed: dict[str, Any] = {"pace": LIVE, "deadline": now + MOVE_TIME, "wake": now + MOVE_TIME}
    for number in range(1, TABLES_PER_GAME * len(PRESETS) + 1):
        started = StartedMatch.at(f"evening {number}", now, 0, played=PRESETS[number % len(PRESETS)])
        match, where = started.record.begin(), world.add_channel(f"cards {number}")
        people = [world.add_user(f"p{number}-{seat}") for seat in range(match.rules.players)]
        board = add_board(world, where, number, next(ids))
        rows.add(started, board, number, people, timed)
        tables.append(LiveTable(number, match, board, people))
    await rows.save(database, now)
    return tables


def add_card_emoji(world: World) -> None:
    """Add all card emoji to the application on Discord."""
    for look in CARD_STYLES:
        for name in look.names().values():
            number = world.snowflakes.next()
            world.emojis[number] = {"id": str(number), "name": name, "animated": False, "available": True}


async def measure_evening(folder: Path, samples: Path | None = None) -> EveningResult:
    """Return the result of SECONDS of an evening. samples: a file for the profile of the bot."""
    database, module = folder / "evening.db", "tests.bench.sampling_bot" if samples else "bot"
    async with World(answer_within=DISCORD_TIMEOUT) as world:
        add_card_emoji(world)
        tables = await set_up_evening_tables(world, database)
        env = {"BIGGER_DATABASE": str(database), "BIGGER_LOG_LEVEL": "ERROR", SAMPLES_VARIABLE: str(samples)}
        async with BotProcess(world, module, env=env) as bot:
            await asyncio.sleep(START_SECONDS)
            await asyncio.gather(*(table.open_hands(world) for table in tables))
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as store:
                return await _measure_session(EveningSession(world, store), tables, bot, samples)


async def _measure_session(
    here: EveningSession, tables: Sequence[LiveTable], bot: BotProcess, samples: Path | None
) -> EveningResult:
    """Let all players play, and return the result after the warm-up."""
    playing = [asyncio.create_task(table.play(here)) for table in tables]
    await asyncio.sleep(WARM_UP_SECONDS)
    result = here.result = EveningResult()
    before, since = cpu_time(bot.pid), monotonic()
    if samples:
        os.kill(bot.pid, signal.SIGUSR2)
    await asyncio.sleep(SECONDS)
    result.cost = cpu_time(bot.pid).since(before)
    if samples:
        os.kill(bot.pid, signal.SIGUSR2)
        await here.world.until(samples.exists)
    sent = (f"{entry.method} {kind(entry.path)}" for entry in here.world.log if entry.at > since)
    result.requests.update(sent)
    for task in playing:
        task.cancel()
    for ended in await asyncio.gather(*playing, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    return result
