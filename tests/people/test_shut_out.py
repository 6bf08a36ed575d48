"""Somebody who cannot see their table any more loses nothing by that, and nobody wins by taking them out of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType

from bot.table.table import Table
from tests.people.test_presence import give, hidden
from tests.world import World, world

WAITS = "who cannot see this any more: their time stands still."


@pytest_asyncio.fixture
async def den(tmp_path: Path) -> AsyncIterator[World]:
    """A server where ann has made a private thread."""
    async with world(tmp_path) as made:
        backend = made.env.backend
        thread = backend.create_thread(made.channel.id, "den", made.ann.id, type=ChannelType.PRIVATE_THREAD)
        for user in (backend.bot_user.id, made.people["ben"].id):
            backend.add_thread_member(thread.id, user)
        await made.settle()
        made.channel = ChannelHandle(made.env, made.guild, thread)
        yield made


def are_in(here: World) -> set[str]:
    """Who of our people is in the thread."""
    return {here.name_of(user) for user in here.env.backend.channels[here.channel.id].thread_members} - {""}


async def ben_is_thrown_out(here: World, **options: Any) -> Table:
    """Let ann begin a match with ben in her thread, play a card, and remove ben."""
    table = await here.start_table("ben", seats=2, **options)
    while here.turn(table) != "ben":
        await here.act("ann", table)
    await here.later(seconds=60)  # he has been called
    here.env.backend.remove_thread_member(here.channel.id, here.people["ben"].id)
    await here.settle()
    return table


async def test_who_was_removed_from_a_private_thread_is_brought_back_and_has_a_moves_time(den: World) -> None:
    table = await ben_is_thrown_out(den)
    ply = table.ply
    await den.later(seconds=65)
    assert WAITS in den.talk(table)[-1]
    assert are_in(den) == {"ann", "ben"}
    assert (table.ply, table.row.chairs[1].misses) == (ply, 0)
    await den.later(minutes=10, seconds=1)
    assert table.ply == ply
    await den.later(seconds=100)
    assert table.ply == ply, "from now on he has the time of a move"
    await den.later(seconds=25)
    assert (table.row.chairs[1].misses, table.row.counts) == (1, True)


async def test_where_nobody_can_bring_them_back_the_match_waits_a_day_and_then_does_not_count(den: World) -> None:
    table = await ben_is_thrown_out(den, hands=1)
    ply = table.ply
    den.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013)
    await den.later(minutes=2)  # the day begins when they are looked for
    for _ in range(4):
        await den.later(hours=5)
    assert sum(WAITS in said for said in den.talk(table)) == 1, "it is said once"
    assert (await den.again(table)).ply == ply
    await den.restart()
    await den.later(hours=5)
    table = await den.again(table)
    assert (table.row.chairs[1].house, table.row.chairs[1].away, table.row.counts) == (True, "late", False)
    assert "so a house player goes on. Nobody can tell whose doing that is" in "".join(den.talk(table))
    await den.play_hand(table)
    assert await den.bot.store.leaderboard(den.guild.id, None) == ()


async def test_who_has_lost_the_role_that_sees_the_channel_waits_for_it_and_plays_on(here: World) -> None:
    role = here.guild.create_role("insiders")
    backroom = hidden(here, role)
    for name in ("ann", "ben"):
        give(here, name, role)
    await here.settle()
    table = await here.open_table("ann", backroom, seats=2)
    await here.press("ben", table, "Join")
    await here.press("ann", table, "Start")
    while here.turn(table) != "ben":
        await here.act("ann", table)
    ply = table.ply
    give(here, "ben")
    await here.later(seconds=125)
    await here.later(minutes=30)
    assert (table.ply, table.row.chairs[1].misses) == (ply, 0)
    give(here, "ben", role)
    await here.act("ben", table)
    assert table.ply == ply + 1


async def test_the_day_begins_when_they_are_looked_for_and_a_time_without_the_bot_is_not_part_of_it(den: World) -> None:
    table = await den.start_table("ben", seats=2)
    while den.turn(table) != "ben":
        await den.act("ann", table)
    await den.stop()
    await den.later_without_bot(hours=26)
    await den.start()
    table = await den.again(table)
    den.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013)
    den.env.backend.remove_thread_member(den.channel.id, den.people["ben"].id)
    await den.later(minutes=3)
    assert WAITS in den.talk(table)[-1]
    await den.stop()
    await den.later_without_bot(hours=26)
    await den.start()
    table = await den.again(table)
    await den.later(hours=3)
    assert (table.row.chairs[1].house, table.row.counts) == (False, True)


async def test_who_goes_again_after_they_were_brought_back_is_late_like_anybody(den: World) -> None:
    table = await ben_is_thrown_out(den)
    await den.later(seconds=65)
    await den.later(minutes=10, seconds=1)
    assert are_in(den) == {"ann", "ben"}
    ply = table.ply
    den.env.backend.remove_thread_member(den.channel.id, den.people["ben"].id)
    await den.later(minutes=3)
    assert table.ply > ply
    assert table.row.chairs[1].misses == 1
