"""A database that was really played on by an older version: opened by this one, everything is present and continues."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.ai.plain import plain_action
from bot.domain.house_rules import Owner
from bot.domain.ids import AccessChannel, TableId
from bot.domain.pace import NO_CLOCK
from bot.domain.results import Sitting
from bot.rules.core.asks import Ready
from bot.store.store import Store
from bot.table.core.commands import Act, Join, TakeBack
from bot.table.fact_lookup import match_of
from bot.table.table import Table
from tests.store.released_databases import (
    ANN,
    BEN,
    CHANNEL,
    DEFAULTS,
    DESERTED,
    GUILD,
    IDS,
    LOBBY,
    NEWER,
    PHASES,
    RUNNING_TABLES,
    STEPS,
    copy_migrated,
    copy_released,
)
from tests.store.sample_tables import load_table, now
from tests.support.totals import matches_and_wins
from tests.support.world import World, world


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The path of that database, brought up to date."""
    return copy_migrated(tmp_path / "bigger.db")


@asynccontextmanager
async def found(folder: Path, kept: Path, *changes: str) -> AsyncIterator[World]:
    """The server it was played on, where a bot of today finds it. changes: statements for the older database."""
    channel, *people = IDS[kept]
    async with world(folder) as made:
        now_there = (made.guild.id, made.channel.id, *(person.id for person in made.people.values()))
        moved = dict(zip((GUILD, channel, *people), now_there, strict=True))
        await made.stop()
        with closing(sqlite3.connect(copy_released(folder / "bigger.db", moved, kept))) as file, file:
            file.execute("UPDATE tables SET home = channel, message = NULL")  # its threads are not there
            for statement in changes:
                file.execute(statement)
        await made.start()
        yield made


async def test_every_table_is_there_and_every_match_replays(played: Path) -> None:
    store = await Store.open(played, now)
    for number, phase in PHASES.items():
        row = await store.tables.load(number)
        assert row is not None
        assert (row.phase, len(row.steps)) == (phase, STEPS.get(number, 0))
        match = await match_of(row)
        assert (match is not None and match.over) == (phase == "over")
    await store.close()


async def test_stored_house_rules_and_preferences_are_there(played: Path) -> None:
    store = await Store.open(played, now)
    (server,), (mine,) = (
        await store.house_rules.of_owner(Owner("server", GUILD)),
        await store.house_rules.of_owner(Owner("person", ANN)),
    )
    assert (server.name, server.preset, mine.name, dict(mine.options)) == ("Friday", "hong_kong", "Mine", {"deals": 3})
    default = await store.house_rules.channel_default(CHANNEL)
    assert default is not None
    assert default.name == "Friday"
    assert (await store.people.preferences(BEN)).mirror
    await store.close()


@pytest.mark.parametrize("kept", RUNNING_TABLES, ids=lambda kept: kept.stem)
async def test_each_match_resumes_where_it_was(tmp_path: Path, kept: Path) -> None:
    async with found(tmp_path, kept) as there:
        for number in RUNNING_TABLES[kept]:
            await one_goes_on(there, await there.parts.tables.get(number))


async def test_a_slow_lobby_of_an_older_version_keeps_its_deadline(tmp_path: Path) -> None:
    async with found(tmp_path, DEFAULTS) as there:
        table = await there.parts.tables.get(LOBBY)
        kept = table.row.deadline
        assert kept is not None
        assert (table.row.phase, table.row.pace, kept.remind_at) == ("lobby", NO_CLOCK, None)
        assert timedelta() < kept.at - there.clock() <= timedelta(minutes=31)
        await there.advance(minutes=31)
        assert (await there.reload(table)).row.phase == "closed"


async def test_joining_an_older_slow_lobby_renews_three_days(tmp_path: Path) -> None:
    async with found(tmp_path, DEFAULTS) as there:
        table = await there.parts.tables.get(LOBBY)
        with there.env._bot_scope():
            await table.do(Join(there.people["dev"].id, "dev", table.row.edition))
        kept = table.row.deadline
        assert kept is not None
        assert kept.at - there.clock() == timedelta(days=3)


async def one_goes_on(there: World, table: Table) -> None:
    """Act for the awaited player, and check the stored step."""
    before = table.state.ply
    assert table.match is not None
    (seat, *_) = (seat for seat in sorted(table.match.awaited) if not table.row.chairs[seat].house)
    user = table.row.chairs[seat].user
    assert user is not None
    action = Ready() if table.stage == "between" else plain_action(table.match.view(seat))
    assert action is not None
    await table.do(Act(user, action))
    await there.settle()
    assert table.state.ply > before, table.id
    assert table.row.message, table.id


async def test_old_seats_can_be_taken_back_and_old_lobbies_started(tmp_path: Path) -> None:
    async with found(tmp_path, NEWER) as there:
        table = await there.parts.tables.get(DESERTED)
        assert [chair.away for chair in table.row.chairs] == ["late", "late", "", ""]
        await table.do(TakeBack(there.ann.id))
        await there.settle()
        assert there.current_player(table) == "ann"
        sat = [one for one in await there.parts.store.results.sittings(table.id) if one.seat == 0]
        assert sat == [Sitting(0, ply, there.ann.id, house=False) for ply in (0, 17)], "nothing was played for her"
        table = await there.parts.tables.get(LOBBY)
        table.resume_play()
        await there.settle()
        await there.press("ben", table, "Join")
        await there.press("ann", table, "Start")
        assert (table.stage, table.state.ply) == ("playing", 0)
        assert [one.house for one in await there.parts.store.results.sittings(table.id)] == [False, False, True, False]


async def test_old_results_keep_their_known_facts(place: Path) -> None:
    with closing(sqlite3.connect(copy_released(place))) as file, file:
        file.execute("UPDATE actions SET action = 'stop' WHERE table_id = 1 AND ply = 82")  # one player ended it alone
        file.execute("UPDATE standings SET user = NULL, house = TRUE WHERE table_id = 4 AND seat > 0")  # one person
    store = await Store.open(place, now)
    ended = {each.table: each.outcome for each in await store.results.history(GUILD, 9, 0)}
    assert {number: (each.counts, each.ended) for number, each in ended.items()} == {
        1: (False, "stopped"),
        4: (False, "itself"),
        6: (True, "itself"),
    }
    assert {each.place for each in ended.values()} == {AccessChannel(CHANNEL)}, "where their tables were opened"
    assert [each.left for each in ended[TableId(6)].standings] == [False, True, False, False]  # ben had a house player
    assert set(await matches_and_wins(store, GUILD)) == {ANN, BEN}
    rows = [await load_table(store, number) for number in map(TableId, (1, 6, 7, 2))]
    assert [row.counts for row in rows] == [False, True, False, True]
    assert [row.ended for row in rows] == ["stopped", "itself", None, None]
    assert [chair.away for chair in rows[1].chairs] == ["", "left", "", ""]
    await store.close()
