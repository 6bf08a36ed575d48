"""A store that moves house: all of it, the same to the byte, and nothing comes back that had to go."""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.ground.address import Address, Server
from bot.ground.habits import Habits
from bot.running import storing
from bot.settings import Settings
from bot.store import copying, files
from bot.store.backups import Backups
from bot.store.copying import Sum, copy, read_through, sum_of
from bot.store.errors import StoreError
from bot.store.ledger import ledger_of
from bot.store.moving import back_up, copy_store, opened, put_back
from bot.store.schema import metadata
from bot.store.store import Store
from tests.postgres import an_empty_database, drop
from tests.store.given import NOON, a_table, now, refusal
from tests.store.released import ANN, BEN, CLEO, NEWER, put_migrated

pytestmark = pytest.mark.usefixtures("in_place")


@pytest.fixture
def played(path: Path) -> Path:
    """A file that people have played in."""
    return put_migrated(path, NEWER)


@pytest.fixture
def nothing() -> Iterator[Server]:
    """A place on a server in which there is nothing."""
    database = an_empty_database()
    yield database
    drop(database)


async def sums(address: Address) -> dict[str, Sum]:
    """Return what each table comes to."""
    async with opened(address, NOON) as gate:
        return {table.name: await sum_of(read_through(gate), table) for table in metadata.sorted_tables}


def settings(database: Address, other: Address | None = None) -> Settings:
    """Return settings that name these."""
    return replace(Settings(), database=database, other_database=other)


async def say(ours: Settings, *words: str) -> list[str]:
    """Return what the program says to these words."""
    reader, told = argparse.ArgumentParser(), list[str]()
    storing.words(reader.add_subparsers())
    await storing.run(ours, reader.parse_args(["store", *words]), told.append)
    return told


async def test_all_goes_to_a_server_and_back_and_is_the_same(played: Path, nothing: Server, tmp_path: Path) -> None:
    before, back = await sums(played), tmp_path / "back.db"
    assert before["actions"].rows > 100
    told = await say(settings(played, nothing), "copy", "BIGGER_DATABASE", "BIGGER_OTHER_DATABASE")
    assert told[-1].startswith("All is in empty_")
    assert await sums(nothing) == before
    await say(settings(played, nothing), "copy", "BIGGER_OTHER_DATABASE", str(back))
    assert await sums(back) == before
    for database in (nothing, back):
        assert (await say(settings(database), "check"))[1].startswith("Results: ")
        store = await Store.open(database, now)
        assert await a_table(store) == before["tables"].rows + 1, "what is set up later has numbers of its own"
        await store.close()


async def test_a_copy_that_was_cut_off_goes_on_and_no_bot_opens_it_meanwhile(
    played: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE", 7)
    async with opened(played, NOON) as out, opened(server, NOON, unfinished_too=True) as into:
        pages = [0]

        async def read(query: object) -> object:
            pages[0] += 1
            if pages[0] > 40:
                raise ConnectionError
            return await read_through(out)(query)  # type: ignore[arg-type]

        with pytest.raises(ConnectionError):
            await copy(read, into)  # type: ignore[arg-type]
    assert "a copy that was not finished" in await refusal(server)
    await copy_store(played, server, NOON, print)
    assert await sums(server) == await sums(played)


async def test_nothing_is_copied_into_what_holds_games(played: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "games.db"
    store = await Store.open(other, now)
    await a_table(store)
    await store.close()
    before = await sums(other)
    with pytest.raises(StoreError, match="There are games in the database to copy to already"):
        await say(settings(played), "copy", str(played), str(other))
    assert await sums(other) == before
    with pytest.raises(StoreError, match="Both are the same"):
        await say(settings(played), "copy", str(played), "BIGGER_DATABASE")
    with pytest.raises(StoreError, match="There is no database"):
        await say(settings(played), "copy", str(tmp_path / "none.db"), str(other))
    with pytest.raises(StoreError, match=r"^BIGGER_OTHER_DATABASE is not set"):
        await say(settings(played), "copy", str(played), "BIGGER_OTHER_DATABASE")
    with pytest.raises(StoreError) as told:
        await say(settings(played), "copy", str(played), "postgresql://ann:5ecret@db/bigger")
    assert "5ecret" not in str(told.value)


async def test_whoever_was_deleted_stays_so_wherever_it_moves(played: Path, server: Server, tmp_path: Path) -> None:
    """The copy is of before; the list of deletions goes on by itself."""
    store = await Store.open(played, now)
    mark = store.mark(ANN)
    await store.forget_person(CLEO)
    await store.close()
    await copy_store(played, server, NOON, print)
    store = await Store.open(server, now)
    assert await store.deleted_since([BEN, CLEO], NOON - timedelta(days=1)) == {CLEO: NOON}
    await store.forget_person(BEN)
    assert store.mark(ANN) == mark
    await store.close()
    back = tmp_path / "back.db"
    await copy_store(server, back, NOON, print)
    again = await Store.open(back, now)
    assert again.mark(ANN) == mark
    assert len(ledger_of(back).read_text().splitlines()) == 3
    await again.close()


@pytest.mark.parametrize("kind", ["file", "server"])
async def test_a_backup_is_made_while_the_bot_runs_and_put_back(
    kind: str, played: Path, server: Server, tmp_path: Path
) -> None:
    address: Address = played
    if kind == "server":
        await copy_store(played, server, NOON, print)
        address = server
    ours, beside = settings(address), tmp_path / "elsewhere" / "bigger.db"
    store = await Store.open(address, now)
    backup = await back_up(address, beside, NOON)
    await store.keep_habits(ANN, Habits(by_suit=not (await store.habits(ANN)).by_suit))
    await store.forget_person(BEN)
    with pytest.raises(StoreError, match="Another running bot"):
        await put_back(backup, address, beside, NOON, print)
    await store.close()
    before, told = await sums(address), list[str]()
    await put_back(backup, address, beside, NOON + timedelta(seconds=1), told.append)
    assert told[0].startswith("What was there is in ")
    assert backup.exists()
    assert (await sums(address))["habits"] != before["habits"]
    store = await Store.open(address, now)  # which deletes again whoever had to go
    assert str(BEN) not in str([await store.load(table) for table in await store.open_tables()])
    await store.close()
    assert (await say(ours, "check"))[0].startswith("Open tables: ")


async def test_what_is_no_backup_is_put_nowhere(played: Path, tmp_path: Path) -> None:
    before, broken = await sums(played), tmp_path / "broken.db"
    broken.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="is damaged or not a database"):
        await put_back(broken, played, played, NOON, print)
    with pytest.raises(StoreError, match="There is no database"):
        await put_back(tmp_path / "none.db", played, played, NOON, print)
    assert await sums(played) == before


async def test_backups_come_by_the_clock_and_the_oldest_go(played: Path) -> None:
    moment = [NOON]
    backups = Backups(played, played, timedelta(hours=6), 3, lambda: moment[0])
    for _ in range(40):
        await backups.look()
        moment[0] += timedelta(hours=1)
    names = [copy.name for copy in backups.made()]
    assert [name.split("-")[1] for name in names] == ["20260302T120000Z", "20260302T180000Z", "20260303T000000Z"]
    assert {copy.stat().st_mode & 0o077 for copy in files.copies(played)} == {0}


async def test_without_hours_there_are_no_backups(played: Path) -> None:
    await Backups(played, played, timedelta(), 3, now).look()
    assert files.copies(played) == ()


async def test_a_result_that_does_not_follow_from_its_record_is_told(played: Path) -> None:
    await (await Store.open(played, now)).close()
    change(played, "UPDATE standings SET points = points + 1 WHERE table_id = 2 AND seat = 0")
    change(played, "UPDATE actions SET action = 'nonsense' WHERE table_id = 9 AND ply = 3")
    with pytest.raises(StoreError) as told:
        await say(settings(played), "check")
    lines = str(told.value).splitlines()
    assert lines[0] == "2 of them are not as they should be:"
    assert lines[1].startswith("Table 9: its record cannot be played again")
    assert lines[2] == "Result of table 2: its record says something else"


def change(path: Path, *statements: str) -> None:
    """Change a file behind the bot's back."""
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
