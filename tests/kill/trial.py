"""A trial: several tables are played while the bot is killed or stopped repeatedly, with checks after each end.

Decides when to end the bot and checks the invariants; ``people`` simulates the players.
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
from tests.kill.database_file import DatabaseFile, StoredTable
from tests.kill.ledger import Ledger
from tests.kill.people import BACK_BUTTON, EXPIRED_HAND_BUTTON, MORE_BUTTON, Game, Person, Scene, is_current
from tests.standin import BotProcess, Message, World
from tests.standin.rates import Rates
from tests.standin.realm import SEVERAL_WAITS
from tests.support.blank_database import create_blank_database

MAX_START_TIME = 2.0  # seconds after the first request of a start until its stop
MATCHES_TIMEOUT = SEVERAL_WAITS  # seconds to play all matches to the end, on any machine
CREATE_PUBLIC_THREADS = 1 << 35
SPEED = 20.0  # factor by which Discord's rate limits, the bot's scheduler for them, and the players are faster
FAST_CLOCK_BOT = "tests.restart.fast_clock_bot"
SETTINGS = {
    "BOT_SPEED": str(SPEED),
    "BOT_PATIENCE": "10",
    "BIGGER_CARD_EMOJI": "no",
    "BIGGER_LOG_LEVEL": "INFO",
    "BIGGER_HOUSE_DELAY_SECONDS": "0.03",
}


@dataclass(repr=False)
class TrialResult:
    """The counts and times of a trial.

    longest_recovery: seconds from the start of a process until every table had resumed. slowest: seconds until the
    slowest answer. longest_stop: seconds from the signal to the end of the process.
    """

    kills: int = 0
    stops: int = 0
    starts_stopped: int = 0
    acknowledged: int = 0
    lost: int = 0
    duplicated: int = 0
    matches: int = 0
    house_turns: int = 0
    old_buttons: int = 0
    longest_recovery: float = 0.0
    slowest: float = 0.0
    longest_stop: float = 0.0

    def __add__(self, other: TrialResult) -> TrialResult:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return TrialResult(*(max(pair) if isinstance(pair[0], float) else sum(pair) for pair in pairs))

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.stops} stops, {self.starts_stopped} starts stopped, "
            f"longest stop {self.longest_stop:.1f} s, "
            f"{self.acknowledged} actions acknowledged, {self.lost} lost, {self.duplicated} duplicated, "
            f"{self.matches} matches finished, {self.house_turns} turns of house players interrupted, "
            f"{self.old_buttons} buttons of dead processes pressed, "
            f"longest recovery {self.longest_recovery:.1f} s, slowest answer {self.slowest:.2f} s"
        )


async def run_trials(
    folder: Path, seeds: Iterable[int], *, kills: int = 0, stops: int = 0, tables: int = 3, hands: int = 2
) -> TrialResult:
    """Run one trial per seed concurrently, each with its own Discord and bot; return the sum of the results.

    kills, stops, tables: per trial. hands: per match at the first table of a trial.
    """

    async def run_one(seed: int) -> TrialResult:
        home = folder / str(seed)
        home.mkdir()
        async with World(rates=Rates(speed=SPEED)) as world:
            return await KillTrial(world, home, seed, tables, hands).run(kills, stops)

    return sum(await asyncio.gather(*map(run_one, seeds)), TrialResult())


class KillTrial:
    """A trial with up to three tables, four players, one bot and one simulated Discord."""

    def __init__(self, world: World, folder: Path, seed: int, tables: int, hands: int) -> None:
        self.rng, self.world, self.result = random.Random(seed), world, TrialResult()
        create_blank_database(path := folder / "bigger.db")
        self.bot = BotProcess(world, FAST_CLOCK_BOT, env={**SETTINGS, "BIGGER_DATABASE": str(path)})
        self.database = DatabaseFile(path)
        self.scene = Scene(world, self.bot, self.database, Ledger(), random.Random(seed + 1))
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

    async def run(self, kills: int, stops: int = 0) -> TrialResult:
        """Kill and stop the bot so many times, then let the players finish all matches."""
        for _ in range(kills):
            await self._run_bot(self._kill_bot)
            self.result.kills += 1
            self.result.house_turns += self._house_turns
        for number in range(stops):
            await self._run_bot(self._stop_while_people_click)
            self.result.stops += 1
            if number % 3 == 0:
                await self._stop_during_start()
                self.result.starts_stopped += 1
        self.scene.opening = False
        await self._run_bot(self._finish_matches)
        self._check_results()
        assert self.database.is_sound()
        assert not self.bot.troubles, self.bot.output
        complaints = self.world.complaints()
        if stops:  # an answer and a concurrent redraw may arrive in either order
            complaints = [each for each in complaints if each not in self.world.removed_menus]
        assert complaints == [], complaints[:3]
        assert self.world.rates.refused == 0
        return self.result

    async def _run_bot(self, end: Callable[[], Awaitable[None]]) -> None:
        """Start the bot, mostly check that every table resumes, and let players act until this end of the process."""
        began = time.monotonic()
        await self.bot.start()
        if not self.scene.opening or self.rng.random() < 0.6:
            for game in self.games:
                await self._await_progress(game)
            self.result.longest_recovery = max(self.result.longest_recovery, time.monotonic() - began)
            await self._press_old_buttons()
        async with asyncio.TaskGroup() as group:
            for person in self.people:
                group.create_task(person.act_until_done())
            await end()
        self._check_confirmations()

    # Ends of a bot process

    async def _kill_bot(self) -> None:
        await self._await_random_moment()
        if not self.result.house_turns:  # at least one kill has to interrupt a house player's turn
            await self.world.until(self._freeze_at_house_turn)
        await self.bot.kill9()

    def _freeze_at_house_turn(self) -> bool:
        """Suspend the bot if it is a house player's turn; return whether the bot is suspended."""
        if not self._house_turns:
            return False
        os.kill(self.bot.pid, signal.SIGSTOP)
        if not self._house_turns:  # the turn ended meanwhile
            os.kill(self.bot.pid, signal.SIGCONT)
        return bool(self._house_turns)

    @property
    def _house_turns(self) -> int:
        """The number of tables at which it is a house player's turn."""
        return sum(self._is_house_turn(game.table) for game in self.games)

    async def _stop_while_people_click(self) -> None:
        """Stop the bot while players click; check that every received click is answered and the exit code is 0."""
        await self._await_random_moment()
        signal = time.monotonic()
        await self._stop()
        late = [f"type {each.type}, {each.born - signal:+.3f} s" for each in self.bot.unanswered]
        assert not late, (late, time.monotonic() - signal, self.bot.lines[-15:])

    async def _stop_during_start(self) -> None:
        """Stop the bot at a random moment after the first request of its start."""
        asked = len(self.world.log)
        await self.bot.begin()
        await self.world.until(lambda: len(self.world.log) > asked)
        await asyncio.sleep(self.rng.uniform(0, MAX_START_TIME))
        await self._stop()

    async def _stop(self) -> None:
        before = time.monotonic()
        code = await self.bot.stop()
        self.result.longest_stop = max(self.result.longest_stop, time.monotonic() - before)
        assert code == 0, (code, self.bot.output)
        assert not self.bot.troubles, self.bot.output

    async def _await_random_moment(self) -> None:
        """Wait for a random time, or until a random kind of request is in progress."""
        await asyncio.sleep(self.rng.uniform(0, 0.5))
        kinds = (("POST", r"/interactions/.*"), ("PATCH", r"/channels/.*"), ("POST", r"/channels/.*"), None)
        kind, after = self.rng.choice(kinds), self.rng.random() < 0.5
        if kind is not None:
            fault = self.world.faults.delay(*kind, seconds=0.1, after=after)
            with suppress(TimeoutError):  # nothing of the kind was sent
                await self.world.until(lambda: fault.hits, 0.5)  # contract: a random moment comes in any case
            fault.end()

    async def _finish_matches(self) -> None:
        """Stop the bot when every match is over and every board shows the end."""
        await self.world.until(lambda: not self.database.open, MATCHES_TIMEOUT)
        for game in self.games:
            await self._await_progress(game)
        assert await self.bot.stop() == 0, self.bot.output

    # Invariants

    async def _await_progress(self, game: Game) -> None:
        """Wait until house players have acted up to a person's turn and the board is current, without any click."""
        await self.world.until(lambda: self._is_at_rest(game))
        await self.world.until(lambda: self._is_tidy(game))

    def _is_at_rest(self, game: Game) -> bool:
        table = game.table
        if table is None:
            return True
        board = game.board(table)
        if board is None or table.phase == "lobby":  # no match has begun
            return board is not None
        return is_current(board, table) and (bool(table.awaited) if table.open else table.phase == "over")

    def _is_tidy(self, game: Game) -> bool:
        """Whether the only messages of the table are one board and the pings of awaited players."""
        table = game.table
        if table is None:
            return True
        messages = self.world.channels[table.home].seen_by(None)
        everywhere = [message for channel in self.world.channels.values() for message in channel.seen_by(None)]
        boards = [message for message in everywhere if table_on(message) == table.id]
        pings = self.database.pings(table.id)
        ping_messages = {
            message.id for message in messages if message.pings and f"table {table.number}]" in message.content
        }
        awaited = table.awaited if table.phase == "playing" else set()
        is_single = [board.id for board in boards] == [table.message]
        return is_single and ping_messages == set(pings) and set(pings.values()) <= awaited

    @staticmethod
    def _is_house_turn(table: StoredTable | None) -> bool:
        return table is not None and table.phase == "playing" and not table.awaited

    async def _press_old_buttons(self) -> None:
        """Press buttons of public and private messages sent by the former process; check that each is answered."""
        for person in self.people:
            table = person.game.table
            if table is None or table.phase != "playing":
                continue
            board = person.game.board(table)
            assert board is not None
            shown = [(board, "My hand")]
            if person.hand and person.has_open_hand and person.hand_table == table.id:
                labels = (EXPIRED_HAND_BUTTON, BACK_BUTTON, MORE_BUTTON)
                shown += [(person.hand, next(label for label in labels if person.hand.has(label)))]
            for message, label in reversed(shown):  # the hand first, since the board's button replaces it
                answer = await self.scene.await_answer(self.world.click(person.user, message, label))
                assert answer.is_acknowledged
                assert answer.ephemeral
                assert answer.ephemeral.v2
                self.result.old_buttons += 1

    def _check_confirmations(self) -> None:
        """Compare all confirmations so far with the database."""
        ledger = self.scene.ledger
        lost, duplicated = ledger.lost(self.database), ledger.duplicated(self.database)
        self.result.acknowledged = ledger.acknowledged
        self.result.lost, self.result.duplicated = len(lost), len(duplicated)
        self.result.slowest = self.scene.slowest
        assert not self.scene.unanswered, [vars(each) for each in self.scene.unanswered]
        assert not lost, lost
        assert not duplicated, duplicated
        for table in self.database.tables():
            assert table.phase == "lobby" or table.match.over == (table.phase == "over")
            assert self.database.count_results(table.id) == (table.phase == "over")

    def _check_results(self) -> None:
        ledger = self.scene.ledger
        assert ledger.seated, "no seat was confirmed, so none was compared"
        assert ledger.started, "no start was confirmed, so none was compared"
        for table in self.database.tables():
            match = table.match
            assert self.database.standings(table.id) == list(zip(match.places, match.totals, match.nets, strict=True))
            self.result.matches += 1


def table_on(message: Message) -> int | None:
    """Return the table of a board or hand; None for other messages, pings included."""
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
