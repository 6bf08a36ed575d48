"""Whether the time that house players take tells anything: python -m tests.bench.pacing

At live and at relaxed tables two people, who play at once, sit with house players of each level, whose thinking is done
as in a bot. Figures, for each level and each kind of action: how many there were, how long they took (the least, the
middle and the most, from the action before), and how likely as great a difference from all others at such tables is by
chance (Kolmogorov-Smirnov). Passes that all can see are forced are no part of it. --full: three minutes of it.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.games import GAMES
from bot.ground.ids import ChannelId, GuildId, UserId
from bot.ground.level import Level
from bot.ground.pace import LIVE, RELAXED, Pace
from bot.house.plain import choose
from bot.rules.actions import Ready
from bot.rules.ruleset import Ruleset
from bot.store.store import Store
from bot.table.around import Around
from bot.table.house_seats import least, passes_openly
from bot.table.table import Table
from bot.table.tables import Host, Tables, Wish
from bot.table.thinkers import Thinkers
from tests.bench.slow_match import Silent

DELAY, SECONDS, LONG = 1.9, 60.0, 180.0
TABLES = 4  # of each level, at each pace, at the same time
PEOPLE = (UserId(1), UserId(2))
LEVELS = (Level.KIND, Level.GOOD, Level.STRONG)
GUILD, CHANNEL = GuildId(1), ChannelId(2)
SILENT: Any = Silent()


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


async def seated(tables: Tables, pace: Pace, level: Level) -> Table:
    """Let two people and two house players of this level begin Big Two."""
    rules = Ruleset.of(GAMES["big_two"], "pagat", {})
    table = await tables.open(Host(GUILD, CHANNEL, PEOPLE[0], "0"), Wish(rules, pace))
    await table.join(PEOPLE[1], "1", table.row.edition)
    await table.fill_up(PEOPLE[0], level)
    await table.start(PEOPLE[0], None, table.row.edition)
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
        await table.act(user, Ready() if match.game.result else choose(view) or least(view))


def gaps(table: Table) -> Iterator[tuple[str, float]]:
    """Yield what house players have done, in a word, and how long each took for it."""
    _, *positions = table.record.positions()
    for match, (before, step) in zip(positions, pairwise(table.row.steps), strict=False):
        if step.by == "house" and match.game.result is None and passes_openly(match) is None:
            leads = match.view(None).trick.top is None
            word = "leads" if leads else "passes" if step.action == "pass" else "plays"
            yield word, (step.at - before.at).total_seconds()


def chance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how likely two samples of one distribution differ as much as these."""
    one, two = sorted(some), sorted(others)
    most = max(abs(bisect_right(one, at) / len(one) - bisect_right(two, at) / len(two)) for at in (*one, *two))
    size = sqrt(len(one) * len(two) / (len(one) + len(two)))
    scaled = (size + 0.12 + 0.11 / size) * most
    if scaled < 0.2:  # the series is 1 there, and converges slowly
        return 1.0
    return min(1.0, max(0.0, 2 * sum((-1.0) ** (k - 1) * exp(-2 * (k * scaled) ** 2) for k in range(1, 101))))


def told(found: dict[tuple[str, str], list[float]]) -> None:
    """Print what came out at tables of one kind."""
    for at in (0, 1):
        for word in dict.fromkeys(key[at] for key in found):
            some = [gap for key, each in found.items() if key[at] == word for gap in each]
            others = [gap for key, each in found.items() if key[at] != word for gap in each]
            middle, likely = statistics.median(some), chance(some, others)
            span = f"{min(some):.3f} to {max(some):.3f} s, {middle:.3f} s in the middle"
            print(f"  {word:7} {len(some):5}: {span}; by chance {likely:.2f}")


async def main() -> None:
    """Measure it."""
    thinkers = Thinkers()
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "games.db", now)
        around = Around(store, SILENT, now, lambda _at: None, house_delay=DELAY, thinking=thinkers)
        tables = Tables(around, lambda: str(time.perf_counter_ns()))
        kinds = [(pace, level) for pace in (LIVE, RELAXED) for level in LEVELS for _ in range(TABLES)]
        there = [(pace, level, await seated(tables, pace, level)) for pace, level in kinds]
        ends = time.monotonic() + (LONG if "--full" in sys.argv else SECONDS)
        await asyncio.gather(*(play(table, ends) for _, _, table in there))
        for wanted in (LIVE, RELAXED):
            found = defaultdict[tuple[str, str], list[float]](list)
            for _, level, table in (each for each in there if each[0] is wanted):
                for word, gap in gaps(table):
                    found[level, word].append(gap)
            print(f"{wanted.kind} tables")
            told(found)
        for _, _, table in there:
            table.stop_house_players()
            await table.house_ended()
        await thinkers.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
