"""The host who is gone is not the host: the next person in seat order is, and stays it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.table.core.commands import Expel, OfferSeat, RemoveAbsent, Substitute, TakeBack
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.support.world import World

NOT_A_MODERATOR = "Moderators look after the tables here"


async def leaves(here: World, table: Table) -> None:
    await here.leave("ann", table)


async def is_removed(here: World, table: Table) -> None:
    await table.do(Expel(Moderator(here.people["dev"].id, "dev"), 0, "ann"))


async def leaves_the_server(_: World, table: Table) -> None:
    await table.do(RemoveAbsent(table.row.host))


async def deletes_their_data(here: World, _: Table) -> None:
    await here.parts.retention.forget_person(here.ann.id)


async def is_late(here: World, table: Table) -> None:
    while not table.row.chairs[0].house:
        name = here.turn(table)
        await (here.later(seconds=30) if name in ("ann", None) else here.act(name, table))


async def is_sat_in_for(here: World, table: Table) -> None:
    await table.do(OfferSeat(here.ann.id))
    await table.do(Substitute(here.people["dev"].id, "dev", 0))


@pytest.mark.parametrize("goes", [leaves, is_removed, leaves_the_server, deletes_their_data, is_late, is_sat_in_for])
async def test_host_passes_to_the_next_person_in_seat_order(
    here: World, goes: Callable[[World, Table], Awaitable[None]]
) -> None:
    table = await here.start_table("ben", "cleo")
    await goes(here, table)
    await here.settle()
    assert here.name_of((await here.again(table)).row.host) == "ben"


async def test_host_passes_by_house_players_and_on_from_the_last_seat_to_the_first(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.leave("ben", table)
    await here.leave("ann", table)
    assert here.name_of(table.row.host) == "cleo"
    await table.do(TakeBack(here.ann.id))
    await here.leave("cleo", table)
    assert here.name_of(table.row.host) == "ann"


async def test_host_passes_on_from_its_seat_in_a_lobby_too(here: World) -> None:
    table = await here.open_table(seats=3)
    await here.press("ben", table, "Join")
    await here.leave("ann", table)
    await here.press("ann", table, "Join")
    await here.press("cleo", table, "Join")
    assert [chair.name for chair in table.row.chairs] == ["ann", "ben", "cleo"]
    await here.leave("ben", table)
    assert here.name_of(table.row.host) == "cleo"


async def test_host_does_not_come_back_with_the_seat(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.leave("ann", table)
    await table.do(TakeBack(here.ann.id))
    assert here.name_of(table.row.host) == "ben"
    await here.restart()
    assert here.name_of((await here.again(table)).row.host) == "ben"


async def test_nobody_is_host_where_only_house_players_are_left(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    for name in ("ann", "ben", "cleo"):
        await here.leave(name, table)
    assert (table.row.phase, table.row.host) == ("playing", 0)
    await table.do(TakeBack(here.ann.id))
    assert table.row.host == 0
    assert "ann" in here.read(table).text


async def test_host_whose_seat_is_kept_warm_for_lack_of_others_stays_host(here: World) -> None:
    table = await here.start_table()
    await is_late(here, table)
    await table.do(TakeBack(here.ann.id))
    assert here.name_of(table.row.host) == "ann"


async def test_new_host_moves_the_table_and_the_former_one_does_not(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.leave("ann", table)
    await table.do(TakeBack(here.ann.id))
    other = here.guild.create_text_channel("elsewhere")
    await here.settle()
    assert (await here.slash("ann", "table move", other, table=table.id)).text.startswith(NOT_A_MODERATOR)
    await here.slash("ben", "table move", other, table=table.id)
    assert table.row.home == other.id
