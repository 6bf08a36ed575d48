"""What looking through a long match costs: python -m tests.bench.replay, or with --full through 1,000 hands.

Milliseconds from the click to the whole answer, its picture drawn: the first screen of a match that nobody has looked
at since the start, at its first card and by a code in the middle and at its end; the same once it has been packed, as
it is a month later; then single steps and jumps to other hands.
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

FULL, FEW = 1000, 200  # hands: with --full, and without
STEPS = 40
SEED = chain_seed("5e" * 32)
GOAL_FIRST, GOAL_STEP = 300, 100
WHERE = "at the first card", "by a code, middle", "by a code, end"
W = words("en-US")


@cache
def long_match(hands: int) -> Record:
    """Return a match of this many hands with first legal plays."""
    begun = Record(GAMES["big_two"], "pagat", seed=SEED, options={"match_end": "deals", "deals": hands}, version=FIRST)
    match, steps = begun.begin(), list[tuple[int, Action]]()
    while not match.over:
        steps.append(simply(match))
        match = match.act(*steps[-1])
    return replace(begun, steps=tuple(steps))


def simply(match: Match) -> tuple[int, Action]:
    """Return the next seat and its first legal action."""
    seat = min(match.awaited)
    if match.game.result:
        return seat, Ready()
    plays = match.view(seat).plays.first(1)
    return seat, Play(plays[0].cards) if plays else Pass()


async def kept(here: World, record: Record, by: Decider = "person") -> TableId:
    """Store this match as just finished here. by: who did all of it."""
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


async def look(match_replay: MatchReplay, step: int) -> Snapshot:
    """Draw a step as a player gets it: words, menus and picture."""
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


async def first(here: World, table: TableId, step: int) -> tuple[float, MatchReplay]:
    """Return the milliseconds until a step of a match is drawn that nobody has looked at, and its replay."""
    records.open_cached.cache_clear()
    begun = perf_counter()
    match_replay = await ReplayCache(lambda: here.parts.store, here.parts.workers).of(table, here.guild.id)
    assert match_replay
    await look(match_replay, step)
    took = (perf_counter() - begun) * 1000
    await match_replay.make()
    return took, match_replay


async def each(match_replay: MatchReplay, steps: Sequence[int]) -> list[float]:
    """Return the milliseconds that each of these steps of a replay takes, one after the other."""
    took = []
    for step in steps:
        begun = perf_counter()
        await look(match_replay, step)
        took.append((perf_counter() - begun) * 1000)
    return took


async def measured(here: World, record: Record) -> list[str]:
    """Measure a match, and return what is said of it."""
    table, last, said = await kept(here, record), len(record.steps), []
    _, match_replay = await first(here, table, 0)  # whatever is made once in the life of the bot
    gc.freeze()  # the record is ours, and no bot has it in its memory
    for when in ("", "packed, "):
        if when:
            await here.parts.store.records.pack(table)
        for name, step in zip(WHERE, (0, last // 2, last - 1), strict=True):
            took, match_replay = await first(here, table, step)
            said.append(f"first screen {when + name:26}{took:8.0f} ms   (goal {GOAL_FIRST} ms)")
    hands = [opening.step + 5 for opening in match_replay.playback.openings]
    for name, steps in (
        ("Move ▶", range(last // 3, last // 3 + STEPS)),
        ("another hand", hands[:: max(1, len(hands) // STEPS)]),
    ):
        spent = await each(match_replay, steps)
        said.append(f"{name:39}{median(spent):8.0f} ms   at most {max(spent):.0f} ms (goal {GOAL_STEP} ms)")
    return said


async def main(*, full: bool) -> None:
    """Measure and print."""
    hands = FULL if full else FEW
    record = long_match(hands)
    with TemporaryDirectory() as folder:
        async with world(Path(folder)) as here:
            said = await measured(here, record)
    print(f"{hands} hands of Big Two, {len(record.steps):,} actions", *said, sep="\n")


if __name__ == "__main__":
    asyncio.run(main(full="--full" in sys.argv))
