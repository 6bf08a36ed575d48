"""How soon a new lobby appears while the bot sends at its limit: python -m tests.bench.lobbies [--slower=4]

The real process over real sockets, in sixty channels of a Discord that enforces its limits. Each channel has a live
table; players make 48 plays a second in total, so that more boards change than the thirty requests a second allow.
Meanwhile hosts open lobbies in the same channels; measured is the time until the first message of each lobby, in two
parts, so that a slow machine does not look like a slow queue: until the host is answered, which is the work of
processor and database, and from then on. --slower: divides all speeds, and the request limit, by this number.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from bot.ai.plain import plain_action
from bot.delivery.outbox.write_queue import FREE
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.matches.record import Record
from tests.kill.trial import table_on
from tests.restart.live_tables import PLIES, LiveTables, set_up_live_tables
from tests.standin import BotProcess, Message, World
from tests.standin.rates import Rates
from tests.standin.realm import DISCORD_TIMEOUT

SERVERS, CHANNELS = 6, 60
PLAYS, REQUESTS = 48.0, 30  # per second, in total
HOSTS, HOST_INTERVAL = 60, 0.25  # number of hosts, and seconds between two of them
WARM_UP_SECONDS = 4.0  # seconds of plays until the queue is full
GOAL = 2.0  # seconds at p99
TIMEOUT = 120.0


class LobbyDelays(NamedTuple):
    """Seconds until the host was answered, and until the first message of the lobby."""

    answered: float
    shown: float

    @property
    def queued(self) -> float:
        """Seconds from the answer to the message."""
        return max(self.shown - self.answered, 0.0)


def moves() -> list[tuple[int, str]]:
    """Return the moves of the hand shared by these tables, up to the last card but one."""
    match, found = Record(GAMES["big_two"], "pagat", seed="restart").begin(), list[tuple[int, str]]()
    while len(match.awaited) == 1:
        (seat,) = match.awaited
        action = plain_action(match.view(seat))
        assert action
        found.append((seat, write_action(action)))
        match = match.act(seat, action)
    return found[PLIES:-1]


class Players:
    """Players and hosts. played: seconds until each play was answered."""

    def __init__(self, made: LiveTables, slowdown: float) -> None:
        self._world, self._made, self._slower = made.world, made, slowdown
        self._users = {user.name: user for user in made.world.users.values()}
        self._moves = moves()
        self._random = random.Random(1)
        self.played = list[float]()

    async def play(self, table: int) -> None:
        """Play a hand at a table."""
        where = self._made.boards[table].channel
        for seat, move in self._moves:
            await asyncio.sleep(self._random.expovariate(PLAYS / CHANNELS) * self._slower)
            played = await self._world.slash(self._users[f"p{table}-{seat}"], where, "turn", move=move, table=table)
            self.played.append(TIMEOUT if played.seconds is None else played.seconds)

    async def open(self, number: int) -> LobbyDelays:
        """Open a lobby as a host; record its delays."""
        where = self._made.channels[number % CHANNELS]
        host = self._world.add_user(f"host {number}", *filter(None, [where.guild]))
        began, known = monotonic(), {table_on(each) for each in where.seen_by(None)}
        opened = await self._world.slash(host, where, "deal", pace="live")
        await self._world.until(lambda: opened.settled, TIMEOUT)
        answered = monotonic() - began

        def first() -> Message | None:
            return next((each for each in where.seen_by(None) if table_on(each) not in (None, *known)), None)

        await self._world.until(first, TIMEOUT)
        return LobbyDelays(answered, monotonic() - began)


async def measure_lobbies(folder: Path, slowdown: float) -> None:
    """Measure and print."""
    database = folder / "bigger.db"
    async with World(answer_within=DISCORD_TIMEOUT, rates=(rates := Rates())) as world:
        made = await set_up_live_tables(world, database, CHANNELS, CHANNELS, servers=SERVERS, age=60.0)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database), "BIGGER_LOG_LEVEL": "ERROR"}
        async with BotProcess(world, env={**env, "BIGGER_REQUESTS_PER_SECOND": str(int(REQUESTS / slowdown))}):
            await asyncio.sleep(5)  # until all boards are drawn
            evening = Players(made, slowdown)
            playing = [asyncio.create_task(evening.play(table)) for table in made.boards]
            await asyncio.sleep(WARM_UP_SECONDS * slowdown)
            before, plays, began, opening = len(world.log), len(evening.played), monotonic(), []
            for number in range(HOSTS):
                opening.append(asyncio.create_task(evening.open(number)))
                await asyncio.sleep(HOST_INTERVAL * slowdown)
            seconds, played = monotonic() - began, evening.played[plays:]
            sent = [entry for entry in world.log[before:] if not entry.path.startswith(FREE)]
            opened = await asyncio.gather(*opening)
            for task in playing:
                task.cancel()
    print(
        f"{len(played) / seconds:.1f} plays and {len(sent) / seconds:.1f} requests a second in {CHANNELS} channels, "
        f"{len(opened)} lobbies   refused with 429: {rates.refused}"
    )
    print(f"first message of a lobby: {spread([each.shown for each in opened])} (goal {GOAL:.0f} s)")
    print(f"  until the host is answered: {spread([each.answered for each in opened])}")
    print(f"  from then on: {spread([each.queued for each in opened])}")
    print(f"a play is answered: {spread(played)}")


def spread(seconds: list[float]) -> str:
    """Describe median and 99th percentile."""
    ordered = sorted(seconds)
    return f"p50 {statistics.median(ordered):.2f} s, p99 {ordered[int(len(ordered) * 0.99)]:.2f} s"


def main() -> None:
    """Run the measurement."""
    words = ArgumentParser()
    words.add_argument("--slower", type=float, default=1.0, help="factor by which everything is slower")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure_lobbies(Path(folder), words.parse_known_args()[0].slower))


if __name__ == "__main__":
    main()
