"""A player without access to their table loses nothing by removal, and others gain nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord.enums import ChannelType

from bot.table.table import Table
from tests.people.test_presence import create_hidden_channel, set_roles
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_DUEL, World, world

WAITS_FOR_ACCESS = "who can't see or use this place any more. Their clock is stopped."


@pytest_asyncio.fixture
async def den(tmp_path: Path) -> AsyncIterator[World]:
    """A server where ann has made a private thread."""
    async with world(tmp_path) as made:
        backend = made.env.backend
        thread = backend.create_thread(made.channel.id, "den", made.ann.id, type=ChannelType.PRIVATE_THREAD)
        for user in (backend.bot_user.id, made.people["ben"].id):
            backend.add_thread_member(thread.id, user)
        await made.settle()
        made.channel = made.channel_handle(thread)
        yield made


def thread_members(here: World) -> set[str]:
    """Who of our people is in the thread."""
    return {here.name_of(user) for user in here.env.backend.channels[here.channel.id].thread_members} - {""}


async def remove_ben_from_thread(here: World, **options: Any) -> Table:
    """Start a match in ann's thread, play a card, and remove ben from the thread."""
    table = await here.start_table("ben", seats=2, **options)
    while here.current_player(table) != "ben":
        await here.act("ann", table)
    await here.advance(seconds=60)  # he has been called
    here.env.backend.remove_thread_member(here.channel.id, here.people["ben"].id)
    await here.settle()
    return table


async def test_a_player_removed_from_the_thread_is_added_again_with_a_full_move(den: World) -> None:
    table = await remove_ben_from_thread(den)
    ply = table.state.ply
    await den.advance(seconds=65)
    assert WAITS_FOR_ACCESS in den.channel_texts(table)[-1]
    assert thread_members(den) == {"ann", "ben"}
    assert (table.state.ply, table.row.chairs[1].misses) == (ply, 0)
    await den.advance(minutes=10, seconds=1)
    assert table.state.ply == ply
    await den.advance(seconds=100)
    assert table.state.ply == ply, "from now on he has the time of a move"
    await den.advance(seconds=25)
    assert (table.row.chairs[1].misses, table.row.counts) == (1, True)


async def test_a_match_waits_a_day_for_lost_access_and_then_does_not_count(den: World) -> None:
    den.deal = SHORT_DUEL
    table = await remove_ben_from_thread(den, hands=1)
    ply = table.state.ply
    den.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013)
    await den.advance(minutes=2)  # the day begins when they are looked for
    for _ in range(4):
        await den.advance(hours=5)
    assert sum(WAITS_FOR_ACCESS in said for said in den.channel_texts(table)) == 1, "it is said once"
    assert (await den.reload(table)).state.ply == ply
    await den.restart()
    await den.advance(hours=5)
    table = await den.reload(table)
    assert (table.row.chairs[1].house, table.row.chairs[1].away, table.row.counts) == (True, "late", False)
    assert "Since nobody can tell who caused that, the" in "".join(den.channel_texts(table))
    await den.play_hand(table)
    assert await matches_and_wins(den.parts.store, den.guild.id) == {}


async def test_a_player_who_lost_the_channel_role_is_waited_for(here: World) -> None:
    role = here.guild.create_role("insiders")
    backroom = create_hidden_channel(here, role)
    for name in ("ann", "ben"):
        set_roles(here, name, role)
    await here.settle()
    table = await here.start_table("ben", channel=backroom, seats=2)
    while here.current_player(table) != "ben":
        await here.act("ann", table)
    ply = table.state.ply
    set_roles(here, "ben")
    await here.advance(seconds=125)
    await here.advance(minutes=30)
    assert (table.state.ply, table.row.chairs[1].misses) == (ply, 0)
    set_roles(here, "ben", role)
    await here.act("ben", table)
    assert table.state.ply == ply + 1


async def test_the_access_wait_starts_at_the_check_and_excludes_downtime(den: World) -> None:
    table = await den.start_table("ben", seats=2)
    while den.current_player(table) != "ben":
        await den.act("ann", table)
    await den.stop()
    await den.pass_time_without_bot(hours=26)
    await den.start()
    table = await den.reload(table)
    den.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013)
    den.env.backend.remove_thread_member(den.channel.id, den.people["ben"].id)
    await den.advance(minutes=3)
    assert WAITS_FOR_ACCESS in den.channel_texts(table)[-1]
    await den.stop()
    await den.pass_time_without_bot(hours=26)
    await den.start()
    table = await den.reload(table)
    await den.advance(hours=3)
    assert (table.row.chairs[1].house, table.row.counts) == (False, True)


async def test_removing_a_player_repeatedly_gains_nothing(den: World) -> None:
    table = await remove_ben_from_thread(den)
    await den.advance(seconds=65)
    await den.advance(minutes=10, seconds=1)
    assert thread_members(den) == {"ann", "ben"}
    ply = table.state.ply
    den.env.backend.remove_thread_member(den.channel.id, den.people["ben"].id)
    await den.advance(minutes=3)
    assert (table.state.ply, table.row.chairs[1].misses) == (ply, 0), "he is waited for again"
    for _ in range(5):
        await den.advance(hours=5)
    table = await den.reload(table)
    assert (table.row.chairs[1].house, table.row.counts) == (True, False), "a day in all, and then it does not count"


async def test_a_player_in_a_discord_timeout_is_waited_for(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.utils, "utcnow", here.env.now)
    (table,) = await start_tables_near_deadline(here, "ben")
    until = (here.env.now() + timedelta(hours=1)).isoformat()
    here.env.backend.edit_member(here.guild.id, here.people["ben"].id, {"timed_out_until": until})
    here.parts.presence.forget(here.people["ben"].id)
    ply = table.state.ply
    await here.advance(minutes=3)
    assert WAITS_FOR_ACCESS in here.channel_texts(table)[-1]
    assert (table.state.ply, table.row.chairs[1].misses) == (ply, 0)
    await here.advance(minutes=70)
    await here.act("ben", table)
    assert table.state.ply > ply


async def start_tables_near_deadline(here: World, *people: str) -> list[Table]:
    """Start a live table with ann for each of these players, awaited and close to the deadline."""
    tables = []
    for name in people:
        table = await here.start_table(name, seats=2)
        while here.current_player(table) != name:
            await here.act("ann", table)
        tables.append(table)
    return tables


def slow_membership_requests(here: World, name: str, seconds: float) -> None:
    """Delay Discord's reply about the membership of a player."""
    request, who = here.bot.http.request, f"/members/{here.people[name].id}"

    async def slow(route: Any, **how: Any) -> Any:
        if route.url.endswith(who):
            await asyncio.sleep(seconds)
        return await request(route, **how)

    queue = here.parts.delivery.queue
    do = queue.do

    async def waiting(*what: Any, **how: Any) -> Any:
        return await here.env.external_wait(do(*what, **how), reason="its turn in the queue")

    here.parts.presence.forget(here.people[name].id)  # what the reminder has just found out
    here.bot.http.request = slow  # type: ignore[method-assign]
    queue.do = waiting  # type: ignore[method-assign]


async def test_a_slow_membership_request_blocks_no_other_table(here: World) -> None:
    of_ben, of_dev = await start_tables_near_deadline(here, "ben", "dev")
    await here.advance(seconds=100)  # both have been reminded
    slow_membership_requests(here, "ben", 20)
    await here.env.advance_time(26)
    assert (of_ben.row.chairs[1].misses, of_dev.row.chairs[1].misses) == (0, 1)
    await here.env.advance_time(60)
    assert of_ben.row.chairs[1].misses == 1, "he is there, and late"


async def test_no_timeout_while_the_membership_request_fails(here: World) -> None:
    (table,) = await start_tables_near_deadline(here, "ben")
    here.env.inject_error("GET", f"/guilds/*/members/{here.people['ben'].id}", status=500, times=None)
    ply = table.state.ply
    await here.advance(minutes=3)
    assert (table.state.ply, table.row.chairs[1].misses) == (ply, 0)
    here.env.backend.faults.clear()
    await here.advance(seconds=40)
    assert (table.state.ply > ply, table.row.chairs[1].misses) == (True, 1)


async def test_a_play_during_the_membership_request_is_in_time(here: World) -> None:
    (table,) = await start_tables_near_deadline(here, "ben")
    await here.advance(seconds=100)
    slow_membership_requests(here, "ben", 20)
    await here.env.advance_time(26)
    assert here.current_player(table) == "ben"
    await here.people["ben"].slash(here.channel, "turn", move="pass", table=table.id)
    ply = table.state.ply
    await here.env.advance_time(60)
    assert (table.state.ply, table.row.chairs[1].misses) == (ply, 0)


async def test_a_failing_membership_request_delays_a_timeout_by_one_move_at_most(here: World) -> None:
    (table,) = await start_tables_near_deadline(here, "ben")
    here.env.inject_error("GET", f"/guilds/*/members/{here.people['ben'].id}", status=500, times=None)
    await here.advance(minutes=3, seconds=50)
    assert table.row.chairs[1].misses == 0
    await here.advance(seconds=50)
    assert table.row.chairs[1].misses == 1
