"""Several bots that share Discord's shards, and players at tables on servers of all shards.

Starts, kills and stops bots, simulates players, and checks that tables continue, independently of the rules.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, cycle, pairwise

from bot.domain.pace import Pace
from bot.runtime.store_address import DatabaseServer
from tests.kill.ledger import Ledger
from tests.kill.people import PASS_ID, PLAY_ID, Game, Person, Scene, card_buttons
from tests.restart.live_tables import StartedMatch, TableRows, add_board, old_snowflake
from tests.shards.database_server import SharedDatabase
from tests.shards.fast_shards_bot import SKIPPED_TIME
from tests.standin import BotProcess, Guild, Interaction, Message, User, World
from tests.standin.rates import Rates
from tests.support.postgres import borrow_database, drop_database

SPEED = 20.0  # factor by which Discord's rate limits, and the bots' schedulers for them, are faster
IDENTIFY_INTERVAL = 0.1  # seconds between two IDENTIFY frames
LEASE, RENEWALS_PER_LEASE = 60.0, 60  # seconds: expires only when a test ages it; renewed each second
SHORT_LEASE, DEFAULT_RENEWALS = 3.0, 3  # seconds: expires by itself; renewed as often as in production
WAIT_LIMIT = 60.0  # seconds for any wait: events take a few seconds on a quiet machine
STUCK_FACTOR = 10  # multiple of WAIT_LIMIT after which a table counts as stuck, on however slow a machine
MAX_RETRY_DELAY = 1.0  # seconds until a player whose click failed clicks again
MAX_RECOVERY = 5.0  # seconds until a table moves again, beyond the lease and the time to identify
PAUSE_PER_TABLE = 0.2  # longest pause between two actions at one table, in seconds per table of the trial
MAX_REFUSED_SHARE = 0.001  # share of requests with 429: the stand-in, itself late, may see bursts that were not sent


@dataclass(repr=False)
class ShardedScene(Scene):
    """The environment of a trial with several bots. failed_users: users whose last click failed."""

    failed_users: set[int] = field(default_factory=set)

    async def await_answer(self, asked: Awaitable[Interaction]) -> Interaction:
        """Wait for the answer to an interaction, or for the death of the bot that received it."""
        interaction = await asked
        self.slowest = max(self.slowest, interaction.seconds or 0.0)
        (self.failed_users.add if interaction.error else self.failed_users.discard)(interaction.user.id)
        if interaction.error and interaction.generations:
            self.unanswered.append(interaction)
        await self.world.until(lambda: interaction.settled or not interaction.generations, WAIT_LIMIT)
        return interaction


@dataclass(repr=False)
class ShardTrial:
    """A trial of several bots.

    bots: the processes. recoveries: per ended bot, the seconds until its tables moved again, and their limit.
    max_pause: longest pause of players between two actions at a table. lease: LEASE, or a shorter lease that expires
    by itself. Both, and identify_interval, in seconds. play_tasks: one per table.
    """

    world: World
    address: DatabaseServer
    database: SharedDatabase
    scene: ShardedScene
    bots: list[BotProcess]
    rng: random.Random
    max_pause: float = 1.5
    lease: float = LEASE
    identify_interval: float = IDENTIFY_INTERVAL
    games: dict[int, Game] = field(default_factory=dict)
    recoveries: list[tuple[float, float]] = field(default_factory=list)
    play_tasks: list[asyncio.Task[None]] = field(default_factory=list)
    restart_task: asyncio.Task[None] | None = None
    play_ended: bool = False  # tells the players to stop
    stopped_bots: list[BotProcess] = field(default_factory=list)  # not to be restarted
    timeouts: int = 0  # answers that began and were not complete within WAIT_LIMIT
    restarts: int = 0  # processes that ended by themselves and were restarted, as by systemd

    def __str__(self) -> str:
        times = ", ".join(f"{seconds:.1f} of {most:.1f}" for seconds, most in self.recoveries)
        return (
            f"{self.scene.ledger.acknowledged} acknowledged, all tables moved again after {times} s, "
            f"{self.restarts} processes ended by themselves, slowest answer {self.scene.slowest:.2f} s, "
            f"{self.timeouts} answers incomplete after {WAIT_LIMIT} s, "
            f"{len(self.refused())} of {len(self.world.log)} requests refused for their rate"
        )

    def shards_of(self, bot: BotProcess) -> set[int]:
        mine = bot.generation
        return {session.shard for session in self.world.gateway.all_live() if session.generation == mine}

    def shard_of(self, table: int) -> int:
        return table % self.world.shards

    def session_counts(self) -> list[int]:
        """Return the number of connected shards of each running bot."""
        return [len(self.shards_of(bot)) for bot in self.bots if bot.running]

    async def await_balance(self) -> None:
        """Wait until the tables of every shard have resumed and the shards are shared equally among the bots."""
        await self.world.until(self._is_balanced, WAIT_LIMIT + self.identify_interval * self.world.shards)

    def _is_balanced(self) -> bool:
        shards, had = self.world.shards, self.session_counts()
        once = sum(had) == shards and max(had) - min(had) <= 1
        return once and all(self.has_logged(f"Shard {shard} of {shards} is ready") for shard in range(shards))

    def has_logged(self, line: str) -> bool:
        """Whether a bot has logged this line."""
        return any(line in bot.output for bot in self.bots)

    async def restart_ended_bots(self) -> None:
        """Restart each bot that ends by itself, until cancelled."""
        while True:
            await asyncio.sleep(0.3)
            for bot in self.bots:
                if bot.ended and bot not in self.stopped_bots:
                    assert await bot.wait() == 1, bot.output
                    self.restarts += 1
                    await bot.begin()

    def start_play(self) -> None:
        """Let players act at all tables from now on."""
        self.play_ended = False
        self.play_tasks = [asyncio.create_task(self._play_table(table, game)) for table, game in self.games.items()]

    async def _play_table(self, number: int, game: Game) -> None:
        people = {user.id: Person(game, user) for user in game.people}
        failed_at = None  # the ply of a failed click: its player retries soon until the table moves
        await asyncio.sleep(self.max_pause * self.rng.random())
        while not self.play_ended and (table := await self.database.table(number)).open:
            for user in table.awaited:
                try:
                    await people[user].play(table)
                except LookupError:
                    pass  # the screen has just changed
                except TimeoutError:
                    self.timeouts += 1  # a player without an answer tries again
            if self.scene.failed_users & table.awaited:
                failed_at = table.ply
            await asyncio.sleep((self.retry_delay if failed_at == table.ply else self.max_pause) * self.rng.random())

    @property
    def retry_delay(self) -> float:
        return min(MAX_RETRY_DELAY, self.max_pause)

    async def await_moves(self, shards: Collection[int] | None = None) -> float:
        """Wait until every running table of these shards (None: of all) has moved; return the seconds."""
        began, before = time.monotonic(), await self.database.plies()
        before = {table: plies for table, plies in before.items() if shards is None or self.shard_of(table) in shards}
        while still := [table for table, plies in (await self.database.plies()).items() if before.get(table) == plies]:
            waited = time.monotonic() - began
            assert waited < STUCK_FACTOR * (WAIT_LIMIT + self.max_pause), (
                still,
                self.output(),
            )  # contract: later means stuck
            await asyncio.sleep(0.05)
        return time.monotonic() - began

    def pick_bot(self) -> BotProcess:
        """Return a random bot that has shards."""
        return self.rng.choice([bot for bot in self.bots if bot.running and self.shards_of(bot)])

    async def start(self) -> None:
        """Start all bots, and the players once the shards are shared equally."""
        for bot in self.bots:
            await bot.begin()
        await self.await_balance()
        self.start_play()

    async def expire_leases(self, *bots: BotProcess) -> None:
        """Let hours pass for these bots: their leases expire, which each bot notices at its next action."""
        pids = [bot.pid for bot in bots]
        await self.database.age_leases(SKIPPED_TIME, pids)
        for pid in pids:
            os.kill(pid, signal.SIGUSR2)

    async def await_renewed_leases(self) -> None:
        """Wait until every bot has an unexpired lease."""
        async with asyncio.timeout(WAIT_LIMIT):
            while await self.database.count_live_leases() < len(self.bots):  # noqa: ASYNC110  # no event
                await asyncio.sleep(0.05)

    async def open_hand(self, number: int, board: Message | None = None) -> tuple[User, Message]:
        """Open the hand of the player on turn, with a card selected if the player leads; return player and hand.

        board: a message with the table's buttons, instead of the table's board.
        """
        table, game = await self.database.table(number), self.games[number]
        (user,) = [user for user in game.people if user.id in table.awaited]
        shown = board or game.board(table)
        assert shown
        answer = await self.scene.await_answer(self.world.click(user, shown, "My hand"))
        assert answer.ephemeral, (answer.error, self.output())
        if not can_pass(answer.ephemeral):
            card, _ = next(card_buttons(answer.ephemeral, table))
            await self.scene.await_answer(self.world.click(user, answer.ephemeral, card))
        return user, answer.ephemeral

    async def press_move(self, user: User, hand: Message) -> Interaction:
        """Press Pass if possible, else Play with the selected cards."""
        button = hand.control(PASS_ID if can_pass(hand) else PLAY_ID)["custom_id"]
        return await self.scene.await_answer(self.world.click(user, hand, button))

    async def end_one_bot(self, *, kill: bool) -> None:
        """End a bot, check that its tables move again in time, and restart the bot: at once if there is no other."""
        bot = self.pick_bot()
        lost = self.shards_of(bot)
        self.stopped_bots.append(bot)
        await (self.kill_bot(bot) if kill else self.stop_bot(bot))
        if alone := len(self.bots) == 1:
            await bot.begin()
        connected = self.lease + self.identify_interval * len(lost)
        self.recoveries.append((await self.await_moves(lost), connected + MAX_RECOVERY))
        if not alone:
            await bot.begin()
        self.stopped_bots.remove(bot)

    async def kill_bot(self, bot: BotProcess) -> None:
        """Kill a bot; a lease that does not expire by itself is expired at once."""
        pid = bot.pid
        await bot.kill9()
        if self.lease == LEASE:
            await self.database.age_leases(SKIPPED_TIME, [pid])

    async def stop_bot(self, bot: BotProcess) -> None:
        """Stop a bot while players click: the stop logs no trouble, and every received click is answered."""
        lines, signalled = len(bot.lines), time.monotonic()
        assert await bot.stop(WAIT_LIMIT) == 0, self.output()
        logged = [line for line in bot.troubles if line in bot.lines[lines:]]
        waiting = [each for each in bot.unanswered if each.born > signalled - self.world.answer_within]
        late = [f"type {each.type}, {each.born - signalled:+.3f} s" for each in waiting]  # older ones had timed out
        trouble = [*logged, *late]
        assert not trouble, (trouble, self.output())

    async def stop_play(self) -> None:
        """Stop the players, then compare their confirmations with the database."""
        self.play_ended = True
        await asyncio.gather(*self.play_tasks)
        self.play_tasks = []
        await self.check_database()

    async def check_database(self) -> None:
        """Compare all confirmations to players with the database."""
        stored = await self.database.snapshot()
        ledger = self.scene.ledger
        assert not ledger.lost(stored), ledger.lost(stored)  # type: ignore[arg-type]
        assert not ledger.duplicated(stored), ledger.duplicated(stored)  # type: ignore[arg-type]

    def notable_logs(self) -> list[str]:
        """Return the warnings and errors in the logs of all bots."""
        return [line for bot in self.bots for line in bot.lines if "ERROR" in line or "WARNING" in line]

    def output(self) -> str:
        return "\n".join(f"[{number}] {line}" for number, bot in enumerate(self.bots) for line in bot.lines[-30:])

    async def check_bots(self) -> None:
        """Assert that no bot identified too early or logged a traceback."""
        turns = await self.database.identify_turns()
        assert len(self.world.gateway.identified) <= len(turns)
        interval = timedelta(seconds=self.identify_interval)
        assert all(later - sooner >= interval for sooner, later in pairwise(turns)), turns
        failures = [traceback for bot in self.bots for traceback in bot.tracebacks]
        assert failures == [], failures[0]

    def refused(self) -> list[str]:
        """Return the requests refused for their rate."""
        return [f"{each.method} {each.path} for {each.generation}" for each in self.world.log if each.status == 429]

    def check_rates(self) -> None:
        """Assert that Discord refused at most a negligible share of requests for its rate limits."""
        refused = self.refused()
        assert len(refused) <= len(self.world.log) * MAX_REFUSED_SHARE, refused


def can_pass(hand: Message) -> bool:
    """Whether a hand has an enabled Pass button."""
    return hand.has(PASS_ID) and not hand.control(PASS_ID).get("disabled")


@asynccontextmanager
async def shard_trial(
    tables: int,
    *,
    shards: int = 3,
    bots: int = 3,
    seed: int = 1,
    lease: float = LEASE,
    renewals: int = RENEWALS_PER_LEASE,
    identify_interval: float = IDENTIFY_INTERVAL,
    pause_per_table: float = PAUSE_PER_TABLE,
    speed: float = SPEED,
    answer_within: float = WAIT_LIMIT,
) -> AsyncIterator[ShardTrial]:
    """Set up running tables on servers of all shards, and bots still to be started; kill the bots at the end.

    renewals: per lease. pause_per_table: as PAUSE_PER_TABLE. answer_within: seconds until a click counts as failed.
    """
    address, rng = borrow_database(), random.Random(seed)
    env = {
        "BOT_SPEED": str(speed),
        "BOT_GAP": str(identify_interval),
        "BOT_ANSWERS": str(answer_within),
        "BOT_PART": str(renewals),
        "BOT_PATIENCE": "10",
        "BIGGER_CARD_EMOJI": "no",
        "BIGGER_DATABASE": address.reveal(),
        "BIGGER_LEASE_SECONDS": str(lease),
    }
    async with (
        World(answer_within=answer_within, rates=Rates(speed=speed)) as world,
        SharedDatabase.opened(address) as database,
    ):
        world.shards = shards
        offsets = cycle(("0", "5", "-5"))  # of the bots' clocks, in seconds
        module = "tests.shards.fast_shards_bot"
        processes = [BotProcess(world, module, env=env | {"BOT_AHEAD": next(offsets)}) for _ in range(bots)]
        scene = ShardedScene(world, processes[0], database, Ledger(), random.Random(seed + 1))  # type: ignore[arg-type]
        max_pause = pause_per_table * tables
        trial = ShardTrial(world, address, database, scene, processes, rng, max_pause, lease, identify_interval)
        await _set_up_tables(trial, tables)
        trial.restart_task = asyncio.create_task(trial.restart_ended_bots())
        try:
            yield trial
        finally:
            for task in (trial.restart_task, *trial.play_tasks):
                task.cancel()
            for bot in processes:
                if bot.running:
                    await bot.kill9()
    drop_database(address)


async def _set_up_tables(trial: ShardTrial, number: int) -> None:
    world, now, rows, ids = trial.world, datetime.now(UTC), TableRows(), count(old_snowflake())
    guilds = [await add_guild_on(world, shard) for shard in range(world.shards)]
    for table in range(1, number + 1):
        guild = guilds[trial.shard_of(table)]
        where = world.add_channel(f"cards {table}", guild)
        people = tuple(world.add_user(f"p{table}-{seat}", guild) for seat in range(4))
        match = StartedMatch.at(f"shards {table}", now, 8, by="order")
        board = add_board(world, where, table, next(ids))
        later = now + timedelta(hours=1)
        more = {"pace": Pace("live", hints=True), "deadline": later, "wake": later}
        rows.add(match, board, table, people, more)
        trial.games[table] = Game(trial.scene, where, people, 1)
    await rows.save(trial.address, now)
    await trial.database.record_identify_turns()


async def add_guild_on(world: World, shard: int) -> Guild:
    """Add a server whose id belongs to this shard."""
    while True:
        guild = world.add_guild(f"The Club {shard}")
        if (guild.id >> 22) % world.shards == shard:
            return guild
        del world.guilds[guild.id]
        await asyncio.sleep(0.001)
