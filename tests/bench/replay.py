"""How long looking through a long match takes: python -m tests.bench.replay, or with --full through 1,000 hands.

Milliseconds from the click to the complete answer with its picture: the first screen of a match that is not cached, at
its first card and by a code in the middle and at its end; the same for a packed match, as after a month; then single
steps and jumps to other hands.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bot.domain.ids import TableId
from bot.domain.pace import LIVE
from bot.games import GAMES
from bot.history.replays import MatchReplay, ReplayCache
from bot.rules.core.asks import Action, Pass, Play, Ready, write_action
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record, stored_openings
from bot.rules.matches.replay import Snapshot
from bot.rules.matches.seal import chain_seed
from bot.rules.variants.registration import FIRST
from bot.show.kit.words import words
from bot.show.matches.replay import ReplayScene, ReplayStep, replay
from bot.show.table.table_picture import picture
from bot.store.repositories import records
from bot.store.rows import Decider, MatchStep, NewTable, TableChange
from tests.support.world import World, world

FULL_HANDS, SHORT_HANDS = 1000, 200  # with --full, and without
STEPS = 40
SEED = chain_seed("5e" * 32)
GOAL_FIRST, GOAL_STEP = 300, 100
POSITIONS = "at the first card", "by a code, middle", "by a code, end"
W = words("en-US")


@cache
def long_match(hands: int) -> Record:
    """Return a match with this many hands, played with first legal plays."""
    started = Record(
        GAMES["big_two"], "pagat", seed=SEED, options={"match_end": "deals", "deals": hands}, version=FIRST
    )
    match, steps = started.begin(), list[tuple[int, Action]]()
    while not match.over:
        steps.append(first_legal_action(match))
        match = match.act(*steps[-1])
    return replace(started, steps=tuple(steps))


def first_legal_action(match: Match) -> tuple[int, Action]:
    """Return the next seat and its first legal action."""
    seat = min(match.awaited)
    if match.game.result:
        return seat, Ready()
    plays = match.view(seat).plays.first(1)
    return seat, Play(plays[0].cards) if plays else Pass()


async def store_match(here: World, record: Record, by: Decider = "person") -> TableId:
    """Store this match as just finished; return its table. by: who acted, as recorded."""
    table = await here.finish_instantly()
    (match,) = await here.parts.store.results.history(here.guild.id, 1, 0)
    row, now = table.row, here.env.now()
    new = NewTable(
        row.guild,
        row.channel,
        row.host,
        record.game,
        record.preset,
        record.options,
        row.seats,
        record.seed,
        LIVE,
        now,
    )
    steps = tuple(MatchStep(ply, seat, write_action(done), by, now) for ply, (seat, done) in enumerate(record.steps))
    made = await here.parts.store.tables.add(new, row.chairs, None)
    ended = TableChange(phase="over", steps=steps, outcome=match.outcome, openings=stored_openings(record.replay()))
    await here.parts.store.tables.save(made.id, ended)
    return made.id


async def draw_step(match_replay: MatchReplay, step: int) -> Snapshot:
    """Draw a step as for a player: texts, menus and picture."""
    snapshot = await match_replay.snapshot(step)
    drawn = picture(match_replay.scene(snapshot), W)
    assert drawn
    replayed = ReplayScene(
        table=match_replay.row.id,
        number=match_replay.row.number,
        game=match_replay.row.game,
        chairs=match_replay.row.chairs,
        playback=match_replay.playback,
    )
    replay(replayed, ReplayStep(snapshot, await match_replay.snapshots(snapshot.match.deal - 1), picture=drawn), W)
    await asyncio.to_thread(drawn.png)
    return snapshot


async def first_screen(here: World, table: TableId, step: int) -> tuple[float, MatchReplay]:
    """Return the milliseconds until a step of an uncached match is drawn, and the replay."""
    records.open_cached.cache_clear()
    started = perf_counter()
    match_replay = await ReplayCache(lambda: here.parts.store, here.parts.workers).of(table, here.guild.id)
    assert match_replay
    await draw_step(match_replay, step)
    took = (perf_counter() - started) * 1000
    await match_replay.make()
    return took, match_replay


async def time_steps(match_replay: MatchReplay, steps: Sequence[int]) -> list[float]:
    """Return the milliseconds of each of these steps, drawn one after the other."""
    took = []
    for step in steps:
        started = perf_counter()
        await draw_step(match_replay, step)
        took.append((perf_counter() - started) * 1000)
    return took


async def measure_match(here: World, record: Record) -> list[str]:
    """Measure a match; return lines about the times."""
    table, last, lines = await store_match(here, record), len(record.steps), []
    _, match_replay = await first_screen(here, table, 0)  # fills caches of the process
    gc.freeze()  # excludes our own record from garbage collection
    for when in ("", "packed, "):
        if when:
            await here.parts.store.records.pack(table)
        for name, step in zip(POSITIONS, (0, last // 2, last - 1), strict=True):
            took, match_replay = await first_screen(here, table, step)
            lines.append(f"first screen {when + name:26}{took:8.0f} ms   (goal {GOAL_FIRST} ms)")
    hands = [opening.step + 5 for opening in match_replay.playback.openings]
    for name, steps in (
        ("Move ▶", range(last // 3, last // 3 + STEPS)),
        ("another hand", hands[:: max(1, len(hands) // STEPS)]),
    ):
        times = await time_steps(match_replay, steps)
        lines.append(f"{name:39}{median(times):8.0f} ms   at most {max(times):.0f} ms (goal {GOAL_STEP} ms)")
    return lines


async def main(*, full: bool) -> None:
    """Measure and print."""
    hands = FULL_HANDS if full else SHORT_HANDS
    record = long_match(hands)
    with TemporaryDirectory() as folder:
        async with world(Path(folder)) as here:
            lines = await measure_match(here, record)
    print(f"{hands} hands of Big Two, {len(record.steps):,} actions", *lines, sep="\n")


if __name__ == "__main__":
    asyncio.run(main(full="--full" in sys.argv))
