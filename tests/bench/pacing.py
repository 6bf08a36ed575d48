"""Whether the delays of house players reveal information: python -m tests.bench.pacing [--full]

At live and relaxed tables two people, who act at once, play with house players of each level, which think as in a bot.
For each level and each kind of action: the number of actions, the seconds since the previous action (minimum, median,
maximum), and the probability that such a difference to other actions is by chance (Kolmogorov-Smirnov). Publicly forced
actions are excluded. --full: three minutes.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bot.ai.plain import passes_openly, plain_action, timeout_action
from bot.ai_pool.pool import MovePool
from bot.domain.chairs import Level
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.pace import LIVE, RELAXED, Pace
from bot.games import GAMES
from bot.rules.core.asks import Ready
from bot.rules.variants.ruleset import Ruleset
from bot.store.store import Store
from bot.table.core.commands import Act, FillSeats, Join, Start
from bot.table.core.state import record_of
from bot.table.environment import Environment
from bot.table.registry import Host, TableRegistry, TableRequest
from bot.table.table import Table
from tests.bench.slow_match import NullObject

HOUSE_DELAY, SECONDS, FULL_SECONDS = 1.9, 60.0, 180.0
TABLES_PER_LEVEL = 4  # per level and pace, concurrently
PEOPLE = (UserId(1), UserId(2))
LEVELS = (Level.EASY, Level.MEDIUM, Level.HARD)
GUILD, CHANNEL = GuildId(1), ChannelId(2)
SILENT: Any = NullObject()


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


async def start_match(tables: TableRegistry, pace: Pace, level: Level) -> Table:
    """Start Big Two with two people and two house players of this level."""
    rules = Ruleset.of(GAMES["big_two"], "pagat", {})
    table = await tables.open(Host(GUILD, CHANNEL, PEOPLE[0], "0"), TableRequest(rules, pace))
    await table.do(Join(PEOPLE[1], "1", table.row.edition))
    await table.do(FillSeats(PEOPLE[0], level))
    await table.do(Start(PEOPLE[0], None, table.row.edition))
    return table


async def play(table: Table, ends: float) -> None:
    """Let people act at once until this time."""
    while time.monotonic() < ends and table.row.open:
        match = table.match
        own = [chair for chair in table.row.chairs if match and chair.user and chair.seat in match.awaited]
        if match is None or not own:
            await asyncio.sleep(0.02)
            continue
        view, user = match.view(own[0].seat), own[0].user
        assert user is not None
        await table.do(Act(user, Ready() if match.game.result else plain_action(view) or timeout_action(view)))


class HouseDelay(NamedTuple):
    """The delay of a house player. after: whether a house player or a person acted before, which is public."""

    level: str
    action: str
    after: str
    seconds: float


def house_delays(level: Level, table: Table) -> Iterator[HouseDelay]:
    """Yield the delays of house players at a table."""
    _, *positions = record_of(table.row).positions()
    for match, (before, step) in zip(positions, pairwise(table.row.steps), strict=False):
        if step.by == "house" and match.game.result is None and passes_openly(match) is None:
            leads = match.view(None).trick.top is None
            action = "leads" if leads else "passes" if step.action == "pass" else "plays"
            after = "the house" if table.row.chairs[before.seat].house else "a person"
            yield HouseDelay(level, action, after, (step.at - before.at).total_seconds())


def p_value(sample: Sequence[float], rest: Sequence[float]) -> float:
    """Return the probability of a difference this large between two samples of one distribution."""
    one, two = sorted(sample), sorted(rest)
    most = max(abs(bisect_right(one, at) / len(one) - bisect_right(two, at) / len(two)) for at in (*one, *two))
    size = sqrt(len(one) * len(two) / (len(one) + len(two)))
    scaled = (size + 0.12 + 0.11 / size) * most
    if scaled < 0.2:  # the series is 1 there, and converges slowly
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1.0) ** (k - 1) * exp(-2 * (k * scaled) ** 2) for k in range(1, 101))))


def print_comparison(word: str, sample: Sequence[float], rest: Sequence[float]) -> None:
    """Print how a sample differs from the rest."""
    middle, likely = statistics.median(sample), p_value(sample, rest)
    span = f"{min(sample):.3f} to {max(sample):.3f} s, {middle:.3f} s in the middle"
    print(f"  {word:23} {len(sample):5}: {span}; by chance {likely:.2f}")


def print_level_and_actions(found: Sequence[HouseDelay]) -> None:
    """Print results for tables of one pace: by level, and by action after the same kind of player.

    Saving the action of a person takes another time than for a house player, and is part of the next delay.
    """
    for level in LEVELS:
        print_comparison(
            level, *([each.seconds for each in found if (each.level == level) is wanted] for wanted in (True, False))
        )
    for action, after in sorted({(each.action, each.after) for each in found}):
        alike = [each for each in found if each.after == after]
        parts = ([each.seconds for each in alike if (each.action == action) is wanted] for wanted in (True, False))
        print_comparison(f"{action} after {after}", *parts)


async def main() -> None:
    """Run the measurement."""
    thinkers = MovePool()
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "games.db", now)
        around = Environment(store, SILENT, now, lambda _at: None, house_delay=HOUSE_DELAY, move_chooser=thinkers)
        tables = TableRegistry(around, lambda: str(time.perf_counter_ns()))
        kinds = [(pace, level) for pace in (LIVE, RELAXED) for level in LEVELS for _ in range(TABLES_PER_LEVEL)]
        there = [(pace, level, await start_match(tables, pace, level)) for pace, level in kinds]
        ends = time.monotonic() + (FULL_SECONDS if "--full" in sys.argv else SECONDS)
        await asyncio.gather(*(play(table, ends) for _, _, table in there))
        for wanted in (LIVE, RELAXED):
            print(f"{wanted.kind} tables")
            print_level_and_actions(
                [gap for pace, level, table in there if pace is wanted for gap in house_delays(level, table)]
            )
        for _, _, table in there:
            table.house.stop()
            await table.house.ended()
        await thinkers.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
