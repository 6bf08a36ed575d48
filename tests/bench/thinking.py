"""How long hard house players think when many tables wait: python -m tests.bench.thinking

At 1, 10 and 100 tables a seat is asked repeatedly, each time after the usual delay of house players at a live table.
Reported: decisions per second, the milliseconds per decision, the number of decisions with time for worlds (the others
are those of a medium player), the median thinking time and the number of worlds in that time (of at most 304), the
number of plain actions, and the delay of the event loop (second longest), compared with an idle one. Decisions are
those of hands of Big Two. `python -m tests.bench.house --full --worlds N strong` measures the strength of N worlds.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Iterator

from bot.ai import plain
from bot.ai.games.big_two import HARD_ROUNDS, strong
from bot.ai_pool.moves import MoveRequest
from bot.ai_pool.pool import MovePool
from bot.domain.chairs import Level
from bot.games import GAMES
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import View
from bot.table.house_players import MAX_DELAY, MIN_DELAY, RANDOM

TABLES, SECONDS, HOUSE_DELAY = (1, 10, 100), 15.0, 1.9
POLL_INTERVAL = 0.01  # seconds between two measurements of the loop


def views(count: int) -> Iterator[View]:
    """Yield the views of seats with a choice."""
    found = 0
    for deal in range(count):
        game = GAMES["big_two"].rules("pagat").deal(SeededRandom(f"thinking {deal}"), 0)
        while game.result is None and found < count:
            view = game.view(min(game.awaited))
            if len(view.plays.first(2)) > 1:
                yield view
                found += 1
            action = plain.plain_action(view)
            assert action
            game = game.act(min(game.awaited), action)


async def record_lags(lags: list[float], ends: float) -> None:
    """Record the delays of the event loop until this time."""
    while time.monotonic() < ends:
        begun = time.perf_counter()
        await asyncio.sleep(POLL_INTERVAL)
        lags.append(time.perf_counter() - begun - POLL_INTERVAL)


async def simulate_table(thinkers: MovePool, asked: list[View], took: list[float], ends: float) -> None:
    """Ask for decisions as a table does."""
    await asyncio.sleep(RANDOM.uniform(0, HOUSE_DELAY))
    while time.monotonic() < ends:
        begun = time.perf_counter()
        await thinkers.choose(MoveRequest(RANDOM.choice(asked), Level.HARD, str(begun)))
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, HOUSE_DELAY * RANDOM.uniform(MIN_DELAY, MAX_DELAY) - took[-1]))


def median_worlds(asked: list[View], seconds: float) -> float:
    """Return the median number of worlds tried in this time on this machine."""
    found = []
    for view in asked[:20]:
        begun, count = time.perf_counter(), [0]

        def late(begun: float = begun, count: list[int] = count) -> bool:
            count[0] += 1
            return time.perf_counter() - begun > seconds

        strong(view, random.Random(1), HARD_ROUNDS, late)
        found.append(count[0])
    return statistics.median(found)


async def measure_tables(count: int, asked: list[View]) -> None:
    """Print the results for so many tables."""
    thinkers, took, lags, given = MovePool(), list[float](), list[float](), list[float]()
    seconds = thinkers._seconds

    def noted() -> float:
        given.append(seconds())
        return given[-1]

    thinkers._seconds = noted  # type: ignore[method-assign]
    await thinkers.choose(MoveRequest(asked[0], Level.MEDIUM, "begin"))
    given.clear()
    ends = time.monotonic() + SECONDS
    await asyncio.gather(record_lags(lags, ends), *(simulate_table(thinkers, asked, took, ends) for _ in range(count)))
    await thinkers.close()
    took.sort()
    lags.sort()
    enough = [each for each in given if each >= thinkers.times.least]
    middle = statistics.median(enough) if enough else 0.0
    tried = median_worlds(asked, middle) if enough else 0
    print(
        f"{count:4} tables: {len(took) / SECONDS:5.1f} decisions a second, {statistics.median(took) * 1e3:5.0f} ms, "
        f"p99 {took[int(len(took) * 0.99)] * 1e3:5.0f} ms; {len(enough) / max(1, len(given)):4.0%} with "
        f"{middle * 1e3:4.0f} ms and {tried:3.0f} worlds; {max(0, len(took) - len(given)):3} played plainly; "
        f"the loop was late by {lags[-2] * 1e3:.0f} ms",
        flush=True,
    )


async def main() -> None:
    """Run all measurements."""
    asked, lags = list(views(200)), list[float]()
    await record_lags(lags, time.monotonic() + SECONDS / 3)
    print(f"idle: the loop was late by {sorted(lags)[-2] * 1e3:.0f} ms")
    for count in TABLES:
        await measure_tables(count, asked)


if __name__ == "__main__":
    asyncio.run(main())
