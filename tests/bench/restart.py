"""How long a restart takes, and how soon clicks are answered: python -m tests.bench.restart

The restart is one with 300 live tables: the bot is killed while it resumes tables, and restarted. Then, at 100 tables,
people click 100 times a second in total and use hints, which house players compute at the same time; the answers to
Hint are therefore reported separately.

The real process over real sockets, with a Discord that enforces its limits: 5 requests in 5 s per channel, 3 edits of
old messages in 6 s, 50 a second in total.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from pathlib import Path

from bot.domain.pace import Pace
from tests.restart.live_tables import LiveTables, set_up_live_tables
from tests.restart.restart_trial import run_restart
from tests.standin import BotProcess, Message, World
from tests.standin.rates import Rates
from tests.standin.realm import DISCORD_TIMEOUT

TABLES, CHANNELS, LIMIT = 300, 30, 60.0
CLICKED_TABLES, CLICKED_CHANNELS, SECONDS = 100, 20, 30.0
CLICK_INTERVAL = 1.0  # mean seconds between two clicks of a player: 100 clicks a second
BUTTONS = ("Hint", "⋯", "Back to my cards")
PACE_WITH_HINTS = Pace("live", hints=True)  # computed by a hard house player in a worker


def offered_buttons(hand: Message) -> list[str]:
    """Return which of BUTTONS a hand has: a hand with a forced pass offers no hint."""
    return [button for button in BUTTONS if hand.has(button)]


async def measure_restart(folder: Path) -> None:
    """Print the time and the requests of a restart."""
    result = await run_restart(folder, Rates(), TABLES, CHANNELS, limit=3 * LIMIT)
    print(f"{TABLES} live tables in {CHANNELS} channels, killed while going on, and started again:")
    refused = f"{len(result.refused)} {' '.join(result.refused[:9])}"
    print(f"  refused with 429: {refused}  boards left over: {result.orphaned_boards}")
    print(
        f"  all redrawn after {result.seconds:.1f} s (goal {LIMIT:.0f}); those clicked at after {result.clicked:.1f} s"
    )
    print(f"  clicks meanwhile: {spread(result.answers)}")


async def measure_clicks(folder: Path) -> None:
    """Print how soon clicks at many tables are acknowledged."""
    database, delays, hint_delays = folder / "bigger.db", list[float](), list[float]()
    async with World(answer_within=DISCORD_TIMEOUT, rates=(rates := Rates())) as world:
        live = await set_up_live_tables(world, database, CLICKED_TABLES, CLICKED_CHANNELS, live=PACE_WITH_HINTS)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database)}
        async with BotProcess(world, env=env):
            await asyncio.sleep(10)
            await asyncio.gather(
                *(click_repeatedly(live, table, delays, hint_delays, CLICK_INTERVAL) for table in live.turns)
            )
    count = len(delays) + len(hint_delays)
    print(
        f"{count} clicks at {CLICKED_TABLES} tables in {SECONDS:.0f} s, first acknowledgement: {spread(tuple(delays))}"
    )
    print(f"  of {len(hint_delays)} hints: {spread(tuple(hint_delays))}   refused with 429: {rates.refused}")


async def click_repeatedly(
    live: LiveTables, table: int, delays: list[float], hint_delays: list[float], pause: float
) -> None:
    """Let a player open the hand, then use hints and menus repeatedly.

    delays, hint_delays: seconds until each click, and each hint, was acknowledged; extended. pause: mean seconds
    between two clicks.
    """
    rng, user, began = random.Random(table), live.turns[table], asyncio.get_running_loop().time()
    await asyncio.sleep(rng.uniform(0, pause))
    hand = None
    while asyncio.get_running_loop().time() < began + SECONDS:
        message, button = (live.boards[table], "My hand") if hand is None else (hand, rng.choice(offered_buttons(hand)))
        clicked = await live.world.click(user, message, button)
        (hint_delays if button == BUTTONS[0] else delays).append(
            clicked.seconds if clicked.seconds is not None else 99.0
        )
        await asyncio.sleep(rng.expovariate(1 / pause))
        hand = hand or clicked.ephemeral


def spread(seconds: tuple[float, ...]) -> str:
    """Describe median, 99th percentile and maximum in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"p50 {statistics.median(ordered) * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, longest {ordered[-1] * 1000:.0f} ms"
    )


def main() -> None:
    """Run both measurements."""
    for part in (measure_restart, measure_clicks):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(part(Path(folder)))


if __name__ == "__main__":
    main()
