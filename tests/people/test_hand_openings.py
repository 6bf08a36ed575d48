"""Where the hands of a long match begin is kept: each opens without the earlier ones, and the record decides."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from bot.domain.ids import TableId
from bot.history import replays
from bot.history.replays import MatchReplay, ReplayCache
from bot.rules.matches import record
from bot.rules.matches.record import Openings, Record
from bot.rules.matches.seal import chain_seed
from bot.table.core.state import record_of
from tests.bench.replay import long_match, store_match
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

HANDS = 3


@pytest.fixture(autouse=True)
def treat_matches_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every match for a long one, and wait for none before it is shown."""
    for module in (record, replays):
        monkeypatch.setattr(module, "MIN_STORED_PLIES", 1)
    monkeypatch.setattr(replays, "PREPARATION_SECONDS", 0.0)


async def open_match(here: World, table: TableId) -> MatchReplay:
    """Open a match whose replay is not cached."""
    match_replay = await ReplayCache(lambda: here.parts.store, here.parts.workers).of(table, here.guild.id)
    assert match_replay
    return match_replay


async def check_hands(match_replay: MatchReplay, record: Record) -> None:
    """Assert that each hand, last first, equals the record."""
    every = {match.moment: match for match in record.positions()}
    for opening in reversed(record.replay().openings):
        for snapshot in await match_replay.snapshots(opening.deal - 1):
            assert snapshot.match == every[snapshot.step]
    assert match_replay.playback.last == max(every)


async def test_a_finished_match_stores_the_openings_of_its_hands(here: World) -> None:
    table = await here.start_table(hands=2)
    await here.play_hand(table)
    await here.press("ann", table, "Ready")
    await here.play_hand(table)
    record = record_of(table.row)
    text = await here.parts.store.records.openings(table.id)
    assert text
    assert Openings.read(text) == Openings.of(record.replay())
    for packed in (False, True):
        if packed:
            await here.parts.store.records.pack(table.id)
        match_replay = await open_match(here, table.id)
        assert match_replay.playback.whole
        await check_hands(match_replay, record)


SPOILED_OPENINGS = (
    "DELETE FROM openings",
    "UPDATE openings SET body = x'00'",
    "UPDATE openings SET checksum = 'another'",
)


async def test_missing_damaged_or_foreign_openings_are_rebuilt(
    here: World,
) -> None:
    table, record = await store_match(here, long_match(HANDS)), long_match(HANDS)
    right = await here.parts.store.records.openings(table)
    assert right is not None
    for spoil in SPOILED_OPENINGS:
        with closing(sqlite3.connect(here.database_file)) as database, database:
            database.execute(spoil)
        assert await here.parts.store.records.openings(table) is None, spoil
        await check_rebuilt_once(here, table, record)
        assert await here.parts.store.records.openings(table) == right, spoil
    shorter = Openings.of(long_match(HANDS - 1).replay()).written()
    for text in ('[0,"of another version"]', shorter):
        await here.parts.store.records.keep_openings(table, text)
        await check_rebuilt_once(here, table, record)


async def check_rebuilt_once(here: World, table: TableId, record: Record) -> None:
    """Assert that a match is played out once, and not the next time."""
    match_replay = await open_match(here, table)
    assert not match_replay.playback.whole
    await match_replay.make()
    await check_hands(match_replay, record)
    assert (await open_match(here, table)).playback.whole


async def test_verification_of_a_match_ignores_stored_openings(here: World) -> None:
    table = await store_match(here, long_match(HANDS))
    number = str((await here.parts.store.results.history(here.guild.id, 1, 0))[0].number)
    before = (await here.slash("dev", "matches verify", table=number)).text
    record = long_match(HANDS)
    other = Openings.of(replace(record, seed=chain_seed("0a" * 32)).begin())
    wrong = replace(other, ply=len(record.steps), last=len(record.steps))
    await here.parts.store.records.keep_openings(table, wrong.written())
    assert not (await open_match(here, table)).playback.openings[1:], "it is what is kept"
    assert (await here.slash("dev", "matches verify", table=number)).text == before
    await here.parts.store.deletions.forget_server(here.guild.id)
    assert await here.parts.store.records.openings(table) is None, "a server that is deleted takes it along"
    await here.parts.store.records.keep_openings(table, "too late")
    assert await here.parts.store.records.openings(table) is None
