"""Whether the time that house players take tells anything: python -m tests.bench.pacing

At live and at relaxed tables two people, who play at once, sit with house players of each level, whose thinking is done
as in a bot. Figures, for each level and each kind of action: how many there were, how long they took (the least, the
middle and the most, from the action before), and how likely as great a difference from all others at such tables is by
chance (Kolmogorov-Smirnov). Publicly forced passes are excluded. --full: three minutes of it.
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
from tests.bench.slow_match import Silent

DELAY, SECONDS, LONG = 1.9, 60.0, 180.0
TABLES = 4  # of each level, at each pace, at the same time
PEOPLE = (UserId(1), UserId(2))
LEVELS = (Level.EASY, Level.MEDIUM, Level.HARD)
GUILD, CHANNEL = GuildId(1), ChannelId(2)
SILENT: Any = Silent()


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


async def seated(tables: TableRegistry, pace: Pace, level: Level) -> Table:
    """Let two people and two house players of this level begin Big Two."""
    rules = Ruleset.of(GAMES["big_two"], "pagat", {})
    table = await tables.open(Host(GUILD, CHANNEL, PEOPLE[0], "0"), TableRequest(rules, pace))
    await table.do(Join(PEOPLE[1], "1", table.row.edition))
    await table.do(FillSeats(PEOPLE[0], level))
    await table.do(Start(PEOPLE[0], None, table.row.edition))
    return table


async def play(table: Table, ends: float) -> None:
    """Let people act at once, whenever they are asked."""
    while time.monotonic() < ends and table.row.open:
        match = table.match
        own = [chair for chair in table.row.chairs if match and chair.user and chair.seat in match.awaited]
        if match is None or not own:
            await asyncio.sleep(0.02)
            continue
        view, user = match.view(own[0].seat), own[0].user
        assert user is not None
        await table.do(Act(user, Ready() if match.game.result else plain_action(view) or timeout_action(view)))


class Gap(NamedTuple):
    """How long a house player took. after: whether a house player or a person had acted before, which all see."""

    level: str
    action: str
    after: str
    seconds: float


def gaps(level: Level, table: Table) -> Iterator[Gap]:
    """Yield the actions of house players at a table."""
    _, *positions = record_of(table.row).positions()
    for match, (before, step) in zip(positions, pairwise(table.row.steps), strict=False):
        if step.by == "house" and match.game.result is None and passes_openly(match) is None:
            leads = match.view(None).trick.top is None
            action = "leads" if leads else "passes" if step.action == "pass" else "plays"
            after = "the house" if table.row.chairs[before.seat].house else "a person"
            yield Gap(level, action, after, (step.at - before.at).total_seconds())


def chance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how likely two samples of one distribution differ as much as these."""
    one, two = sorted(some), sorted(others)
    most = max(abs(bisect_right(one, at) / len(one) - bisect_right(two, at) / len(two)) for at in (*one, *two))
    size = sqrt(len(one) * len(two) / (len(one) + len(two)))
    scaled = (size + 0.12 + 0.11 / size) * most
    if scaled < 0.2:  # the series is 1 there, and converges slowly
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1.0) ** (k - 1) * exp(-2 * (k * scaled) ** 2) for k in range(1, 101))))


def told(word: str, some: Sequence[float], others: Sequence[float]) -> None:
    """Print how a part of what came out differs from the rest."""
    middle, likely = statistics.median(some), chance(some, others)
    span = f"{min(some):.3f} to {max(some):.3f} s, {middle:.3f} s in the middle"
    print(f"  {word:23} {len(some):5}: {span}; by chance {likely:.2f}")


def compared(found: Sequence[Gap]) -> None:
    """Print what came out at tables of one kind: by level, and by action of those after the same kind of player.

    To write down what a person does takes another time than for a house player, and that is part of what follows.
    """
    for level in LEVELS:
        told(level, *([each.seconds for each in found if (each.level == level) is wanted] for wanted in (True, False)))
    for action, after in sorted({(each.action, each.after) for each in found}):
        alike = [each for each in found if each.after == after]
        parts = ([each.seconds for each in alike if (each.action == action) is wanted] for wanted in (True, False))
        told(f"{action} after {after}", *parts)


async def main() -> None:
    """Measure it."""
    thinkers = MovePool()
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "games.db", now)
        around = Environment(store, SILENT, now, lambda _at: None, house_delay=DELAY, move_chooser=thinkers)
        tables = TableRegistry(around, lambda: str(time.perf_counter_ns()))
        kinds = [(pace, level) for pace in (LIVE, RELAXED) for level in LEVELS for _ in range(TABLES)]
        there = [(pace, level, await seated(tables, pace, level)) for pace, level in kinds]
        ends = time.monotonic() + (LONG if "--full" in sys.argv else SECONDS)
        await asyncio.gather(*(play(table, ends) for _, _, table in there))
        for wanted in (LIVE, RELAXED):
            print(f"{wanted.kind} tables")
            compared([gap for pace, level, table in there if pace is wanted for gap in gaps(level, table)])
        for _, _, table in there:
            table.house.stop()
            await table.house.ended()
        await thinkers.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
