"""How much CPU time clicks cost, and how many a core carries: python -m tests.bench.load [--profile]

The real process over real sockets, with a Discord without limits. Measured is the CPU time of the bot's process, so
that other programs disturb little; drawing and writing beside the event loop is given separately. First each kind of
click alone, at forty live tables of four people without open hands:

* nothing: a player presses a button of the board of a foreign table, and is refused
* my hand: a player opens a hand
* play: the player on turn types the next move, and the board is redrawn

with the cost of each, the ratio to nothing, and how many clicks a second (of ten, four plays, four hands, two others)
one core carries. Then an evening (tests.bench.evening): the cost of a click and of a play with the resulting hands and
boards, the requests, and how many live tables a core carries. With --profile also the share of each part of the code.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from tests.bench.evening import SECONDS, EveningResult, measure_evening
from tests.bench.processor import CpuTime, cpu_time
from tests.bench.sampling_bot import shares
from tests.restart.live_tables import PLIES, LiveTables, set_up_live_tables
from tests.standin import BotProcess, World
from tests.standin.realm import DISCORD_TIMEOUT

TABLES, CLICKS_PER_TABLE = 40, 12  # per kind of click
GOALS = {"nothing": 1.0, "my hand": 4.0, "play": 6.0}  # ratio to nothing
SHARES = {"nothing": 0.2, "my hand": 0.4, "play": 0.4}
CAPACITY_GOAL = 250  # clicks per second and core
SETTLE_SECONDS = 3.0  # seconds until all boards are drawn
SECONDS_PER_PLAY = 10.0  # seconds that people take for an action at a live table
MAX_BUSY_SHARE = 0.7  # of a core; above, clicks wait for each other


def moves(plies: int = CLICKS_PER_TABLE) -> list[tuple[int, str]]:
    """Return the next moves of the match that all tables share, as (seat, action). plies: number of moves."""
    match: Match = Record(GAMES["big_two"], "pagat", seed="restart").begin()
    costs = list[tuple[int, str]]()
    for ply in range(PLIES + plies):
        (seat,) = match.awaited
        action = plain_action(match.view(seat))
        assert action
        match = match.act(seat, action)
        if ply >= PLIES:
            costs.append((seat, write_action(action)))
    return costs


class ClickLoad:
    """Clicks at all tables. failed: number of unanswered clicks."""

    def __init__(self, live: LiveTables) -> None:
        self._live = live
        self._world = live.world
        self._users = {user.name: user for user in live.world.users.values()}
        self._moves = moves()
        self.failed = 0

    async def nothing(self, table: int, number: int) -> None:
        """Press a button at a foreign table."""
        other = self._users[f"p{table % TABLES + 1}-{number % 4}"]
        await self._count(self._world.click(other, self._live.boards[table], "My hand"))

    async def my_hand(self, table: int, number: int) -> None:
        """Open a hand."""
        await self._count(self._world.click(self._users[f"p{table}-{number % 4}"], self._live.boards[table], "My hand"))

    async def play(self, table: int, number: int) -> None:
        """Type the next move."""
        seat, move = self._moves[number]
        where = self._live.boards[table].channel
        await self._count(self._world.slash(self._users[f"p{table}-{seat}"], where, "turn", move=move, table=table))

    async def _count(self, clicked: Awaitable[object]) -> None:
        self.failed += getattr(await clicked, "seconds", None) is None


async def measure_clicks(bot: BotProcess, click: Callable[[int, int], Awaitable[None]]) -> CpuTime:
    """Return the cost of one of these clicks, sent at all tables concurrently."""

    async def at(table: int) -> None:
        for number in range(CLICKS_PER_TABLE):
            await click(table, number)

    began = cpu_time(bot.pid)
    await asyncio.gather(*(at(table) for table in range(1, TABLES + 1)))
    await asyncio.sleep(SETTLE_SECONDS)
    return cpu_time(bot.pid).since(began, TABLES * CLICKS_PER_TABLE)


async def measure_click_kinds(folder: Path) -> dict[str, CpuTime]:
    """Return the cost of each kind of click."""
    async with World(answer_within=DISCORD_TIMEOUT) as world:
        live = await set_up_live_tables(world, folder / "bigger.db", TABLES, TABLES)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(folder / "bigger.db"), "BIGGER_LOG_LEVEL": "ERROR"}
        async with BotProcess(world, env=env) as bot:
            await asyncio.sleep(10)  # until all boards are drawn and caches are filled
            clicks = ClickLoad(live)
            await measure_clicks(bot, clicks.nothing)  # fills caches
            kinds = {"nothing": clicks.nothing, "play": clicks.play, "my hand": clicks.my_hand}
            costs = {kind: await measure_clicks(bot, click) for kind, click in kinds.items()}
            print(f"Clicks that were not answered: {clicks.failed} of {4 * TABLES * CLICKS_PER_TABLE}")
    return costs


def describe_clicks(costs: dict[str, CpuTime]) -> Iterator[str]:
    """Yield lines about the cost of each kind of click."""
    for kind, cost in costs.items():
        times = cost.loop / costs["nothing"].loop
        yield (
            f"{kind:8} {cost.loop * 1000:5.2f} ms, {times:4.1f} times nothing (goal {GOALS[kind]:.0f})"
            f", and {cost.beside * 1000:5.2f} ms beside the loop"
        )
    carried = 1 / sum(costs[kind].all * share for kind, share in SHARES.items())
    yield f"A core carries {carried:.0f} such clicks a second (goal {CAPACITY_GOAL})"


def describe_evening(result: EveningResult) -> Iterator[str]:
    """Yield lines about the cost of an evening."""
    clicks, plays, cost = result.clicks, result.actions, result.cost
    yield f"{clicks / SECONDS:.1f} clicks and {plays / SECONDS:.1f} plays a second, {cost.all / SECONDS:.0%} of a core"
    yield f"Unanswered: {result.late} of {clicks}; typed for want of a button: {result.typed}"
    click = cost.since(CpuTime(), clicks)
    yield (
        f"a click {click.all * 1000:5.2f} ms: {click.loop * 1000:.2f} on the loop, {click.beside * 1000:.2f} beside it"
    )
    requests = ", ".join(f"{kind} {sent / plays:.2f}" for kind, sent in result.requests.most_common())
    yield f"a play  {cost.all / plays * 1000:5.2f} ms; {result.requests.total() / plays:.2f} requests: {requests}"
    tables = MAX_BUSY_SHARE * SECONDS_PER_PLAY / (cost.all / plays)
    yield (
        f"A core carries {clicks / cost.all:.0f} such clicks a second, or, {MAX_BUSY_SHARE:.0%} busy, "
        f"{tables:.0f} live tables with a play every {SECONDS_PER_PLAY:.0f} s"
    )


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(describe_clicks(asyncio.run(measure_click_kinds(Path(folder))))))
        samples = Path(folder) / "samples" if "--profile" in sys.argv else None
        print("\nAn evening with open hands, picked cards and pictures")
        print("\n".join(describe_evening(asyncio.run(measure_evening(Path(folder), samples)))))
        for topic, share in shares(samples).items() if samples else ():
            print(f"{share:5.0%} {topic}")


if __name__ == "__main__":
    main()
