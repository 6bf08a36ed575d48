"""A database that was really played on by an older version: opened by this one, everything is there and goes on.

`kept/played_0003.sql` is what the version with schema 0003 left after an evening of four people: matches that are over,
that go on in every game, a lobby whose rules were changed, house rules, a channel's default, somebody's habits.
`kept/played_0012.sql` is of schema 0012, see evening.py: people have left, come back, been late and been removed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import MappingProxyType

import pytest

from bot.ground.house_rules import Owner
from bot.ground.ids import ChannelId, GuildId, TableId, UserId
from bot.ground.place import Place
from bot.ground.results import Sitting
from bot.house.plain import choose
from bot.rules.actions import Ready
from bot.store.store import Store
from bot.table.kept import match_of
from tests.store.given import loaded, now
from tests.tallied import won
from tests.world import World, world

KEPT = Path(__file__).parent / "kept" / "played_0003.sql"
NEWER = KEPT.with_name("played_0012.sql")
GUILD, CHANNEL = GuildId(1456074443980800002), ChannelId(1456074443980800019)
ANN, BEN, CLEO, DEV = map(UserId, range(1456074443980800020, 1456074443980800024))
PHASES = {
    TableId(1): "over",
    TableId(2): "playing",
    TableId(3): "playing",
    TableId(4): "over",
    TableId(5): "playing",
    TableId(6): "over",
    TableId(7): "playing",
    TableId(8): "lobby",
    TableId(9): "closed",
}
WHERE = {  # the channel, and the four people
    KEPT: (CHANNEL, ANN, BEN, CLEO, DEV),
    NEWER: tuple(range(1456074443980800016, 1456074443980800021)),
}
DESERTED, LOBBY = TableId(1), TableId(15)  # in the newer one
GOING_ON = [(KEPT, number) for number, phase in PHASES.items() if phase == "playing"]
GOING_ON += [(NEWER, TableId(number)) for number in range(9, 14)]
STEPS = {1: 83, 2: 24, 3: 56, 4: 23, 5: 41, 6: 76, 7: 118}


def put(path: Path, moved: Mapping[int, int] = MappingProxyType({}), kept: Path = KEPT) -> Path:
    """Put that database at a path, in place of what was there; moved: people and places that have other ids now."""
    for each in path.parent.glob(f"{path.name}*"):
        each.unlink()
    with closing(sqlite3.connect(path)) as made:
        script = kept.read_text(encoding="utf-8")
        made.executescript(re.sub(r"\b\d{19}\b", lambda found: str(moved.get(int(found[0]), found[0])), script))
    return path


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """The path of that database."""
    return put(tmp_path / "bigger.db")


@asynccontextmanager
async def found(folder: Path, kept: Path) -> AsyncIterator[World]:
    """The server it was played on, where a bot of today finds it."""
    channel, *people = WHERE[kept]
    async with world(folder) as made:
        now_there = (made.guild.id, made.channel.id, *(person.id for person in made.people.values()))
        moved = dict(zip((GUILD, channel, *people), now_there, strict=True))
        await made.stop()
        with closing(sqlite3.connect(put(folder / "bigger.db", moved, kept))) as file, file:
            file.execute("UPDATE tables SET home = channel, message = NULL")  # its threads are not there
        await made.start()
        yield made


async def test_every_table_is_there_and_every_match_replays(played: Path) -> None:
    store = await Store.open(played, now)
    for number, phase in PHASES.items():
        row = await store.load(number)
        assert row is not None
        assert (row.phase, len(row.steps)) == (phase, STEPS.get(number, 0))
        match = await match_of(row)
        assert (match is not None and match.over) == (phase == "over")
    await store.close()


async def test_what_people_have_kept_is_there(played: Path) -> None:
    store = await Store.open(played, now)
    (server,), (mine,) = await store.house_rules(Owner("server", GUILD)), await store.house_rules(Owner("person", ANN))
    assert (server.name, server.preset, mine.name, dict(mine.options)) == ("Friday", "hong_kong", "Mine", {"deals": 3})
    default = await store.channel_default(CHANNEL)
    assert default is not None
    assert default.name == "Friday"
    assert (await store.habits(BEN)).mirror
    await store.close()


@pytest.mark.parametrize(("kept", "number"), GOING_ON)
async def test_a_match_goes_on_where_it_was(tmp_path: Path, kept: Path, number: TableId) -> None:
    async with found(tmp_path, kept) as there:
        table = await there.bot.tables.get(number)
        before = table.ply
        assert table.match is not None
        (seat, *_) = (seat for seat in sorted(table.match.awaited) if not table.row.chairs[seat].house)
        user = table.row.chairs[seat].user
        assert user is not None
        action = Ready() if table.stage == "between" else choose(table.match.view(seat))
        assert action is not None
        await table.act(user, action)
        await there.settle()
        assert table.ply > before
        assert table.row.message


async def test_a_seat_that_a_house_player_kept_is_taken_back(tmp_path: Path) -> None:
    async with found(tmp_path, NEWER) as there:
        table = await there.bot.tables.get(DESERTED)
        assert [chair.away for chair in table.row.chairs] == ["late", "late", "", ""]
        await table.take_back(there.ann.id)
        await there.settle()
        assert there.turn(table) == "ann"
        sat = [one for one in await there.bot.store.sittings(table.id) if one.seat == 0]
        assert sat == [Sitting(0, ply, there.ann.id, house=False) for ply in (0, 17)], "nothing was played for her"


async def test_a_lobby_fills_and_begins(tmp_path: Path) -> None:
    async with found(tmp_path, NEWER) as there:
        table = await there.bot.tables.get(LOBBY)
        table.go_on()
        await there.settle()
        await there.press("ben", table, "Join")
        await there.press("ann", table, "Start")
        assert (table.stage, table.ply) == ("playing", 0)
        assert [one.house for one in await there.bot.store.sittings(table.id)] == [False, False, True, False]


async def test_old_results_keep_what_is_known_of_them(played: Path) -> None:
    with closing(sqlite3.connect(played)) as file, file:
        file.execute("UPDATE actions SET action = 'stop' WHERE table_id = 1 AND ply = 82")  # one player ended it alone
        file.execute("UPDATE standings SET user = NULL, house = TRUE WHERE table_id = 4 AND seat > 0")  # one person
    store = await Store.open(played, now)
    ended = {each.table: each.outcome for each in await store.history(GUILD, 9, 0)}
    assert {number: (each.counts, each.ended) for number, each in ended.items()} == {
        1: (False, "stopped"),
        4: (False, "itself"),
        6: (True, "itself"),
    }
    assert {each.place for each in ended.values()} == {Place(CHANNEL)}, "where their tables were opened"
    assert [each.left for each in ended[TableId(6)].standings] == [False, True, False, False]  # ben had a house player
    assert set(await won(store, GUILD)) == {ANN, BEN}
    rows = [await loaded(store, number) for number in map(TableId, (1, 6, 7, 2))]
    assert [row.counts for row in rows] == [False, True, False, True]
    assert [row.ended for row in rows] == ["stopped", "itself", None, None]
    assert [chair.away for chair in rows[1].chairs] == ["", "left", "", ""]
    await store.close()
