"""Several bots that share Discord's shards, and people who play at tables on servers of all shards.

Knows how bots are killed and stopped, how people go on, and how to see that tables move. Refuses to know the rules.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, cycle

from bot.ground.address import Server
from bot.ground.pace import Pace
from tests.kill.ledger import Ledger
from tests.kill.people import PASS, PLAY, Game, Person, Scene
from tests.kill.trial import STOPPED
from tests.postgres import a_server_database, drop
from tests.restart.crowd import Begun, Rows, add_board, long_ago
from tests.shards.kept import Kept
from tests.standin import BotProcess, Guild, Interaction, Message, User, World
from tests.standin.rates import Rates

SPEED = 20.0  # by which Discord's limits, and the bots' keeping to them, are faster: what all send in 1 s, in 0.05 s
GAP = 0.5  # seconds between two that identify
LEASE = 3.0
SOON = 1.0  # seconds at most until somebody comes again whose click failed
MAY = 5.0  # seconds until a table may move, beside a lease and the time to identify
MOVES = 10.0  # seconds: these, and what people take for the many clicks of one move
ROOM = 0.2  # seconds a table between two things that people do at one, at most: all of them click here
OVERLOADED = 10.0
LATE = 0.001  # of all requests: those that this Discord, which is late itself, takes for more at once than were sent
TIMES = 4  # that people come to a table before it moves: what they click while nobody has it fails


@dataclass
class Crowded(Scene):
    """Where a trial takes place that has several bots. in_vain: whose last click failed."""

    in_vain: set[int] = field(default_factory=set)

    async def told(self, asked: Awaitable[Interaction]) -> Interaction:
        """Wait until somebody has answered, or whoever has heard it is dead."""
        interaction = await asked
        self.slowest = max(self.slowest, interaction.seconds or 0.0)
        (self.in_vain.add if interaction.error else self.in_vain.discard)(interaction.user.id)
        if interaction.error and interaction.generations:
            self.unanswered.append(interaction)
        await self.world.until(lambda: interaction.settled or not interaction.generations, 20)
        return interaction


@dataclass
class Trial:
    """bots: the processes. moved: how long it took after each that ended until all its tables had moved, and by when
    they may move again at the latest.

    room: seconds between two things that people do at a table, at most. gap: seconds between two that identify.
    """

    world: World
    database: Server
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
    again: int = 0  # processes that ended by themselves and were started again, as systemd does

    def __str__(self) -> str:
        times = ", ".join(f"{seconds:.1f} of {most:.1f}" for seconds, most in self.moved)
        return (
            f"{self.scene.ledger.acknowledged} acknowledged, all tables moved again after {times} s, "
            f"{self.again} processes ended by themselves, slowest answer {self.scene.slowest:.2f} s"
        )

    def live(self) -> set[int]:
        """The shards that somebody is connected to."""
        return {session.shard for session in self.world.gateway.all_live()}

    def shards_of(self, bot: BotProcess) -> set[int]:
        mine = bot.generation
        return {session.shard for session in self.world.gateway.all_live() if session.generation == mine}

    def shard_of(self, table: int) -> int:
        return table % self.world.shards

    def sessions(self) -> list[int]:
        """To how many shards each running bot is connected."""
        return [len(self.shards_of(bot)) for bot in self.bots if bot.running]

    async def everywhere(self, seconds: float = 20.0) -> None:
        """Wait until somebody is connected to every shard."""
        await self.world.until(lambda: len(self.live()) == self.world.shards, seconds)

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
        in_vain = None  # the ply at which a click failed: whoever made it comes again soon until they have moved
        await asyncio.sleep(self.room * self.rng.random())
        while not self.over and (table := await self.kept.table(number)).open:
            for user in table.awaited:
                with suppress(LookupError, TimeoutError):  # who waits in vain comes again, as people do
                    await people[user].play(table)
            if self.scene.in_vain & table.awaited:
                in_vain = table.ply
            await asyncio.sleep((self.soon if in_vain == table.ply else self.room) * self.rng.random())

    @property
    def soon(self) -> float:
        return min(SOON, self.room)

    async def all_move(self, within: float, shards: Collection[int] | None = None) -> float:
        """Wait until every table of these shards that is still played has moved; how long it took.

        shards: None for all. Where they have been away, people come soon; elsewhere as they always do.
        """
        within += TIMES * (self.room if shards is None else self.soon)
        began, before = time.monotonic(), await self.kept.plies()
        before = {table: plies for table, plies in before.items() if shards is None or self.shard_of(table) in shards}
        while True:
            now = await self.kept.plies()
            still = [table for table, plies in before.items() if now.get(table, plies + 1) == plies]
            if not still:
                return time.monotonic() - began
            assert time.monotonic() - began < within, (still, await self.kept.holders(), self.output())
            await asyncio.sleep(0.05)

    def one_of_them(self) -> BotProcess:
        """A bot that has shards."""
        return self.rng.choice([bot for bot in self.bots if bot.running and self.shards_of(bot)])

    async def begin(self) -> None:
        """Start all bots, and let people play once somebody is connected to every shard."""
        for bot in self.bots:
            await bot.begin()
        await self.everywhere(20.0 + self.gap * self.world.shards)
        self.play()

    async def hand_of(self, number: int, board: Message | None = None) -> tuple[Person, Message]:
        """Let whose turn it is at a table open their hand and take a hint; who that is, and their hand.

        board: a message with the table's buttons, in place of its board.
        """
        table, game = await self.kept.table(number), self.games[number]
        (user,) = [user for user in game.people if user.id in table.awaited]
        shown = board or game.board(table)
        assert shown
        told = await self.scene.told(self.world.click(user, shown, "My hand"))
        assert told.ephemeral, (told.error, self.output())
        for label in ("Hint", "Which cards?"):
            if told.ephemeral.has(label):
                await self.scene.told(self.world.click(user, told.ephemeral, label))
        return Person(game, user), told.ephemeral

    async def act(self, user: User, hand: Message) -> Interaction:
        """Let somebody play what is picked, or pass."""
        can_play = hand.has(PLAY) and not hand.control(PLAY).get("disabled")
        return await self.scene.told(
            self.world.click(user, hand, hand.control(PLAY if can_play else PASS)["custom_id"])
        )

    async def ended(self, *, kill: bool) -> None:
        """Let a bot that has shards end, see every table move in time, and start it again, first where it is alone."""
        bot = self.one_of_them()
        lost = self.shards_of(bot)
        self.down.append(bot)
        await (bot.kill9() if kill else self.stopped(bot))
        if alone := len(self.bots) == 1:
            await bot.begin()
        connected = self.lease + self.gap * len(lost)
        self.moved.append((await self.all_move(connected + MOVES, lost), connected + MAY))
        if not alone:
            await bot.begin()
        self.down.remove(bot)

    async def stopped(self, bot: BotProcess) -> None:
        """Stop a bot while people click: it ends in time without a fuss, and whom it has heard it answers."""
        lines, signal = len(bot.lines), time.monotonic()
        assert await bot.stop() == 0, self.output()
        assert time.monotonic() - signal < STOPPED, self.output()
        fuss = [line for line in bot.troubles if line in bot.lines[lines:]]
        waiting = [each for each in bot.unanswered if each.born > signal - OVERLOADED]  # others had given up before
        late = [f"type {each.type}, {each.born - signal:+.3f} s" for each in waiting]
        trouble = [*fuss, *late]
        assert not trouble, (trouble, self.output())

    async def stop(self) -> None:
        """Let people stop, then count."""
        self.over = True
        await asyncio.gather(*self.playing)
        self.playing = []
        await self.count()

    async def count(self) -> None:
        """Hold what people were told against what is kept."""
        found = await self.kept.all()
        ledger = self.scene.ledger
        assert not ledger.lost(found), ledger.lost(found)  # type: ignore[arg-type]
        assert not ledger.doubled(found), ledger.doubled(found)  # type: ignore[arg-type]

    def logged(self) -> list[str]:
        """What all bots have said that is worth a look."""
        return [line for bot in self.bots for line in bot.lines if "ERROR" in line or "WARNING" in line]

    def output(self) -> str:
        return "\n".join(f"[{number}] {line}" for number, bot in enumerate(self.bots) for line in bot.lines[-30:])

    def check(self) -> None:
        """See that nobody asked more of Discord than it lets, and that nothing went wrong."""
        at = [when for when, _ in self.world.gateway.identified]
        gaps = [later - sooner for sooner, later in zip(at, at[2:], strict=False)]  # of two: one may be held up here
        assert min(gaps) > 2 * self.gap * 0.6, gaps
        assert "Traceback" not in "\n".join(bot.output for bot in self.bots), self.output()
        refused = [f"{each.method} {each.path} for {each.generation}" for each in self.world.log if each.status == 429]
        most = len(self.world.log) * LATE
        assert len(refused) <= most, refused


@asynccontextmanager
async def trial(
    tables: int,
    *,
    shards: int = 6,
    bots: int = 3,
    seed: int = 1,
    lease: float = LEASE,
    gap: float = GAP,
    room: float = ROOM,
    speed: float = SPEED,
    **settings: str,
) -> AsyncIterator[Trial]:
    """Give so many tables on servers of all shards, and bots that are to be started. room: seconds a table, as ROOM."""
    database, rng = a_server_database(), random.Random(seed)
    env = {
        "BOT_SPEED": str(speed), "BOT_GAP": str(gap), "BOT_ANSWERS": str(OVERLOADED),
        "BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": database.reveal(),
        "BIGGER_LEASE_SECONDS": str(lease), **settings,
    }  # fmt: skip
    async with World(answer_within=OVERLOADED, rates=Rates(speed=speed)) as world, Kept.opened(database) as kept:
        world.shards = shards
        ahead = cycle(("0", "5", "-5"))  # seconds by which the clocks of the bots differ
        made = [BotProcess(world, "tests.shards.quick", env=env | {"BOT_AHEAD": next(ahead)}) for _ in range(bots)]
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
    drop(database)


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


async def guild_on(world: World, shard: int) -> Guild:
    """A server that this shard hears of."""
    while True:
        guild = world.add_guild(f"The Club {shard}")
        if (guild.id >> 22) % world.shards == shard:
            return guild
        del world.guilds[guild.id]
        await asyncio.sleep(0.001)
