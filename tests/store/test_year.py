"""Plays that a server keeps for a year only: old plays expire, results stay, other matches are untouched."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.club.leaderboards import Leaderboards
from bot.club.ledger import Ledgers
from bot.domain.ids import NO_GUILD, GuildId, TableId
from bot.domain.server_settings import ServerSettings, SettingChange
from bot.history.record_upkeep import MatchRescorer, RecordPacker
from bot.rules.matches.achievements import VERSION
from bot.store.errors import RecordDeleted
from bot.store.store import Store
from tests.store.released_databases import NEWER, copy_scored
from tests.store.sample_tables import now
from tests.store.test_packs import BEN, DERIVED, LATER, count
from tests.store.test_what_a_match_is import rows

pytestmark = pytest.mark.usefixtures("in_place")
FOR_A_YEAR = ServerSettings(forget_plays=True)
STAYS = (*DERIVED, "results", "sittings", "tables", "chairs", "moderations")
BODIES = "SELECT count(*) FROM packs WHERE body IS NOT NULL"
ALL = "SELECT count(*) FROM packs"


def server_of(path: Path) -> GuildId:
    return GuildId(count(path, "SELECT guild FROM results WHERE guild <> 0 LIMIT 1"))


async def opened(path: Path) -> Store:
    """Open the database of an evening long ago, whose matches have all been looked at."""
    return await Store.open(copy_scored(path, NEWER), now)


async def let_go(store: Store, guild: GuildId, at: Callable[[], datetime] = lambda: LATER) -> None:
    """Pack old records and expire them, if requested."""
    await RecordPacker(store, at, {guild: FOR_A_YEAR}, pause=0).pack()


def everything(path: Path) -> list[object]:
    return [rows(path, f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in STAYS]


async def gone(store: Store, path: Path) -> list[TableId]:
    """Return the unreadable matches."""
    found = []
    for (number,) in rows(path, "SELECT table_id FROM packs WHERE body IS NULL ORDER BY table_id"):
        table = TableId(int(str(number)))
        with pytest.raises(RecordDeleted):
            await store.tables.load(table)
        with pytest.raises(RecordDeleted):
            await store.records.steps(table, 0, 1)
        assert await store.tables.head(table) is not None
        found.append(table)
    return found


async def test_deleted_plays_are_in_no_file(path: Path) -> None:
    store = await opened(path)
    await RecordPacker(store, lambda: LATER, {}, pause=0).pack()
    ((body,), *_) = rows(path, "SELECT body FROM packs JOIN tables ON id = table_id WHERE guild <> 0")
    assert isinstance(body, bytes)

    def holding() -> list[str]:
        return [file.name for file in path.parent.glob(f"{path.name}*") if body[:40] in file.read_bytes()]

    assert holding()
    await let_go(store, server_of(path))
    assert not holding()
    await store.close()


async def test_expired_plays_are_deleted_and_derived_results_stay(path: Path) -> None:
    store = await opened(path)
    await Leaderboards(store, {}).recount()
    await Ledgers(store).recount()
    before, told = everything(path), await store.person_data(BEN)
    await let_go(store, server_of(path))
    assert count(path, ALL) > 0
    assert count(path, BODIES) == 0
    forgotten = await gone(store, path)
    ended = [match for table in forgotten if (match := await store.results.finished(table))]
    assert ended
    assert all(match.gone for match in ended)
    for _ in range(2):
        await MatchRescorer(store, pause=0).score()
        await Leaderboards(store, {}).recount()
        await Ledgers(store).recount()
        assert everything(path) == before
        await let_go(store, server_of(path))
    after = await store.person_data(BEN)
    assert {row["table_id"] for row in after["moves"]}.isdisjoint(forgotten)
    assert {name: after[name] for name in after if name != "moves"} == {
        name: told[name] for name in told if name != "moves"
    }
    assert set(await store.results.unscored(TableId(0), 100, VERSION + 1)).isdisjoint(forgotten)
    await store.close()


async def test_only_expired_plays_of_opted_in_servers_are_deleted(path: Path) -> None:
    store, guild = await opened(path), server_of(path)
    await RecordPacker(store, lambda: LATER, {guild: ServerSettings()}, pause=0).pack()
    await let_go(store, GuildId(guild + 1))
    await let_go(store, NO_GUILD)
    assert count(path, ALL) == count(path, BODIES) > 0
    (ended,) = rows(path, "SELECT min(touched), max(touched) FROM tables JOIN packs ON id = table_id")
    first, latest = (datetime.fromtimestamp(int(str(each)) / 1e6, now().tzinfo) for each in ended)
    await let_go(store, guild, lambda: first + timedelta(days=364, hours=23))
    assert count(path, ALL) == count(path, BODIES)
    await let_go(store, guild, lambda: latest + timedelta(days=365, hours=1))
    assert count(path, BODIES) == 0
    await store.close()


async def test_a_retention_setting_takes_effect_after_a_day(path: Path) -> None:
    store, guild = await opened(path), server_of(path)
    for name in ("forget_plays", "stakes"):
        await store.servers.change(SettingChange(guild=guild, name=name, value=True, by=BEN, at=LATER), {name: True})
    await let_go(store, guild, lambda: LATER + timedelta(hours=23))
    assert count(path, ALL) == count(path, BODIES) > 0
    await let_go(store, guild, lambda: LATER + timedelta(hours=25))
    assert count(path, BODIES) == 0
    await store.close()


async def test_plays_stay_until_their_match_is_scored(path: Path) -> None:
    store, guild = await opened(path), server_of(path)
    (chosen,) = rows(path, "SELECT min(table_id) FROM hands")[0]
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE results SET deeds = ? WHERE table_id = ?", (VERSION - 1, chosen))
        database.commit()
    await let_go(store, guild)
    assert rows(path, "SELECT table_id FROM packs WHERE body IS NOT NULL") == [(chosen,)]
    await MatchRescorer(store, pause=0).score()
    await let_go(store, guild)
    assert count(path, BODIES) == 0
    await store.close()


async def test_cut_words_are_deleted_with_the_plays(path: Path) -> None:
    store, guild = await opened(path), server_of(path)
    (packed,), (going_on,) = (
        rows(path, f"SELECT min(id) FROM tables WHERE guild <> 0 AND phase {phase}")[0]
        for phase in ("IN ('over', 'closed')", "= 'playing'")
    )
    with closing(sqlite3.connect(path)) as database:
        for table in (packed, going_on):
            database.execute(
                'INSERT INTO cuts (table_id, "user", seat, word) VALUES (?, ?, 0, ?)', (table, BEN, "lucky")
            )
        database.commit()
    await let_go(store, guild)
    assert rows(path, "SELECT table_id FROM cuts") == [(going_on,)]
    await store.close()


async def test_hand_openings_are_deleted_with_the_plays_and_not_rebuilt(path: Path) -> None:
    store, guild = await opened(path), server_of(path)
    (table,) = rows(path, "SELECT min(table_id) FROM results WHERE guild <> 0")[0]
    await store.records.keep_openings(TableId(int(str(table))), "[1]")
    assert count(path, "SELECT count(*) FROM openings") == 1
    await let_go(store, guild)
    await store.records.keep_openings(TableId(int(str(table))), "[1]")
    assert count(path, "SELECT count(*) FROM openings") == 0
    await store.close()


async def test_users_and_servers_can_be_deleted_after_expiry(path: Path) -> None:
    store, guild = await opened(path), server_of(path)
    await let_go(store, guild)
    await store.deletions.forget_person(BEN)
    assert set(await store.person_data(BEN)) <= {"chairs"}, "a mark, where a match goes on"
    assert await gone(store, path)
    await store.deletions.forget_server(guild)
    assert count(path, "SELECT count(*) FROM packs JOIN tables ON tables.id = table_id WHERE guild <> 0") == 0
    await store.close()
