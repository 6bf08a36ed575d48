"""A trial: several tables are played, the bot is killed or stopped again and again, and every time all is counted.

Knows when to end it and what has to hold. Refuses to know how people play.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path

from bot.show.kit.custom_ids import InvalidCustomId, Press, parse_custom_id
from tests.kill.database_file import Kept, KeptTable
from tests.kill.ledger import Ledger
from tests.kill.people import ASLEEP, BACK, DOTS, Game, Person, Scene, shows
from tests.standin import BotProcess, Message, World
from tests.standin.rates import Rates
from tests.standin.realm import SEVERAL_WAITS
from tests.support.blank_database import create_blank_database

BEGINNING = 2.0  # seconds in which a start is stopped
WHOLE_MATCHES = SEVERAL_WAITS  # seconds in which all of them are played to the end, on any machine
CREATE_PUBLIC_THREADS = 1 << 35
SPEED = 20.0  # by which Discord's limits, and the bot's keeping to them, are faster: people here are, too
HURRIED = "tests.restart.fast_clock_bot"
SETTINGS = {
    "BOT_SPEED": str(SPEED),
    "BOT_PATIENCE": "10",
    "BIGGER_CARD_EMOJI": "no",
    "BIGGER_LOG_LEVEL": "INFO",
    "BIGGER_HOUSE_DELAY_SECONDS": "0.03",
}


@dataclass(repr=False)
class Figures:
    """What came of a trial.

    longest: seconds from the start of a process until every table had gone on. slowest: until a person was answered.
    last: seconds from the signal to the end of a process that was stopped.
    """

    kills: int = 0
    stops: int = 0
    starts_stopped: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    matches: int = 0
    house_turns: int = 0
    old_buttons: int = 0
    longest: float = 0.0
    slowest: float = 0.0
    last: float = 0.0

    def __add__(self, other: Figures) -> Figures:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Figures(*(max(pair) if isinstance(pair[0], float) else sum(pair) for pair in pairs))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.stops} stops, {self.starts_stopped} starts stopped, "
            f"longest stop {self.last:.1f} s, "
            f"{self.acknowledged} actions acknowledged, {self.lost} lost, {self.doubled} doubled, "
            f"{self.matches} matches finished, {self.house_turns} turns of house players interrupted, "
            f"{self.old_buttons} buttons of dead processes pressed, "
            f"longest recovery {self.longest:.1f} s, slowest answer {self.slowest:.2f} s"
        )


async def trials(
    folder: Path, seeds: Iterable[int], *, kills: int = 0, stops: int = 0, tables: int = 3, hands: int = 2
) -> Figures:
    """Hold a trial for each seed, all at once, each with a Discord and a bot of its own; the figures of all together.

    kills, stops, tables: in each trial. hands: in each match at the first of its tables.
    """

    async def one(seed: int) -> Figures:
        home = folder / str(seed)
        home.mkdir()
        async with World(rates=Rates(speed=SPEED)) as world:
            return await Trial(world, home, seed, tables, hands).run(kills, stops)

    return sum(await asyncio.gather(*map(one, seeds)), Figures())


class Trial:
    """Up to three tables with four people on a Discord of their own."""

    def __init__(self, world: World, folder: Path, seed: int, tables: int, hands: int) -> None:
        self.rng, self.world, self.figures = random.Random(seed), world, Figures()
        create_blank_database(path := folder / "bigger.db")
        self.bot = BotProcess(world, HURRIED, env={**SETTINGS, "BIGGER_DATABASE": str(path)})
        self.kept = Kept(path)
        self.scene = Scene(world, self.bot, self.kept, Ledger(), random.Random(seed + 1))
        self.games = self._games(hands)[:tables]
        self.people = [Person(game, user) for game in self.games for user in game.people]

    def _games(self, hands: int) -> tuple[Game, ...]:
        ann, ben, cleo, dev = (self.world.add_user(name) for name in ("ann", "ben", "cleo", "dev"))
        threads, flat = self.world.add_channel("threads"), self.world.add_channel("flat")
        flat.app_permissions &= ~CREATE_PUBLIC_THREADS
        return (
            Game(self.scene, threads, (ann,), hands),
            Game(self.scene, flat, (cleo, ben, dev, ann), 1),
            Game(self.scene, threads, (ben, ann), 1),
        )

    async def run(self, kills: int, stops: int = 0) -> Figures:
        """Kill the bot that often, and stop it that often, then let every player play to the end."""
        for _ in range(kills):
            await self._life(self._killed)
            self.figures.kills += 1
            self.figures.house_turns += self._house_turns
        for number in range(stops):
            await self._life(self._stopped)
            self.figures.stops += 1
            if number % 3 == 0:
                await self._stopped_at_its_start()
                self.figures.starts_stopped += 1
        self.scene.opening = False
        await self._life(self._ended)
        self._count_results()
        assert self.kept.sound()
        assert not self.bot.troubles, self.bot.output
        complaints = self.world.complaints()
        if stops:  # of an answer and a redraw that are under way at once, either may come last
            complaints = [each for each in complaints if each not in self.world.taken_away]
        assert complaints == [], complaints[:3]
        assert self.world.rates.refused == 0
        return self.figures

    async def _life(self, end: Callable[[], Awaitable[None]]) -> None:
        """Start the bot, see that every table goes on, and let people play until the end that is given."""
        began = time.monotonic()
        await self.bot.start()
        if not self.scene.opening or self.rng.random() < 0.6:
            for game in self.games:
                await self._goes_on(game)
            self.figures.longest = max(self.figures.longest, time.monotonic() - began)
            await self._press_old_buttons()
        async with asyncio.TaskGroup() as group:
            for person in self.people:
                group.create_task(person.live())
            await end()
        self._count()

    # How a life ends

    async def _killed(self) -> None:
        await self._at_any_moment()
        if not self.figures.house_turns:  # one kill at least has to come in the middle of a house player's turn
            await self.world.until(self._held_at_a_house_turn)
        await self.bot.kill9()

    def _held_at_a_house_turn(self) -> bool:
        """Hold the bot where it is a house player's turn; tell whether it is held."""
        if not self._house_turns:
            return False
        os.kill(self.bot.pid, signal.SIGSTOP)
        if not self._house_turns:  # over just now
            os.kill(self.bot.pid, signal.SIGCONT)
        return bool(self._house_turns)

    @property
    def _house_turns(self) -> int:
        """At how many tables it is a house player's turn."""
        return sum(self._house_turn(game.table) for game in self.games)

    async def _stopped(self) -> None:
        """Stop the bot while people click: users heard so far are answered, and the bot stops in time and in order."""
        await self._at_any_moment()
        signal = time.monotonic()
        await self._stop()
        late = [f"type {each.type}, {each.born - signal:+.3f} s" for each in self.bot.unanswered]
        assert not late, (late, time.monotonic() - signal, self.bot.lines[-15:])

    async def _stopped_at_its_start(self) -> None:
        """Stop a bot that begins, at any stage from its first request to Discord on."""
        asked = len(self.world.log)
        await self.bot.begin()
        await self.world.until(lambda: len(self.world.log) > asked)
        await asyncio.sleep(self.rng.uniform(0, BEGINNING))
        await self._stop()

    async def _stop(self) -> None:
        before = time.monotonic()
        code = await self.bot.stop()
        self.figures.last = max(self.figures.last, time.monotonic() - before)
        assert code == 0, (code, self.bot.output)
        assert not self.bot.troubles, self.bot.output

    async def _at_any_moment(self) -> None:
        """Wait for a random moment: of the clock, or while a request of some kind is on its way."""
        await asyncio.sleep(self.rng.uniform(0, 0.5))
        kinds = (("POST", r"/interactions/.*"), ("PATCH", r"/channels/.*"), ("POST", r"/channels/.*"), None)
        kind, after = self.rng.choice(kinds), self.rng.random() < 0.5
        if kind is not None:
            fault = self.world.faults.delay(*kind, seconds=0.1, after=after)
            with suppress(TimeoutError):  # nothing of the kind was sent
                await self.world.until(lambda: fault.hits, 0.5)  # contract: a random moment comes in any case
            fault.end()

    async def _ended(self) -> None:
        """Stop the bot when every match is over and every board shows it."""
        await self.world.until(lambda: not self.kept.open, WHOLE_MATCHES)
        for game in self.games:
            await self._goes_on(game)
        assert await self.bot.stop() == 0, self.bot.output

    # What has to hold

    async def _goes_on(self, game: Game) -> None:
        """Without any player's doing: house players act until it is a person's turn, and the board shows it."""
        await self.world.until(lambda: self._at_rest(game))
        await self.world.until(lambda: self._tidy(game))

    def _at_rest(self, game: Game) -> bool:
        table = game.table
        if table is None:
            return True
        board = game.board(table)
        if board is None or table.phase == "lobby":  # where no match has begun
            return board is not None
        return shows(board, table) and (bool(table.awaited) if table.open else table.phase == "over")

    def _tidy(self, game: Game) -> bool:
        """Whether one board, in whatever channel, and the pings of those awaited are all that lies about."""
        table = game.table
        if table is None:
            return True
        messages = self.world.channels[table.home].seen_by(None)
        everywhere = [message for channel in self.world.channels.values() for message in channel.seen_by(None)]
        boards = [message for message in everywhere if table_on(message) == table.id]
        pings = self.kept.pings(table.id)
        lying = {message.id for message in messages if message.pings and f"table {table.number}]" in message.content}
        awaited = table.awaited if table.phase == "playing" else set()
        one = [board.id for board in boards] == [table.message]
        return one and lying == set(pings) and set(pings.values()) <= awaited

    @staticmethod
    def _house_turn(table: KeptTable | None) -> bool:
        return table is not None and table.phase == "playing" and not table.awaited

    async def _press_old_buttons(self) -> None:
        """The buttons of messages that a dead process has sent, public and private, are answered."""
        for person in self.people:
            table = person.game.table
            if table is None or table.phase != "playing":
                continue
            board = person.game.board(table)
            assert board is not None
            shown = [(board, "My hand")]
            if person.hand and person.lies_open and person.hand_of == table.id:
                shown += [(person.hand, next(key for key in (ASLEEP, BACK, DOTS) if person.hand.has(key)))]
            for message, label in reversed(shown):  # the hand first: the one that the board opens takes its place
                told = await self.scene.told(self.world.click(person.user, message, label))
                assert told.acked
                assert told.ephemeral
                assert told.ephemeral.v2
                self.figures.old_buttons += 1

    def _count(self) -> None:
        """Compare every confirmation so far with the file."""
        ledger = self.scene.ledger
        lost, doubled = ledger.lost(self.kept), ledger.doubled(self.kept)
        self.figures.acknowledged = ledger.acknowledged
        self.figures.lost, self.figures.doubled = len(lost), len(doubled)
        self.figures.slowest = self.scene.slowest
        assert not self.scene.unanswered, [vars(each) for each in self.scene.unanswered]
        assert not lost, lost
        assert not doubled, doubled
        for table in self.kept.tables():
            assert table.phase == "lobby" or table.match.over == (table.phase == "over")
            assert self.kept.results(table.id) == (table.phase == "over")

    def _count_results(self) -> None:
        ledger = self.scene.ledger
        assert ledger.seated, "no seat was told, so none is held against the file"
        assert ledger.started, "no start was told, so none is held against the file"
        for table in self.kept.tables():
            match = table.match
            assert self.kept.standings(table.id) == list(zip(match.places, match.totals, match.nets, strict=True))
            self.figures.matches += 1


def table_on(message: Message) -> int | None:
    """The table whose board or hand a message is; None for a call, which has words above its button."""
    if message.content:
        return None
    for part in message.controls:
        try:
            address = parse_custom_id(part.get("custom_id") or "")
        except InvalidCustomId:
            continue
        if isinstance(address, Press):
            return address.table
    return None
