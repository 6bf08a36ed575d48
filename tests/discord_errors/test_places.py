"""A deleted channel, thread or server ends its tables; its players are free to play elsewhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.builders import ChannelHandle

from bot.table.table import Table
from tests.discord_errors.discord_outages import SEND, check_match_continues, finish_match, move, start_match, wait
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS


async def check_freed(here: World, table: Table) -> None:
    """Assert that a table has ended without seats and without a deadline."""
    assert table.row.phase == "closed"
    assert (await here.parts.tables.get(table.id)).row.phase == "closed"
    assert table.id not in await here.parts.store.tables.open_tables()
    for person in here.people.values():
        assert await here.parts.store.tables.seated(person.id) == ()
    await here.advance(hours=1)
    assert (await here.parts.tables.get(table.id)).row.phase == "closed"
    assert await here.parts.store.clock.due(here.env.now()) == ()


async def play_elsewhere(here: World) -> None:
    """Check that Ann has no table, and play a match in another channel."""
    other = here.guild.create_text_channel("another")
    assert "You're not at any table" in (await here.slash("ann", "desk", other)).text
    await check_match_continues(here, await start_match(here, channel=other))


async def check_counted(here: World, table: Table) -> None:
    """Assert that a match has ended with one finished hand, and is on the leaderboard and in the match list."""
    await wait(here)
    table = await here.parts.tables.get(table.id)
    assert (table.row.phase, table.row.ended, table.row.counts) == ("over", "silence", True)
    (match,) = await here.parts.store.results.history(here.guild.id, 9, 0)
    assert (match.outcome.hands, match.outcome.counts, match.outcome.place.hidden) == (1, True, False)
    other = here.guild.create_text_channel("another")
    assert "**ben**" in (await here.slash("ann", "standings", other)).text
    assert "table 1" in (await here.slash("ben", "matches list", other)).text
    assert await here.parts.store.tables.open_tables() == ()
    assert await here.parts.store.clock.due(here.env.now() + timedelta(days=30)) == ()


@pytest.mark.rotates(2)
@pytest.mark.parametrize("rules", ["B2:std", "B2:hk"])
@pytest.mark.parametrize("later", [False, True], ids=["between", "in the second hand"])
async def test_a_match_counts_even_if_its_channel_is_deleted(here: World, rules: str, *, later: bool) -> None:
    table = await here.start_table("ben", rules=rules)
    await here.play_hand(table)
    if later:
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        await here.act(str(here.current_player(table)), table)
    assert table.row.phase == "playing"
    here.env.backend.delete_channel(here.channel.id)
    await here.env.settle()
    await check_counted(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("gone", ["thread", "channel above"])
async def test_a_match_counts_even_if_its_thread_is_deleted(threaded: World, gone: str) -> None:
    table = await threaded.start_table("ben", hands=3)
    await threaded.play_hand(table)
    threaded.env.backend.delete_channel(table.row.home if gone == "thread" else table.row.channel)
    await threaded.env.settle()
    await check_counted(threaded, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("gone", ["archived thread", "channel above"])
async def test_a_match_counts_even_if_a_thread_made_by_players_is_deleted(threaded: World, gone: str) -> None:
    backend = threaded.env.backend
    thread = backend.create_thread(threaded.channel.id, "cards", threaded.people["cleo"].id)
    table = await threaded.start_table("ben", hands=3, channel=threaded.channel_handle(thread))
    await threaded.play_hand(table)
    assert (table.row.channel, table.row.home) == (thread.id, thread.id)
    if gone == "archived thread":
        backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
        await threaded.env.settle()
    backend.delete_channel(thread.id if gone == "archived thread" else threaded.channel.id)
    await threaded.env.settle()
    await check_counted(threaded, table)


async def open_thread(here: World, name: str) -> ChannelHandle:
    """Create a thread in the channel as a player."""
    thread = here.env.backend.create_thread(here.channel.id, "cards", here.people[name].id)
    await here.settle()
    return here.channel_handle(thread)


def delete_silently(here: World, *channels: int) -> None:
    """Delete channels and threads without sending events to the bot."""
    backend, emit = here.env.backend, here.env.backend.emit
    backend.emit = lambda *_: None  # type: ignore[method-assign]
    for channel in channels:
        backend.delete_channel(channel)
    backend.emit = emit  # type: ignore[method-assign]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("gone", ["channel", "thread", "channel above"])
async def test_a_match_counts_even_if_its_channel_is_deleted_while_the_bot_is_stopped(
    threaded: World, gone: str
) -> None:
    where = threaded.channel if gone == "channel" else await open_thread(threaded, "cleo")
    table = await threaded.start_table("ben", hands=3, channel=where)
    await threaded.play_hand(table)
    await threaded.stop()
    delete_silently(threaded, *({where.id} if gone == "thread" else {table.row.home, threaded.channel.id}))
    await threaded.start()
    await threaded.advance(seconds=60)
    await check_counted(threaded, table)


async def test_an_archived_thread_is_deleted_with_its_channel_without_an_event(threaded: World) -> None:
    backend, where = threaded.env.backend, await open_thread(threaded, "cleo")
    table = await threaded.start_table("ben", hands=3, channel=where, pace="none")
    await threaded.play_hand(table)
    backend.edit_channel(where.id, {}, thread_metadata={"archived": True})
    await threaded.settle()
    delete_silently(threaded, where.id)
    backend.delete_channel(threaded.channel.id)
    await threaded.settle()
    await check_counted(threaded, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("away", [False, True])
async def test_a_match_in_a_private_channel_stays_private_after_the_channel_is_deleted(
    here: World, *, away: bool
) -> None:
    may, may_not = discord.PermissionOverwrite(view_channel=True), discord.PermissionOverwrite(view_channel=False)
    rights: dict[Any, discord.PermissionOverwrite] = {here.guild.default_role: may_not}
    bot = UserHandle(here.env, here.env.backend.bot_user)
    rights |= dict.fromkeys((here.people["ann"], here.people["ben"], bot), may)
    den = here.guild.create_text_channel("den", overwrites=rights)
    table = await here.start_table("ben", hands=3, channel=den)
    await here.play_hand(table)
    if away:
        await here.stop()
        delete_silently(here, *{table.row.home, den.id})
        await here.start()
    else:
        here.env.backend.delete_channel(den.id)
    await here.advance(seconds=60)
    assert (await here.reload(table)).row.phase == "over"
    (match,) = await here.parts.store.results.history(here.guild.id, 9, 0)
    assert (match.outcome.place.channel, match.outcome.place.hidden) == (den.id, True)
    assert await matches_and_wins(here.parts.store, here.guild.id) == {}


@pytest.mark.parametrize("stage", ["lobby", "playing"])
async def test_deleting_the_channel_ends_its_tables(here: World, stage: str) -> None:
    table = await here.open_table(hands=2) if stage == "lobby" else await start_match(here, "ben", hands=2)
    here.env.backend.delete_channel(here.channel.id)
    await here.env.settle()
    await check_freed(here, table)
    await play_elsewhere(here)


async def test_deleting_the_thread_ends_its_table(threaded: World) -> None:
    table = await start_match(threaded, "ben")
    assert table.row.home != table.row.channel
    threaded.env.backend.delete_channel(table.row.home)
    await threaded.env.settle()
    await check_freed(threaded, table)
    await play_elsewhere(threaded)


async def test_deleting_the_parent_channel_ends_the_table_of_a_thread(threaded: World) -> None:
    table = await start_match(threaded, "ben")
    threaded.env.backend.delete_channel(threaded.channel.id)
    await threaded.env.settle()
    await check_freed(threaded, table)


async def test_a_channel_deleted_while_the_bot_is_stopped_ends_its_tables_at_the_start(here: World) -> None:
    table = await start_match(here)
    for method in ("PATCH", "POST"):
        here.env.inject_error(method, f"/channels/{here.channel.id}/*", status=404, code=10003, times=None)
    await move(here, table)
    await wait(here)
    here.env.backend.faults.clear()
    await check_freed(here, table)
    await play_elsewhere(here)


async def test_deleting_a_channel_without_tables_changes_no_table(here: World) -> None:
    table = await start_match(here)
    other = here.guild.create_text_channel("quiet")
    here.env.backend.delete_channel(other.id)
    await here.env.settle()
    await check_match_continues(here, table)


async def test_deleting_a_channel_ends_its_tables_even_if_every_message_fails(here: World) -> None:
    tables = [await start_match(here, "ben"), await here.open_table("cleo")]
    here.env.inject_error("*", "/channels/*", status=500, times=None)
    here.env.backend.delete_channel(here.channel.id)
    await wait(here)
    for table in tables:
        await check_freed(here, table)


async def test_removing_the_bot_from_a_server_ends_its_tables(threaded: World) -> None:
    table = await start_match(threaded, "ben")
    lobby = await threaded.open_table("cleo")
    home = threaded.env.create_guild(name="Another")
    threaded.env.backend.remove_guild(threaded.guild.id)
    await threaded.env.settle()
    for each in (table, lobby):
        await check_freed(threaded, each)
    assert home.id in {guild.id for guild in threaded.bot.guilds}


async def test_tables_stay_if_only_the_permission_to_write_is_lost(here: World) -> None:
    table = await start_match(here)
    here.env.inject_error("*", SEND, status=403, code=50001, times=None)
    here.env.inject_error("*", f"{SEND}/*", status=403, code=50001, times=None)
    for _ in range(2):
        await move(here, table)
    await wait(here)
    here.env.backend.faults.clear()
    await finish_match(here, table)
