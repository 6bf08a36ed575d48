"""How much of a processor clicks cost, and how much a core carries: python -m tests.bench.load, or with --profile

The real process over real sockets, with a Discord without limits. Counted is the time that the bot's process spends on
a processor, as the system tells it, so that other programs disturb little; what it draws and writes beside the loop
stands apart. First each kind of click alone, at forty live tables of four people who have no hand open:

* nothing: a player who sits elsewhere presses a button of a board, and is told so
* my hand: a player opens their hand
* play: on turn makes the next move of a match, typed, and the board follows

with the cost of each, how many times that of nothing it is, and how many clicks (of ten, four plays, four hands, two
others) one core carries in a second. Then an evening as people play it, see tests.bench.evening: the cost of a click
and of a play, with the hands and boards that follow it, the requests, and how many live tables a core carries. With
--profile also where the time goes.
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
from tests.bench.evening import SECONDS, Figures, evening
from tests.bench.processor import Spent, spent
from tests.bench.sampling_bot import shares
from tests.restart.crowd import PLIES, Crowd, crowd
from tests.standin import BotProcess, World
from tests.standin.realm import AT_DISCORD

TABLES, EACH = 40, 12  # clicks of each kind at each table
GOALS = {"nothing": 1.0, "my hand": 4.0, "play": 6.0}  # times nothing
SHARES = {"nothing": 0.2, "my hand": 0.4, "play": 0.4}
CARRIED = 250  # clicks a second and core
QUIET = 3.0  # seconds in which boards come to rest
A_PLAY = 10.0  # seconds for a play, a pass or an answer at a live table, as people take them
BUSY = 0.7  # of a core; above it clicks wait for each other


def moves(each: int = EACH) -> list[tuple[int, str]]:
    """Return the moves of the match shared by these tables, from their position. each: how many moves."""
    match: Match = Record(GAMES["big_two"], "pagat", seed="restart").begin()
    found = list[tuple[int, str]]()
    for ply in range(PLIES + each):
        (seat,) = match.awaited
        action = plain_action(match.view(seat))
        assert action
        match = match.act(seat, action)
        if ply >= PLIES:
            found.append((seat, write_action(action)))
    return found


class Load:
    """What is clicked at all tables at once."""

    def __init__(self, made: Crowd) -> None:
        self._made = made
        self._world = made.world
        self._users = {user.name: user for user in made.world.users.values()}
        self._moves = moves()
        self.failed = 0

    async def nothing(self, table: int, number: int) -> None:
        """Press a button at a table of others."""
        other = self._users[f"p{table % TABLES + 1}-{number % 4}"]
        await self._count(self._world.click(other, self._made.boards[table], "My hand"))

    async def my_hand(self, table: int, number: int) -> None:
        """Open a hand."""
        await self._count(self._world.click(self._users[f"p{table}-{number % 4}"], self._made.boards[table], "My hand"))

    async def play(self, table: int, number: int) -> None:
        """Make the next move."""
        seat, move = self._moves[number]
        where = self._made.boards[table].channel
        await self._count(self._world.slash(self._users[f"p{table}-{seat}"], where, "turn", move=move, table=table))

    async def _count(self, clicked: Awaitable[object]) -> None:
        self.failed += getattr(await clicked, "seconds", None) is None


async def measured(bot: BotProcess, click: Callable[[int, int], Awaitable[None]]) -> Spent:
    """Return what one of these clicks costs."""

    async def at(table: int) -> None:
        for number in range(EACH):
            await click(table, number)

    began = spent(bot.pid)
    await asyncio.gather(*(at(table) for table in range(1, TABLES + 1)))
    await asyncio.sleep(QUIET)
    return spent(bot.pid).since(began, TABLES * EACH)


async def load(folder: Path) -> dict[str, Spent]:
    """Return the cost of each kind of click."""
    async with World(answer_within=AT_DISCORD) as world:
        made = await crowd(world, folder / "bigger.db", TABLES, TABLES)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(folder / "bigger.db"), "BIGGER_LOG_LEVEL": "ERROR"}
        async with BotProcess(world, env=env) as bot:
            await asyncio.sleep(10)  # in which all boards are drawn, and all that is kept for later is made
            clicks = Load(made)
            await measured(bot, clicks.nothing)  # the first ones make what is kept
            kinds = {"nothing": clicks.nothing, "play": clicks.play, "my hand": clicks.my_hand}
            found = {kind: await measured(bot, click) for kind, click in kinds.items()}
            print(f"Clicks that were not answered: {clicks.failed} of {4 * TABLES * EACH}")
    return found


def told(found: dict[str, Spent]) -> Iterator[str]:
    """Give what clicks cost alone, a line each."""
    for kind, cost in found.items():
        times = cost.loop / found["nothing"].loop
        yield (
            f"{kind:8} {cost.loop * 1000:5.2f} ms, {times:4.1f} times nothing (goal {GOALS[kind]:.0f})"
            f", and {cost.beside * 1000:5.2f} ms beside the loop"
        )
    carried = 1 / sum(found[kind].all * share for kind, share in SHARES.items())
    yield f"A core carries {carried:.0f} such clicks a second (goal {CARRIED})"


def told_of(figures: Figures) -> Iterator[str]:
    """Give what an evening costs."""
    clicks, plays, cost = figures.clicks, figures.actions, figures.cost
    yield f"{clicks / SECONDS:.1f} clicks and {plays / SECONDS:.1f} plays a second, {cost.all / SECONDS:.0%} of a core"
    yield f"Unanswered: {figures.late} of {clicks}; typed for want of a button: {figures.typed}"
    click = cost.since(Spent(), clicks)
    yield (
        f"a click {click.all * 1000:5.2f} ms: {click.loop * 1000:.2f} on the loop, {click.beside * 1000:.2f} beside it"
    )
    requests = ", ".join(f"{kind} {sent / plays:.2f}" for kind, sent in figures.requests.most_common())
    yield f"a play  {cost.all / plays * 1000:5.2f} ms; {figures.requests.total() / plays:.2f} requests: {requests}"
    tables = BUSY * A_PLAY / (cost.all / plays)
    yield (
        f"A core carries {clicks / cost.all:.0f} such clicks a second, or, {BUSY:.0%} busy, {tables:.0f} live tables "
        f"with a play every {A_PLAY:.0f} s"
    )


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(told(asyncio.run(load(Path(folder))))))
        samples = Path(folder) / "samples" if "--profile" in sys.argv else None
        print("\nAn evening with open hands, picked cards and pictures")
        print("\n".join(told_of(asyncio.run(evening(Path(folder), samples)))))
        for topic, share in shares(samples).items() if samples else ():
            print(f"{share:5.0%} {topic}")


if __name__ == "__main__":
    main()
