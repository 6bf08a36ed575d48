"""A bot with many live tables that is killed while it goes on after a stop, and starts again; people click meanwhile.

Knows what to count. Refuses to know what is good enough.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests.restart.crowd import Crowd, crowd
from tests.standin import BotProcess, Interaction, World
from tests.standin.rates import Rates
from tests.standin.realm import LIMIT

UNANSWERED = 99.0


@dataclass(frozen=True)
class Restarted:
    """What came of it.

    refused: requests that Discord refused with 429. orphans: boards that belong to no table. seconds: from the moment
    the bot was there again until every board was up to date. clicked: the same for tables at which a player clicked.
    answers: seconds until each click was acknowledged. output: of the bot.
    """

    refused: tuple[str, ...]
    orphans: int
    seconds: float
    clicked: float
    answers: tuple[float, ...]
    output: str


async def restarted(folder: Path, rates: Rates, tables: int, rooms: int, limit: float = LIMIT) -> Restarted:
    """Let a bot go on, kill it in the middle and start it again. limit: seconds until every board is to be redrawn."""
    database = folder / "bigger.db"
    async with World(rates=rates) as world:
        made = await crowd(world, database, tables, rooms)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database), "BOT_SPEED": str(rates.speed)}
        async with BotProcess(world, "tests.restart.fast_clock_bot", env=env) as bot:
            await world.until(lambda: len(made.redrawn(bot.generation)) > tables / 3, limit)
            await bot.kill9()
            await bot.start()
            began = time.monotonic()
            looked_at = range(1, tables, tables // 15 + 1)
            told = await asyncio.gather(*(_click(made, table, delay) for delay, table in enumerate(looked_at)))
            await world.until(lambda: len(made.redrawn(bot.generation)) == tables, limit)
            await asyncio.sleep(12 / rates.speed)  # what else there is to do goes on
            done = made.redrawn(bot.generation)
            refused = tuple(str(each) for each in world.log if each.status == 429)
            return Restarted(
                refused,
                len(made.orphans()),
                max(done.values()) - began,
                _latest(done, looked_at) - began,
                tuple(each.seconds or UNANSWERED for each in told),
                bot.output,
            )


async def _click(made: Crowd, table: int, delay: int) -> Interaction:
    """Let the player on turn open their hand, after the bot started."""
    await asyncio.sleep(delay * 0.1)
    return await made.world.click(made.turns[table], made.boards[table], "My hand")


def _latest(done: dict[int, float], tables: Collection[int]) -> float:
    return max(done[table] for table in tables)
