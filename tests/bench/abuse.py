"""How long other users wait during expensive requests of one account: python -m tests.bench.abuse [--full]

The real process over real sockets, with a Discord without limits, 48 live tables of four people, and six finished
matches of a hundred hands and more. One account, then three, then three with 270 autocompletions a second send the
costliest requests that the flood limits allow: three commands and eight clicks a second each. Meanwhile others ask for
their desk, open their hands and play, nine of these a second in all. Counted is the time until the whole answer is
there, not only its acknowledgement.

12 seconds each, 60 with --full. Beside the figures stands who used the processor, in shares of one core: the bot's
event loop, its other threads, its children, and this program, which plays Discord and every user. Figures last.
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
from tests.restart.crowd import Crowd, crowd
from tests.standin import BotProcess, User, World
from tests.standin.interactions import Interaction
from tests.standin.realm import AT_DISCORD

TABLES: Final = 48
HANDS: Final = (100, 100, 100, 100, 100, 200)  # of the finished matches
SECONDS, FULL = 12.0, 60.0
EVERY: Final = 1 / 3  # seconds between two clicks of the same kind of others
COMMANDS, CLICKS, TYPED = 3, 8, 270  # a second
GOAL: Final = 0.5  # seconds at p99
LONGEST: Final = 15.0  # seconds that an answer is waited for


class Case(NamedTuple):
    """How many accounts ask for much, and how many autocompletions a second are asked for."""

    name: str
    accounts: int
    typed: int = 0


CASES: Final = (
    Case("nobody", 0),
    Case("one", 1),
    Case("three", 3),
    Case("three, and 270 autocompletions", 3, TYPED),
)


@dataclass
class Usage:
    """Seconds on a processor."""

    loop: float = 0.0
    threads: float = 0.0
    children: float = 0.0
    bench: float = 0.0

    @classmethod
    def of(cls, pid: int) -> Usage:
        """Return that of a bot by now, its children included, and of this process."""
        threads = {int(task.name): _on_processor(task) for task in Path(f"/proc/{pid}/task").iterdir()}
        return cls(threads[pid], sum(threads.values()) - threads[pid], _of_children(pid), time.process_time())

    def since(self, before: Usage, seconds: float) -> str:
        """Tell it as shares of one core."""
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


def _on_processor(task: Path) -> float:
    return int((task / "schedstat").read_text().split()[0]) / 1e9


def _of_children(pid: int) -> float:
    """Return the seconds of all children, also of those that have ended and were waited for."""
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
class Others:
    """People at their tables, and how long they wait. made: their tables."""

    made: Crowd
    took: dict[str, list[float]] = field(default_factory=lambda: {"desk": [], "my hand": [], "play": []})
    lost: Counter[str] = field(default_factory=Counter)
    _number: count[int] = field(default_factory=count)
    _played: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._world = self.made.world
        self._users = {user.name: user for user in self._world.users.values()}
        self._moves = moves(16)

    async def ask(self, until: float) -> None:
        """Ask for each of it again and again."""
        waiting = set[asyncio.Task[None]]()
        while time.monotonic() < until:
            for kind, ask in (("desk", self._desk), ("my hand", self._hand), ("play", self._play)):
                waiting.add(asyncio.create_task(self._timed(kind, ask(next(self._number)))))
                await asyncio.sleep(EVERY / 3)
        await asyncio.gather(*waiting)

    async def _timed(self, kind: str, asked: Awaitable[Interaction]) -> None:
        interaction = await asked
        took = await whole(interaction)
        if took is None:
            self.lost[kind] += 1
        self.took[kind].append(LONGEST if took is None else took)

    async def _desk(self, number: int) -> Interaction:
        user = self._users[f"p{number % TABLES + 1}-{number // TABLES % 4}"]
        return await self._world.slash(user, self.made.channels[0], "desk")

    async def _hand(self, number: int) -> Interaction:
        table = number % TABLES + 1
        return await self._world.click(
            self._users[f"p{table}-{number // TABLES % 4}"], self.made.boards[table], "My hand"
        )

    async def _play(self, number: int) -> Interaction:
        table = number // 3 % TABLES + 1
        seat, move = self._moves[self._played[table]]
        self._played[table] += 1
        where = self.made.boards[table].channel
        return await self._world.slash(self._users[f"p{table}-{seat}"], where, "turn", move=move, table=table)


async def whole(interaction: Interaction) -> float | None:
    """Return the seconds until the whole answer was there; None where none came."""
    while not interaction.settled:
        if time.monotonic() - interaction.born > LONGEST:
            return None
        await asyncio.sleep(0.005)
    return None if interaction.error else time.monotonic() - interaction.born


class Greedy:
    """An account that sends the costliest requests. matches: the finished ones, in which it sat."""

    def __init__(self, made: Crowd, user: User, matches: list[int]) -> None:
        self._made, self._world, self._user, self._matches = made, made.world, user, matches
        self._dice = random.Random(user.name)
        self.said = Counter[str]()

    async def ask(self, until: float, typed: int) -> None:
        """Ask as fast as the flood limits let it. typed: autocompletions a second."""
        paces: list[tuple[Callable[[], Awaitable[Interaction]], int]] = [
            (self._command, COMMANDS),
            (self._click, CLICKS),
            (self._type, typed),
        ]
        await asyncio.gather(*(self._paced(ask, until, pace) for ask, pace in paces if pace))

    async def _paced(self, ask: Callable[[], Awaitable[Interaction]], until: float, pace: int) -> None:
        waiting, begun = set[asyncio.Task[None]](), time.monotonic()
        for number in count(1):
            if time.monotonic() >= until:
                break
            waiting.add(asyncio.create_task(self._heard(ask())))
            await asyncio.sleep(begun + number / pace - time.monotonic())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _heard(self, asked: Awaitable[Interaction]) -> None:
        interaction = await asked
        await whole(interaction)
        shown = interaction.message
        text = str(shown.raw()) if shown else ""
        known = ("still working", "Many people", "Try again in a second", "took me too long", "went wrong")
        kind = next((each for each in known if each in text), "done" if not interaction.error else "not answered")
        self.said[kind] += 1

    async def _command(self) -> Interaction:
        table = str(self._dice.choice(self._matches))
        name, options = self._dice.choice(
            (
                ("matches verify", {"table": table}),
                ("matches export", {"table": table}),
                ("matches export", {"which": "mine"}),
                ("matches export", {"which": "everywhere"}),
                ("standings", {}),
                ("my profile", {}),
            )
        )
        return await self._world.slash(self._user, self._made.channels[0], name, **options)

    async def _click(self) -> Interaction:
        table, dice = self._dice.choice(self._matches), self._dice
        step, hand = dice.randrange(4000), dice.randrange(1, 100)
        address, values = dice.choice(
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
        return await self._world._component(self._user, self._made.boards[1], control, more)

    async def _type(self) -> Interaction:
        where, typed = self._made.channels[0], self._dice.choice(("", "3", "3d 4", "zz", "no such thing"))
        name, option = self._dice.choice((("turn", "move"), ("matches export", "table"), ("matches list", "month")))
        return await self._world.autocomplete(self._user, where, name, option, typed)


async def finished(store: Store, made: Crowd, sat: list[User]) -> list[int]:
    """Let the store have matches that these people have finished; return the numbers of their tables."""
    where, now, numbers = made.channels[0], datetime.now(UTC), list[int]()
    assert where.guild
    for hands in HANDS:
        record = long_match(hands)
        match = record.replay()
        new = NewTable(
            GuildId(where.guild.id),
            ChannelId(where.id),
            UserId(sat[0].id),
            record.game,
            record.preset,
            record.options,
            4,
            record.seed,
            LIVE,
            now,
        )
        chairs = tuple(Chair(seat, UserId(user.id), user.name) for seat, user in enumerate(sat))
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
            for seat, user in enumerate(sat)
        )
        outcome = MatchOutcome(hands, now, ended, place=AccessChannel(ChannelId(where.id)))
        steps = tuple(
            MatchStep(ply, seat, write_action(act), "person", now) for ply, (seat, act) in enumerate(record.steps)
        )
        change = TableChange(phase="over", steps=steps, outcome=outcome, openings=stored_openings(match))
        await store.tables.save(TableId(table.id), change)
        numbers.append(table.number)
    return numbers


async def abuse(folder: Path, seconds: float) -> list[tuple[Case, Others, str]]:
    """Return how long others waited in each case, and who used the processor."""
    found, file = list[tuple[Case, Others, str]](), folder / "bigger.db"
    async with World(answer_within=AT_DISCORD) as world:
        made = await crowd(world, file, TABLES, TABLES)
        sat = [world.add_user(name) for name in ("greedy", "wanting", "hungry", "quiet")]
        store = await Store.open(file, lambda: datetime.now(UTC))
        matches = await finished(store, made, sat)
        await store.close()
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(file), "BIGGER_LOG_LEVEL": "ERROR"}
        async with BotProcess(world, env=env) as bot:
            await asyncio.sleep(10)  # in which all boards are drawn
            others = Others(made)
            await others.ask(time.monotonic() + 5)  # the first ones make what is kept
            for case in CASES:
                others.took, others.lost = Others(made).took, Counter()
                greedy = [Greedy(made, user, matches) for user in sat[: case.accounts]]
                before, begun = Usage.of(bot.pid), time.monotonic()
                until = begun + seconds
                asking = [each.ask(until, case.typed // case.accounts) for each in greedy]
                await asyncio.gather(others.ask(until), *asking)
                used = Usage.of(bot.pid).since(before, time.monotonic() - begun)
                print(f"{case.name}: {dict(sum((each.said for each in greedy), Counter()))}", flush=True)
                told = Others(made)
                told.took, told.lost = others.took, others.lost
                found.append((case, told, used))
                await asyncio.sleep(2)
            for line in bot.troubles[:5]:
                print(line)
    return found


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(abuse(Path(folder), FULL if "--full" in sys.argv else SECONDS))
    print(f"Seconds until the whole answer, in the middle and at p99 (goal {GOAL}); who used the processor")
    for case, others, used in found:
        print(f"{case.name:32}{used}")
        for kind, took in others.took.items():
            last = quantiles(took, n=100, method="inclusive")[-1]
            lost = f", {others.lost[kind]} of {len(took)} lost" if others.lost[kind] else ""
            print(f"  {kind:10}{median(took):6.3f} {last:6.3f}{'' if last < GOAL else '  too long'}{lost}")


if __name__ == "__main__":
    main()
