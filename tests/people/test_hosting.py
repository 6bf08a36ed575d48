"""The host who is gone is not the host: the next person in seat order is, and stays it (tests/table/test_hosts.py)."""

from __future__ import annotations

from bot.table.core.commands import TakeBack
from tests.support.world import World

NOT_A_MODERATOR = "Moderators look after the tables here"


async def test_the_next_person_becomes_host_when_the_hosts_data_is_deleted(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.parts.retention.forget_person(here.ann.id)
    await here.settle()
    assert here.name_of((await here.reload(table)).row.host) == "ben"
    await here.restart()
    assert here.name_of((await here.reload(table)).row.host) == "ben"


async def test_the_new_host_can_move_the_table_and_the_former_host_cannot(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.leave("ann", table)
    await table.do(TakeBack(here.ann.id))
    other = here.guild.create_text_channel("elsewhere")
    await here.settle()
    assert (await here.slash("ann", "table move", other, table=table.id)).text.startswith(NOT_A_MODERATOR)
    await here.slash("ben", "table move", other, table=table.id)
    assert table.row.home == other.id
