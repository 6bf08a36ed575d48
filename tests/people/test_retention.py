"""What is kept how long: data of removed servers, returning servers, deleted users, and old copies."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from simcord.backend.serializers import guild_create_payload

from bot.domain.ids import GuildId
from bot.store.repositories.moderations import add_bar
from bot.store.rows import SeatBan
from bot.store.sqlite.files import copy_date
from tests.support.occurrences import columns_containing, find_references
from tests.support.world import SHORT_HANDS, World

# Servers


async def has_server_rows(here: World) -> bool:
    """Tell whether anything of the server is kept."""
    return here.guild.id in await here.parts.store.servers.known()


async def report_removal(here: World, *, unavailable: bool = False) -> None:
    """Report a server as removed or unavailable."""
    here.env.backend.emit("GUILD_DELETE", {"id": str(here.guild.id), "unavailable": unavailable})
    await here.settle()


async def test_a_server_that_removes_the_bot_is_forgotten_after_thirty_days(here: World) -> None:
    await here.start_table("ben")
    await report_removal(here)
    await here.advance(days=29)
    assert await has_server_rows(here)
    await here.advance(days=2)
    assert not await has_server_rows(here)
    assert columns_containing(here.database_file, str(here.guild.id)) == []


async def report_return(here: World, **more: bool) -> None:
    """Report the server as available again. unavailable: False after an outage."""
    backend = here.env.backend
    payload = guild_create_payload(backend, backend.guilds[here.guild.id])
    payload.pop("unavailable", None)
    backend.emit("GUILD_CREATE", payload | more)
    await here.settle()


async def test_a_server_is_kept_after_an_outage_of_discord_or_a_timely_return(here: World) -> None:
    await here.open_table()
    await report_removal(here, unavailable=True)
    assert await here.parts.store.servers.departures() == ()
    await here.advance(days=40)
    assert await has_server_rows(here)
    await report_removal(here)
    await here.advance(days=20)
    await report_return(here)
    assert await here.parts.store.servers.departures() == ()
    await here.advance(days=40)
    assert await has_server_rows(here)
    await report_removal(here)
    await report_return(here, unavailable=False)
    await here.advance(days=40)
    assert await has_server_rows(here)
    assert await here.parts.store.servers.departures() == ()


async def test_servers_that_left_or_returned_are_recorded_at_the_start(here: World) -> None:
    await here.open_table()
    await here.parts.store.servers.depart(here.guild.id, here.env.now())
    await here.parts.store.servers.depart(GuildId(4711), here.env.now())
    await here.parts.retention.record_servers()
    assert [each.guild for each in await here.parts.store.servers.departures()] == [4711]
    await here.parts.store.servers.come_back(GuildId(4711))
    there = here.env.backend.guilds.pop(here.guild.id)
    await here.restart()
    assert [each.guild for each in await here.parts.store.servers.departures()] == [here.guild.id]
    here.env.backend.guilds[here.guild.id] = there


async def test_a_seat_ban_is_deleted_when_it_expires(here: World) -> None:
    bar = SeatBan(
        here.guild.id, here.channel.id, here.parts.store.deletions.mark(here.ann.id), here.env.now() + timedelta(days=1)
    )
    await here.parts.store._gate.run(add_bar, bar, here.env.now())
    assert columns_containing(here.database_file, bar.mark)
    await here.advance(hours=26)
    assert columns_containing(here.database_file, bar.mark) == []


# Copies


async def test_copies_are_deleted_after_thirty_days(here: World) -> None:
    folder = here.database_file.parent / "backups"
    folder.mkdir()
    old, new = here.env.now() - timedelta(days=31), here.env.now() - timedelta(days=5)
    for at in (old, new):
        (folder / f"bigger-{at:%Y%m%dT%H%M%SZ}-0003.db").touch()
        (folder / f"bigger-{at:%Y-%m-%d}.db").touch()
        (folder / f"bigger-before-{at:%B}.db").touch()
        os.utime(folder / f"bigger-before-{at:%B}.db", (at.timestamp(), at.timestamp()))
    (folder / "my-own-notes.txt").touch()
    await here.advance(hours=2)
    assert {each.name for each in folder.iterdir()} == {
        f"bigger-{new:%Y%m%dT%H%M%SZ}-0003.db",
        f"bigger-{new:%Y-%m-%d}.db",
        f"bigger-before-{new:%B}.db",
        "my-own-notes.txt",
    }


def test_the_date_of_a_copy_is_read_from_its_name() -> None:
    for name in ("bigger-20260203T101112Z-0003.db", "bigger-2026-02-03.db"):
        assert copy_date(Path(name)) == datetime(2026, 2, 3, tzinfo=UTC)


# People


async def test_a_deleted_user_is_in_no_row_or_cache_and_the_table_continues(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", "cleo")
    await here.open_hand("ben", table)
    ben, ann = here.people["ben"].id, here.ann.id
    await here.parts.preferences.change(ben, by_suit=True)
    await here.advance(seconds=30)
    assert columns_containing(here.database_file, str(ben))
    assert find_references(here.parts.tables, ben)
    await here.parts.retention.forget_person(ben)
    await here.settle()
    assert columns_containing(here.database_file, str(ben)) == []
    found = find_references((here.parts.tables, here.parts.delivery, here.parts.preferences), ben)
    assert found == []
    assert "ben" not in here.read_board(table).text
    assert "👤 2" in here.read_board(table).text
    assert columns_containing(here.database_file, str(ann))
    await here.play_hand(await here.reload(table))


async def test_deleting_a_single_player_leaves_no_table(here: World) -> None:
    lobby = await here.open_table("ann")
    playing = await here.start_table(by="ben")
    for name in ("ann", "ben"):
        await here.parts.retention.forget_person(here.people[name].id)
    await here.settle()
    for table in (lobby, playing):
        row = await here.parts.store.tables.load(table.id)
        assert row is not None
        assert (row.phase, row.host, row.deadline) == ("closed", 0, None)
    assert "ann" not in here.read_board(lobby).text
