"""A bot with many live tables is killed while it resumes them after a restart, and restarts again; players click.

Measures; the callers judge the results.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tests.restart.live_tables import LiveTables, set_up_live_tables
from tests.standin import BotProcess, Interaction, World
from tests.standin.rates import Rates
from tests.standin.realm import WAIT_LIMIT

UNANSWERED = 99.0  # seconds, in place of the time of an answer that never came


@dataclass(frozen=True)
class RestartResult:
    """The result of a restart.

    refused: requests that Discord refused with 429. orphaned_boards: number of boards that belong to no table.
    seconds: from the restart until every board was current. clicked: the same for tables with a click. answers:
    seconds until each click was acknowledged. output: of the bot.
    """

    refused: tuple[str, ...]
    orphaned_boards: int
    seconds: float
    clicked: float
    answers: tuple[float, ...]
    output: str


async def run_restart(
    folder: Path, rates: Rates, tables: int, channel_count: int, limit: float = WAIT_LIMIT
) -> RestartResult:
    """Start a bot, kill it after a third of the tables, restart it.

    limit: seconds until all boards are redrawn.
    """
    database = folder / "bigger.db"
    async with World(rates=rates) as world:
        live = await set_up_live_tables(world, database, tables, channel_count)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database), "BOT_SPEED": str(rates.speed)}
        async with BotProcess(world, "tests.restart.fast_clock_bot", env=env) as bot:
            await world.until(lambda: len(live.first_redraws(bot.generation)) > tables / 3, limit)
            await bot.kill9()
            await bot.start()
            began = time.monotonic()
            clicked_tables = range(1, tables, tables // 15 + 1)
            answers = await asyncio.gather(*(_click(live, table, delay) for delay, table in enumerate(clicked_tables)))
            await world.until(lambda: len(live.first_redraws(bot.generation)) == tables, limit)
            await asyncio.sleep(12 / rates.speed)  # for delayed work
            done = live.first_redraws(bot.generation)
            refused = tuple(str(each) for each in world.log if each.status == 429)
            return RestartResult(
                refused,
                len(live.orphaned_boards()),
                max(done.values()) - began,
                _latest(done, clicked_tables) - began,
                tuple(each.seconds or UNANSWERED for each in answers),
                bot.output,
            )


async def _click(live: LiveTables, table: int, delay: int) -> Interaction:
    """Let the player on turn open their hand, after the bot started."""
    await asyncio.sleep(delay * 0.1)
    return await live.world.click(live.turns[table], live.boards[table], "My hand")


def _latest(done: dict[int, float], tables: Collection[int]) -> float:
    return max(done[table] for table in tables)
