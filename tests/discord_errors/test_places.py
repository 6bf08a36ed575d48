"""A channel, a thread or a whole server goes away: its tables end, its people are free, and play goes on elsewhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord import UserHandle
from simcord.builders import ChannelHandle

from bot.table.table import Table
from tests.discord_errors.discord_outages import SEND, goes_on, move, started, to_the_end, wait
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS


async def is_freed(here: World, table: Table) -> None:
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
    """Let Ann find no table left, start one in another channel and play there."""
    other = here.guild.create_text_channel("another")
    assert "You're not at any table" in (await here.slash("ann", "desk", other)).text
    await goes_on(here, await started(here, channel=other))


async def counts(here: World, table: Table) -> None:
    """Hold that a match has ended with its one finished hand, on the server's leaderboard and in its list."""
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
async def test_nobody_undoes_a_loss_by_deleting_the_channel(here: World, rules: str, *, later: bool) -> None:
    table = await here.start_table("ben", rules=rules)
    await here.play_hand(table)
    if later:
        for name in ("ann", "ben"):
            await here.press(name, table, "Ready")
        await here.act(str(here.current_player(table)), table)
    assert table.row.phase == "playing"
    here.env.backend.delete_channel(here.channel.id)
    await here.env.settle()
    await counts(here, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("gone", ["thread", "channel above"])
async def test_nobody_undoes_a_loss_by_deleting_the_thread(roomy: World, gone: str) -> None:
    table = await roomy.start_table("ben", hands=3)
    await roomy.play_hand(table)
    roomy.env.backend.delete_channel(table.row.home if gone == "thread" else table.row.channel)
    await roomy.env.settle()
    await counts(roomy, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("gone", ["archived thread", "channel above"])
async def test_nobody_undoes_a_loss_in_a_thread_that_people_made(roomy: World, gone: str) -> None:
    backend = roomy.env.backend
    thread = backend.create_thread(roomy.channel.id, "cards", roomy.people["cleo"].id)
    table = await roomy.start_table("ben", hands=3, channel=roomy.channel_handle(thread))
    await roomy.play_hand(table)
    assert (table.row.channel, table.row.home) == (thread.id, thread.id)
    if gone == "archived thread":
        backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
        await roomy.env.settle()
    backend.delete_channel(thread.id if gone == "archived thread" else roomy.channel.id)
    await roomy.env.settle()
    await counts(roomy, table)


async def thread_of(here: World, name: str) -> ChannelHandle:
    """A thread that a player has made in the channel."""
    thread = here.env.backend.create_thread(here.channel.id, "cards", here.people[name].id)
    await here.settle()
    return here.channel_handle(thread)


def go_unheard(here: World, *channels: int) -> None:
    """Delete channels and threads of which nobody tells the bot."""
    backend, emit = here.env.backend, here.env.backend.emit
    backend.emit = lambda *_: None  # type: ignore[method-assign]
    for channel in channels:
        backend.delete_channel(channel)
    backend.emit = emit  # type: ignore[method-assign]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("gone", ["channel", "thread", "channel above"])
async def test_nobody_undoes_a_loss_by_deleting_its_place_while_the_bot_is_away(roomy: World, gone: str) -> None:
    where = roomy.channel if gone == "channel" else await thread_of(roomy, "cleo")
    table = await roomy.start_table("ben", hands=3, channel=where)
    await roomy.play_hand(table)
    await roomy.stop()
    go_unheard(roomy, *({where.id} if gone == "thread" else {table.row.home, roomy.channel.id}))
    await roomy.start()
    await roomy.advance(seconds=60)
    await counts(roomy, table)


async def test_an_archived_thread_goes_with_its_channel_without_a_word(roomy: World) -> None:
    backend, where = roomy.env.backend, await thread_of(roomy, "cleo")
    table = await roomy.start_table("ben", hands=3, channel=where, pace="none")
    await roomy.play_hand(table)
    backend.edit_channel(where.id, {}, thread_metadata={"archived": True})
    await roomy.settle()
    go_unheard(roomy, where.id)
    backend.delete_channel(roomy.channel.id)
    await roomy.settle()
    await counts(roomy, table)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("away", [False, True])
async def test_a_match_that_not_everybody_saw_stays_so_when_its_channel_goes(here: World, *, away: bool) -> None:
    may, may_not = discord.PermissionOverwrite(view_channel=True), discord.PermissionOverwrite(view_channel=False)
    rights: dict[Any, discord.PermissionOverwrite] = {here.guild.default_role: may_not}
    bot = UserHandle(here.env, here.env.backend.bot_user)
    rights |= dict.fromkeys((here.people["ann"], here.people["ben"], bot), may)
    den = here.guild.create_text_channel("den", overwrites=rights)
    table = await here.start_table("ben", hands=3, channel=den)
    await here.play_hand(table)
    if away:
        await here.stop()
        go_unheard(here, *{table.row.home, den.id})
        await here.start()
    else:
        here.env.backend.delete_channel(den.id)
    await here.advance(seconds=60)
    assert (await here.reload(table)).row.phase == "over"
    (match,) = await here.parts.store.results.history(here.guild.id, 9, 0)
    assert (match.outcome.place.channel, match.outcome.place.hidden) == (den.id, True)
    assert await matches_and_wins(here.parts.store, here.guild.id) == {}


@pytest.mark.parametrize("stage", ["lobby", "playing"])
async def test_the_channel_is_deleted(here: World, stage: str) -> None:
    table = await here.open_table(hands=2) if stage == "lobby" else await started(here, "ben", hands=2)
    here.env.backend.delete_channel(here.channel.id)
    await here.env.settle()
    await is_freed(here, table)
    await play_elsewhere(here)


async def test_the_thread_is_deleted(roomy: World) -> None:
    table = await started(roomy, "ben")
    assert table.row.home != table.row.channel
    roomy.env.backend.delete_channel(table.row.home)
    await roomy.env.settle()
    await is_freed(roomy, table)
    await play_elsewhere(roomy)


async def test_the_channel_above_the_thread_is_deleted(roomy: World) -> None:
    table = await started(roomy, "ben")
    roomy.env.backend.delete_channel(roomy.channel.id)
    await roomy.env.settle()
    await is_freed(roomy, table)


async def test_the_channel_was_deleted_while_nobody_told_the_bot(here: World) -> None:
    table = await started(here)
    for method in ("PATCH", "POST"):
        here.env.inject_error(method, f"/channels/{here.channel.id}/*", status=404, code=10003, times=None)
    await move(here, table)
    await wait(here)
    here.env.backend.faults.clear()
    await is_freed(here, table)
    await play_elsewhere(here)


async def test_a_channel_without_tables_is_deleted(here: World) -> None:
    table = await started(here)
    other = here.guild.create_text_channel("quiet")
    here.env.backend.delete_channel(other.id)
    await here.env.settle()
    await goes_on(here, table)


async def test_the_channel_goes_and_every_farewell_fails(here: World) -> None:
    tables = [await started(here, "ben"), await here.open_table("cleo")]
    here.env.inject_error("*", "/channels/*", status=500, times=None)
    here.env.backend.delete_channel(here.channel.id)
    await wait(here)
    for table in tables:
        await is_freed(here, table)


async def test_the_server_does_not_want_the_bot_any_more(roomy: World) -> None:
    table = await started(roomy, "ben")
    lobby = await roomy.open_table("cleo")
    home = roomy.env.create_guild(name="Another")
    roomy.env.backend.remove_guild(roomy.guild.id)
    await roomy.env.settle()
    for each in (table, lobby):
        await is_freed(roomy, each)
    assert home.id in {guild.id for guild in roomy.bot.guilds}


async def test_only_the_right_to_write_is_lost_and_comes_back(here: World) -> None:
    table = await started(here)
    here.env.inject_error("*", SEND, status=403, code=50001, times=None)
    here.env.inject_error("*", f"{SEND}/*", status=403, code=50001, times=None)
    for _ in range(2):
        await move(here, table)
    await wait(here)
    here.env.backend.faults.clear()
    await to_the_end(here, table)
