"""How long other players wait during costly requests of one account: python -m tests.bench.abuse [--full]

The real process over real sockets, with a Discord without limits, 48 live tables of four players, and six finished
matches of a hundred hands and more. One account, then three, then three with 270 autocompletions a second send the
costliest requests that the flood limits allow: three commands and eight clicks a second each. At the same time other
players open their desk and hands and play, nine requests a second in total. Measured is the time until the complete
answer, not until its acknowledgement.

12 seconds per case, 60 with --full. Processor use is given in shares of one core: the bot's event loop, its other
threads, its child processes, and this program, which simulates Discord and all users.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple

from bot.domain.chairs import Chair
from bot.domain.ids import AccessChannel, ChannelId, GuildId, TableId, UserId
from bot.domain.pace import LIVE
from bot.domain.results import MatchOutcome, SeatResult
from bot.rules.core.asks import write_action
from bot.rules.matches.record import stored_openings
from bot.show.kit.custom_ids import Browse
from bot.show.matches.replay import CLOSELY, LOOK_BACK, LOOK_CLOSELY, REPLAY
from bot.show.matches.replay_menu import FILE, PLAY_ON, VERIFY
from bot.show.people.own_data import MATCHES, SHOW
from bot.store.rows import MatchStep, NewTable, TableChange
from bot.store.store import Store
from tests.bench.load import moves
from tests.bench.replay import long_match
from tests.restart.live_tables import LiveTables, set_up_live_tables
from tests.standin import BotProcess, User, World
from tests.standin.interactions import Interaction
from tests.standin.realm import DISCORD_TIMEOUT

TABLES: Final = 48
HANDS: Final = (100, 100, 100, 100, 100, 200)  # of each finished match
SHORT_SECONDS, FULL_SECONDS = 12.0, 60.0
INTERVAL: Final = 1 / 3  # seconds between two requests of one kind by other players
MAX_COMMANDS, MAX_CLICKS, AUTOCOMPLETIONS = 3, 8, 270  # per second
GOAL: Final = 0.5  # seconds at p99
ANSWER_TIMEOUT: Final = 15.0  # seconds


class Case(NamedTuple):
    """A case. accounts: number of heavy users; typed: their autocompletions per second, in total."""

    name: str
    accounts: int
    typed: int = 0


CASES: Final = (
    Case("nobody", 0),
    Case("one", 1),
    Case("three", 3),
    Case("three, and 270 autocompletions", 3, AUTOCOMPLETIONS),
)


@dataclass
class ProcessorUse:
    """CPU seconds of a bot by part, and of this benchmark."""

    loop: float = 0.0
    threads: float = 0.0
    children: float = 0.0
    bench: float = 0.0

    @classmethod
    def of(cls, pid: int) -> ProcessorUse:
        """Return the CPU seconds so far of a bot, its children included, and of this process."""
        threads = {int(task.name): _cpu_seconds(task) for task in Path(f"/proc/{pid}/task").iterdir()}
        return cls(threads[pid], sum(threads.values()) - threads[pid], _children_seconds(pid), time.process_time())

    def since(self, before: ProcessorUse, seconds: float) -> str:
        """Describe the use since an earlier time as shares of one core."""
        shares = (
            (now - then) / seconds * 100
            for now, then in (
                (self.loop, before.loop),
                (self.threads, before.threads),
                (self.children, before.children),
                (self.bench, before.bench),
            )
        )
        return "loop {:3.0f} %, threads {:3.0f} %, children {:3.0f} %, this program {:3.0f} %".format(*shares)


def _cpu_seconds(task: Path) -> float:
    return int((task / "schedstat").read_text().split()[0]) / 1e9


def _children_seconds(pid: int) -> float:
    """Return the CPU seconds of all child processes, including ended ones."""
    ticks, ended = os.sysconf("SC_CLK_TCK"), Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[13:15]
    found = sum(map(int, ended)) / ticks
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == pid:
            found += sum(map(int, words[11:13])) / ticks
    return found


@dataclass
class OtherPlayers:
    """Players at live tables, and their waiting times by kind of request. lost: requests without an answer."""

    live: LiveTables
    took: dict[str, list[float]] = field(default_factory=lambda: {"desk": [], "my hand": [], "play": []})
    lost: Counter[str] = field(default_factory=Counter)
    _number: count[int] = field(default_factory=count)
    _played: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._world = self.live.world
        self._users = {user.name: user for user in self._world.users.values()}
        self._moves = moves(16)

    async def ask(self, until: float) -> None:
        """Send requests of each kind until this monotonic time."""
        waiting = set[asyncio.Task[None]]()
        while time.monotonic() < until:
            for kind, ask in (("desk", self._desk), ("my hand", self._hand), ("play", self._play)):
                waiting.add(asyncio.create_task(self._timed(kind, ask(next(self._number)))))
                await asyncio.sleep(INTERVAL / 3)
        await asyncio.gather(*waiting)

    async def _timed(self, kind: str, asked: Awaitable[Interaction]) -> None:
        interaction = await asked
        took = await seconds_until_settled(interaction)
        if took is None:
            self.lost[kind] += 1
        self.took[kind].append(ANSWER_TIMEOUT if took is None else took)

    async def _desk(self, number: int) -> Interaction:
        user = self._users[f"p{number % TABLES + 1}-{number // TABLES % 4}"]
        return await self._world.slash(user, self.live.channels[0], "desk")

    async def _hand(self, number: int) -> Interaction:
        table = number % TABLES + 1
        return await self._world.click(
            self._users[f"p{table}-{number // TABLES % 4}"], self.live.boards[table], "My hand"
        )

    async def _play(self, number: int) -> Interaction:
        table = number // 3 % TABLES + 1
        seat, move = self._moves[self._played[table]]
        self._played[table] += 1
        where = self.live.boards[table].channel
        return await self._world.slash(self._users[f"p{table}-{seat}"], where, "turn", move=move, table=table)


async def seconds_until_settled(interaction: Interaction) -> float | None:
    """Return the seconds until the complete answer; None after a failure or a timeout."""
    while not interaction.settled:
        if time.monotonic() - interaction.born > ANSWER_TIMEOUT:
            return None
        await asyncio.sleep(0.005)
    return None if interaction.error else time.monotonic() - interaction.born


class HeavyUser:
    """An account that sends the costliest requests. matches: finished matches of the account."""

    def __init__(self, live: LiveTables, user: User, matches: list[int]) -> None:
        self._live, self._world, self._user, self._matches = live, live.world, user, matches
        self._rng = random.Random(user.name)
        self.outcomes = Counter[str]()

    async def ask(self, until: float, typed: int) -> None:
        """Send requests as fast as the flood limits allow. typed: autocompletions per second."""
        paces: list[tuple[Callable[[], Awaitable[Interaction]], int]] = [
            (self._command, MAX_COMMANDS),
            (self._click, MAX_CLICKS),
            (self._type, typed),
        ]
        await asyncio.gather(*(self._paced(ask, until, pace) for ask, pace in paces if pace))

    async def _paced(self, ask: Callable[[], Awaitable[Interaction]], until: float, pace: int) -> None:
        waiting, begun = set[asyncio.Task[None]](), time.monotonic()
        for number in count(1):
            if time.monotonic() >= until:
                break
            waiting.add(asyncio.create_task(self._count_answer(ask())))
            await asyncio.sleep(begun + number / pace - time.monotonic())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _count_answer(self, asked: Awaitable[Interaction]) -> None:
        interaction = await asked
        await seconds_until_settled(interaction)
        shown = interaction.message
        text = str(shown.raw()) if shown else ""
        known = ("still working", "Many people", "Try again in a second", "took me too long", "went wrong")
        kind = next((each for each in known if each in text), "done" if not interaction.error else "not answered")
        self.outcomes[kind] += 1

    async def _command(self) -> Interaction:
        table = str(self._rng.choice(self._matches))
        name, options = self._rng.choice(
            (
                ("matches verify", {"table": table}),
                ("matches export", {"table": table}),
                ("matches export", {"which": "mine"}),
                ("matches export", {"which": "everywhere"}),
                ("standings", {}),
                ("my profile", {}),
            )
        )
        return await self._world.slash(self._user, self._live.channels[0], name, **options)

    async def _click(self) -> Interaction:
        table, rng = self._rng.choice(self._matches), self._rng
        step, hand = rng.randrange(4000), rng.randrange(1, 100)
        address, values = rng.choice(
            (
                (Browse.to(LOOK_BACK, table), None),
                (Browse.to(LOOK_CLOSELY, table, hand), None),
                (Browse.to(CLOSELY, table), [str(hand)]),
                (Browse.to(REPLAY, table, step, "on"), None),
                (Browse.to(FILE, table), None),
                (Browse.to(MATCHES), None),
                (Browse.to(SHOW), None),
                (Browse.to(PLAY_ON, table, step, ""), None),
                (Browse.to(VERIFY, table, step), None),
            )
        )
        more = {"values": values, "resolved": {}} if values else {}
        control = {"type": 3 if values else 2, "custom_id": str(address), "id": 2}
        return await self._world._component(self._user, self._live.boards[1], control, more)

    async def _type(self) -> Interaction:
        where, typed = self._live.channels[0], self._rng.choice(("", "3", "3d 4", "zz", "no such thing"))
        name, option = self._rng.choice((("turn", "move"), ("matches export", "table"), ("matches list", "month")))
        return await self._world.autocomplete(self._user, where, name, option, typed)


async def store_matches(store: Store, live: LiveTables, heavy_users: list[User]) -> list[int]:
    """Store finished matches of these users; return their table numbers."""
    where, now, numbers = live.channels[0], datetime.now(UTC), list[int]()
    assert where.guild
    for hands in HANDS:
        record = long_match(hands)
        match = record.replay()
        new = NewTable(
            GuildId(where.guild.id),
            ChannelId(where.id),
            UserId(heavy_users[0].id),
            record.game,
            record.preset,
            record.options,
            4,
            record.seed,
            LIVE,
            now,
        )
        chairs = tuple(Chair(seat, UserId(user.id), user.name) for seat, user in enumerate(heavy_users))
        table = await store.tables.add(new, chairs, None)
        places = match.rules.ranking(match.results)
        ended = tuple(
            SeatResult(
                seat=seat,
                user=UserId(user.id),
                name=user.name,
                house=False,
                place=places[seat],
                points=match.totals[seat],
                net=0,
            )
            for seat, user in enumerate(heavy_users)
        )
        outcome = MatchOutcome(hands, now, ended, place=AccessChannel(ChannelId(where.id)))
        steps = tuple(
            MatchStep(ply, seat, write_action(act), "person", now) for ply, (seat, act) in enumerate(record.steps)
        )
        change = TableChange(phase="over", steps=steps, outcome=outcome, openings=stored_openings(match))
        await store.tables.save(TableId(table.id), change)
        numbers.append(table.number)
    return numbers


async def measure_cases(folder: Path, seconds: float) -> list[tuple[Case, OtherPlayers, str]]:
    """Return the waiting times of other players and the processor use in each case."""
    found, file = list[tuple[Case, OtherPlayers, str]](), folder / "bigger.db"
    async with World(answer_within=DISCORD_TIMEOUT) as world:
        live = await set_up_live_tables(world, file, TABLES, TABLES)
        heavy_users = [world.add_user(name) for name in ("greedy", "wanting", "hungry", "quiet")]
        store = await Store.open(file, lambda: datetime.now(UTC))
        matches = await store_matches(store, live, heavy_users)
        await store.close()
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(file), "BIGGER_LOG_LEVEL": "ERROR"}
        async with BotProcess(world, env=env) as bot:
            await asyncio.sleep(10)  # until all boards are drawn
            others = OtherPlayers(live)
            await others.ask(time.monotonic() + 5)  # fills caches
            for case in CASES:
                others.took, others.lost = OtherPlayers(live).took, Counter()
                requesting = [HeavyUser(live, user, matches) for user in heavy_users[: case.accounts]]
                before, begun = ProcessorUse.of(bot.pid), time.monotonic()
                until = begun + seconds
                asking = [each.ask(until, case.typed // case.accounts) for each in requesting]
                await asyncio.gather(others.ask(until), *asking)
                used = ProcessorUse.of(bot.pid).since(before, time.monotonic() - begun)
                print(f"{case.name}: {dict(sum((each.outcomes for each in requesting), Counter()))}", flush=True)
                snapshot = OtherPlayers(live)
                snapshot.took, snapshot.lost = others.took, others.lost
                found.append((case, snapshot, used))
                await asyncio.sleep(2)
            for line in bot.troubles[:5]:
                print(line)
    return found


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure_cases(Path(folder), FULL_SECONDS if "--full" in sys.argv else SHORT_SECONDS))
    print(f"Seconds until the complete answer, in the middle and at p99 (goal {GOAL}); who used the processor")
    for case, others, used in found:
        print(f"{case.name:32}{used}")
        for kind, took in others.took.items():
            last = quantiles(took, n=100, method="inclusive")[-1]
            lost = f", {others.lost[kind]} of {len(took)} lost" if others.lost[kind] else ""
            print(f"  {kind:10}{median(took):6.3f} {last:6.3f}{'' if last < GOAL else '  too long'}{lost}")


if __name__ == "__main__":
    main()
