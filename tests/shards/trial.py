"""Several bots that share Discord's shards, and people who play at tables on servers of all shards.

Knows how bots are killed and stopped, how people go on, and how to see that tables move. Refuses to know the rules.
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
from tests.kill.people import PASS, PLAY, Game, Person, Scene, taps
from tests.restart.crowd import Begun, Rows, add_board, long_ago
from tests.shards.database_server import Kept
from tests.shards.fast_shards_bot import HOURS
from tests.standin import BotProcess, Guild, Interaction, Message, User, World
from tests.standin.rates import Rates
from tests.support.postgres import borrow_database, drop_database

SPEED = 20.0  # by which Discord's limits, and the bots' keeping to them, are faster: what all send in 1 s, in 0.05 s
GAP = 0.1  # seconds between two that identify
LEASE, PART = 60.0, 60  # a lease that no machine is too slow for, renewed each second; who is to lose it is told so
SHORT, AS_EVER = 3.0, 3  # a lease that runs out by itself, renewed as often as the bot does
LIMIT = 60.0  # seconds for whatever is waited for, which takes one or a few
STUCK = 10  # times a limit, after which a table does not move any more, however slow the machine is
SOON = 1.0  # seconds at most until a player comes again whose click failed
MAY = 5.0  # seconds until a table may move, beside a lease and the time to identify
ROOM = 0.2  # seconds a table between two things that people do at one, at most: all of them click here
LATE = 0.001  # of all requests: those that this Discord, which is late itself, takes for more at once than were sent


@dataclass(repr=False)
class Crowded(Scene):
    """Environment of a trial with several bots. in_vain: whose last click failed."""

    in_vain: set[int] = field(default_factory=set)

    async def told(self, asked: Awaitable[Interaction]) -> Interaction:
        """Wait for an answer, or for the death of the bot that heard the user."""
        interaction = await asked
        self.slowest = max(self.slowest, interaction.seconds or 0.0)
        (self.in_vain.add if interaction.error else self.in_vain.discard)(interaction.user.id)
        if interaction.error and interaction.generations:
            self.unanswered.append(interaction)
        await self.world.until(lambda: interaction.settled or not interaction.generations, LIMIT)
        return interaction


@dataclass(repr=False)
class Trial:
    """A trial of several bots.

    bots: the processes. moved: for each ended bot the time until its tables had moved, and the latest time to move
    them. room: seconds between two actions of people at a table, at most. gap: seconds between two identifications.
    lease: seconds; an expiring one is LEASE long.
    """

    world: World
    database: DatabaseServer
    kept: Kept
    scene: Crowded
    bots: list[BotProcess]
    rng: random.Random
    room: float = 1.5
    lease: float = LEASE
    gap: float = GAP
    games: dict[int, Game] = field(default_factory=dict)
    moved: list[tuple[float, float]] = field(default_factory=list)
    playing: list[asyncio.Task[None]] = field(default_factory=list)
    watching: asyncio.Task[None] | None = None
    over: bool = False  # whether people stop
    down: list[BotProcess] = field(default_factory=list)  # those that are to be down
    unfinished: int = 0  # answers that were begun and had no end in LIMIT
    again: int = 0  # processes that ended by themselves and were started again, as systemd does

    def __str__(self) -> str:
        times = ", ".join(f"{seconds:.1f} of {most:.1f}" for seconds, most in self.moved)
        return (
            f"{self.scene.ledger.acknowledged} acknowledged, all tables moved again after {times} s, "
            f"{self.again} processes ended by themselves, slowest answer {self.scene.slowest:.2f} s, "
            f"{self.unfinished} answers without an end, "
            f"{len(self.refused())} of {len(self.world.log)} requests refused for their rate"
        )

    def shards_of(self, bot: BotProcess) -> set[int]:
        mine = bot.generation
        return {session.shard for session in self.world.gateway.all_live() if session.generation == mine}

    def shard_of(self, table: int) -> int:
        return table % self.world.shards

    def sessions(self) -> list[int]:
        """To how many shards each running bot is connected."""
        return [len(self.shards_of(bot)) for bot in self.bots if bot.running]

    async def shared_out(self) -> None:
        """Wait until the tables of every shard have gone on, and each bot has its part and no other one."""
        await self.world.until(self._are_shared_out, LIMIT + self.gap * self.world.shards)

    def _are_shared_out(self) -> bool:
        shards, had = self.world.shards, self.sessions()
        once = sum(had) == shards and max(had) - min(had) <= 1
        return once and all(self.said(f"Shard {shard} of {shards} is ready") for shard in range(shards))

    def said(self, line: str) -> bool:
        """Whether one of the bots has said this."""
        return any(line in bot.output for bot in self.bots)

    async def watch(self) -> None:
        """Start whatever ends by itself once more."""
        while True:
            await asyncio.sleep(0.3)
            for bot in self.bots:
                if bot.ended and bot not in self.down:
                    assert await bot.wait() == 1, bot.output
                    self.again += 1
                    await bot.begin()

    def play(self) -> None:
        """Let people play from now on."""
        self.over = False
        self.playing = [asyncio.create_task(self._play(table, game)) for table, game in self.games.items()]

    async def _play(self, number: int, game: Game) -> None:
        people = {user.id: Person(game, user) for user in game.people}
        in_vain = None  # the ply at which a click failed: a player who made it comes again soon until they have moved
        await asyncio.sleep(self.room * self.rng.random())
        while not self.over and (table := await self.kept.table(number)).open:
            for user in table.awaited:
                try:
                    await people[user].play(table)
                except LookupError:
                    pass  # the screen has just changed
                except TimeoutError:
                    self.unfinished += 1  # the player comes again, as people do
            if self.scene.in_vain & table.awaited:
                in_vain = table.ply
            await asyncio.sleep((self.soon if in_vain == table.ply else self.room) * self.rng.random())

    @property
    def soon(self) -> float:
        return min(SOON, self.room)

    async def all_move(self, shards: Collection[int] | None = None) -> float:
        """Wait until every table of these shards that is still played has moved; how long it took.

        shards: None for all. After an absence the users return soon; elsewhere as usual.
        """
        began, before = time.monotonic(), await self.kept.plies()
        before = {table: plies for table, plies in before.items() if shards is None or self.shard_of(table) in shards}
        while still := [table for table, plies in (await self.kept.plies()).items() if before.get(table) == plies]:
            waited = time.monotonic() - began
            assert waited < STUCK * (LIMIT + self.room), (still, self.output())  # contract: later means stuck
            await asyncio.sleep(0.05)
        return time.monotonic() - began

    def one_of_them(self) -> BotProcess:
        """A bot that has shards."""
        return self.rng.choice([bot for bot in self.bots if bot.running and self.shards_of(bot)])

    async def begin(self) -> None:
        """Start all bots, and let people play once each bot has its part."""
        for bot in self.bots:
            await bot.begin()
        await self.shared_out()
        self.play()

    async def hours_pass(self, *bots: BotProcess) -> None:
        """Let hours pass for these bots: their leases expire, noticed at the next action."""
        pids = [bot.pid for bot in bots]
        await self.kept.later(HOURS, pids)
        for pid in pids:
            os.kill(pid, signal.SIGUSR2)

    async def all_renewed(self) -> None:
        """Wait until every bot has a lease that lasts."""
        async with asyncio.timeout(LIMIT):
            while await self.kept.renewed() < len(self.bots):  # noqa: ASYNC110  # the database tells nobody
                await asyncio.sleep(0.05)

    async def hand_of(self, number: int, board: Message | None = None) -> tuple[User, Message]:
        """Let the player on turn open their hand and select a card if leading; return both.

        board: a message with the table's buttons, in place of its board.
        """
        table, game = await self.kept.table(number), self.games[number]
        (user,) = [user for user in game.people if user.id in table.awaited]
        shown = board or game.board(table)
        assert shown
        told = await self.scene.told(self.world.click(user, shown, "My hand"))
        assert told.ephemeral, (told.error, self.output())
        if not can_pass(told.ephemeral):
            card, _ = next(taps(told.ephemeral, table))
            await self.scene.told(self.world.click(user, told.ephemeral, card))
        return user, told.ephemeral

    async def act(self, user: User, hand: Message) -> Interaction:
        """Let a player pass, or play what is picked."""
        button = hand.control(PASS if can_pass(hand) else PLAY)["custom_id"]
        return await self.scene.told(self.world.click(user, hand, button))

    async def ended(self, *, kill: bool) -> None:
        """Let a bot that has shards end, see every table move in time, and start it again, first where it is alone."""
        bot = self.one_of_them()
        lost = self.shards_of(bot)
        self.down.append(bot)
        await (self.killed(bot) if kill else self.stopped(bot))
        if alone := len(self.bots) == 1:
            await bot.begin()
        connected = self.lease + self.gap * len(lost)
        self.moved.append((await self.all_move(lost), connected + MAY))
        if not alone:
            await bot.begin()
        self.down.remove(bot)

    async def killed(self, bot: BotProcess) -> None:
        """Kill a bot; its lease runs out at once, where it would not by itself."""
        pid = bot.pid
        await bot.kill9()
        if self.lease == LEASE:
            await self.kept.later(HOURS, [pid])

    async def stopped(self, bot: BotProcess) -> None:
        """Stop a bot while people click: it stops quietly, and heard users are answered."""
        lines, signalled = len(bot.lines), time.monotonic()
        assert await bot.stop(LIMIT) == 0, self.output()
        fuss = [line for line in bot.troubles if line in bot.lines[lines:]]
        waiting = [each for each in bot.unanswered if each.born > signalled - self.world.answer_within]
        late = [f"type {each.type}, {each.born - signalled:+.3f} s" for each in waiting]  # others had given up before
        trouble = [*fuss, *late]
        assert not trouble, (trouble, self.output())

    async def stop(self) -> None:
        """Let people stop, then count."""
        self.over = True
        await asyncio.gather(*self.playing)
        self.playing = []
        await self.count()

    async def count(self) -> None:
        """Compare messages to users with the store."""
        found = await self.kept.all()
        ledger = self.scene.ledger
        assert not ledger.lost(found), ledger.lost(found)  # type: ignore[arg-type]
        assert not ledger.doubled(found), ledger.doubled(found)  # type: ignore[arg-type]

    def logged(self) -> list[str]:
        """Notable log records of every bot."""
        return [line for bot in self.bots for line in bot.lines if "ERROR" in line or "WARNING" in line]

    def output(self) -> str:
        return "\n".join(f"[{number}] {line}" for number, bot in enumerate(self.bots) for line in bot.lines[-30:])

    async def check(self) -> None:
        """Assert that no bot identified out of turn or failed."""
        turns = await self.kept.turns()
        assert len(self.world.gateway.identified) <= len(turns)
        assert all(later - sooner >= timedelta(seconds=self.gap) for sooner, later in pairwise(turns)), turns
        failures = [traceback for bot in self.bots for traceback in bot.tracebacks]
        assert failures == [], failures[0]

    def refused(self) -> list[str]:
        """The requests that were more than Discord's limits allow."""
        return [f"{each.method} {each.path} for {each.generation}" for each in self.world.log if each.status == 429]

    def check_rates(self) -> None:
        """Assert that the bots stayed within Discord's limits."""
        refused = self.refused()
        assert len(refused) <= len(self.world.log) * LATE, refused


def can_pass(hand: Message) -> bool:
    """Tell whether a hand has a button to pass that can be pressed."""
    return hand.has(PASS) and not hand.control(PASS).get("disabled")


@asynccontextmanager
async def trial(
    tables: int,
    *,
    shards: int = 3,
    bots: int = 3,
    seed: int = 1,
    lease: float = LEASE,
    part: int = PART,
    gap: float = GAP,
    room: float = ROOM,
    speed: float = SPEED,
    answers: float = LIMIT,
) -> AsyncIterator[Trial]:
    """Give so many tables on servers of all shards, and bots that are to be started.

    part: of a lease after which it is renewed. room: seconds a table, as ROOM. answers: seconds for which people wait.
    """
    database, rng = borrow_database(), random.Random(seed)
    env = {
        "BOT_SPEED": str(speed),
        "BOT_GAP": str(gap),
        "BOT_ANSWERS": str(answers),
        "BOT_PART": str(part),
        "BOT_PATIENCE": "10",
        "BIGGER_CARD_EMOJI": "no",
        "BIGGER_DATABASE": database.reveal(),
        "BIGGER_LEASE_SECONDS": str(lease),
    }
    async with World(answer_within=answers, rates=Rates(speed=speed)) as world, Kept.opened(database) as kept:
        world.shards = shards
        ahead = cycle(("0", "5", "-5"))  # seconds by which the clocks of the bots differ
        made = [
            BotProcess(world, "tests.shards.fast_shards_bot", env=env | {"BOT_AHEAD": next(ahead)}) for _ in range(bots)
        ]
        scene = Crowded(world, made[0], kept, Ledger(), random.Random(seed + 1))  # type: ignore[arg-type]
        held = Trial(world, database, kept, scene, made, rng, room * tables, lease, gap)
        await _set_up(held, tables)
        held.watching = asyncio.create_task(held.watch())
        try:
            yield held
        finally:
            for task in (held.watching, *held.playing):
                task.cancel()
            for bot in made:
                if bot.running:
                    await bot.kill9()
    drop_database(database)


async def _set_up(held: Trial, number: int) -> None:
    world, now, rows, ids = held.world, datetime.now(UTC), Rows(), count(long_ago())
    guilds = [await guild_on(world, shard) for shard in range(world.shards)]
    for table in range(1, number + 1):
        guild = guilds[held.shard_of(table)]
        where = world.add_channel(f"cards {table}", guild)
        people = tuple(world.add_user(f"p{table}-{seat}", guild) for seat in range(4))
        begun = Begun.at(f"shards {table}", now, 8, by="order")
        board = add_board(world, where, table, next(ids))
        later = now + timedelta(hours=1)
        more = {"pace": Pace("live", hints=True), "deadline": later, "wake": later}
        rows.add(begun, board, table, people, more)
        held.games[table] = Game(held.scene, where, people, 1)
    await rows.keep(held.database, now)
    await held.kept.note_turns()


async def guild_on(world: World, shard: int) -> Guild:
    """A server that this shard hears of."""
    while True:
        guild = world.add_guild(f"The Club {shard}")
        if (guild.id >> 22) % world.shards == shard:
            return guild
        del world.guilds[guild.id]
        await asyncio.sleep(0.001)
