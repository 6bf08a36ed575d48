"""A restart with 300 live tables, and how soon people are answered at 100: python -m tests.bench.restart

At the 100 tables people click 100 times a second, and take hints, for which house players think meanwhile; the answer
to Hint is what one of them has thought, so it stands apart.

The real process over real sockets, with a Discord that keeps to its limits: 5 requests in 5 s a channel, 3 edits of old
messages in 6 s there, 50 a second in all. In the restart the bot is killed while it goes on, and started again.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from pathlib import Path

from bot.domain.pace import Pace
from tests.restart.crowd import Crowd, crowd
from tests.restart.restart_trial import restarted
from tests.standin import BotProcess, Message, World
from tests.standin.rates import Rates
from tests.standin.realm import AT_DISCORD

TABLES, ROOMS, LIMIT = 300, 30, 60.0
PLAYED, PLAYED_ROOMS, SECONDS = 100, 20, 30.0
LOOK_AGAIN = 1.0  # seconds between two clicks of the same person, on average: 100 clicks a second
BUTTONS = ("Hint", "⋯", "Back to my cards")
HINTED = Pace("live", hints=True)  # each hint is what a strong house player would do, found in a process that thinks


def there(hand: Message) -> list[str]:
    """Return which of these buttons a hand has: a hand with a forced pass offers no hint."""
    return [button for button in BUTTONS if hand.has(button)]


async def restart(folder: Path) -> None:
    """Print what a restart costs."""
    came = await restarted(folder, Rates(), TABLES, ROOMS, limit=3 * LIMIT)
    print(f"{TABLES} live tables in {ROOMS} channels, killed while going on, and started again:")
    print(f"  refused with 429: {len(came.refused)} {' '.join(came.refused[:9])}  boards left over: {came.orphans}")
    print(f"  all redrawn after {came.seconds:.1f} s (goal {LIMIT:.0f}); those clicked at after {came.clicked:.1f} s")
    print(f"  clicks meanwhile: {spread(came.answers)}")


async def evening(folder: Path) -> None:
    """Print how soon people are acknowledged who click at many tables at once."""
    database, told, hints = folder / "bigger.db", list[float](), list[float]()
    async with World(answer_within=AT_DISCORD, rates=(rates := Rates())) as world:
        made = await crowd(world, database, PLAYED, PLAYED_ROOMS, live=HINTED)
        env = {"BIGGER_CARD_EMOJI": "no", "BIGGER_DATABASE": str(database)}
        async with BotProcess(world, env=env):
            await asyncio.sleep(10)
            await asyncio.gather(*(clicks(made, table, told, hints, LOOK_AGAIN) for table in made.turns))
    count = len(told) + len(hints)
    print(f"{count} clicks at {PLAYED} tables in {SECONDS:.0f} s, first acknowledgement: {spread(tuple(told))}")
    print(f"  of {len(hints)} hints: {spread(tuple(hints))}   refused with 429: {rates.refused}")


async def clicks(made: Crowd, table: int, told: list[float], hints: list[float], pause: float) -> None:
    """Let on turn open their hand, take the hint, and sort their cards, again and again.

    told, hints: how soon each of these was answered, hints apart. pause: seconds between two clicks, on average.
    """
    rng, user, began = random.Random(table), made.turns[table], asyncio.get_running_loop().time()
    await asyncio.sleep(rng.uniform(0, pause))
    hand = None
    while asyncio.get_running_loop().time() < began + SECONDS:
        message, button = (made.boards[table], "My hand") if hand is None else (hand, rng.choice(there(hand)))
        clicked = await made.world.click(user, message, button)
        (hints if button == BUTTONS[0] else told).append(clicked.seconds if clicked.seconds is not None else 99.0)
        await asyncio.sleep(rng.expovariate(1 / pause))
        hand = hand or clicked.ephemeral


def spread(seconds: tuple[float, ...]) -> str:
    """Return how long most took, nearly all, and the longest, in milliseconds."""
    ordered = sorted(seconds)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"p50 {statistics.median(ordered) * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, longest {ordered[-1] * 1000:.0f} ms"
    )


def main() -> None:
    """Measure both."""
    for part in (restart, evening):
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(part(Path(folder)))


if __name__ == "__main__":
    main()
