"""Discord refuses or has lost the board: the match continues, and finally the board is current."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.discord_errors.discord_outages import (
    EDIT,
    SEND,
    board_ply,
    check_match_continues,
    count_boards,
    finish_match,
    move,
    start_match,
    wait,
)
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS


@pytest.mark.rotates(3)
@pytest.mark.parametrize(
    ("status", "code", "times"),
    [(500, 0, 1), (502, 0, 3), (429, 0, 1), (429, 0, 3), (400, 50035, 1), (403, 50013, 2), (403, 50001, 1)],
)
async def test_a_match_continues_after_failed_edits_of_its_board(
    here: World, status: int, code: int, times: int
) -> None:
    table = await start_match(here, "ben")
    here.env.inject_error("PATCH", EDIT, status=status, code=code, times=times)
    before = table.state.ply
    await move(here, table)
    assert table.state.ply > before
    await wait(here)
    for _ in range(times):  # a forbidden edit is retried at the next action
        await move(here, table)
        await wait(here)
    assert board_ply(here, table) == table.state.ply
    await check_match_continues(here, table)


async def test_a_board_becomes_current_after_a_long_outage(here: World) -> None:
    table = await start_match(here, "ben")
    here.env.inject_error("PATCH", EDIT, status=500, times=None)
    for _ in range(3):
        await move(here, table)
        await wait(here)
    assert board_ply(here, table) < table.state.ply
    here.env.backend.faults.clear()
    await move(here, table)
    await wait(here)
    assert board_ply(here, table) == table.state.ply


async def test_a_table_exists_even_if_its_first_board_cannot_be_posted(here: World) -> None:
    here.env.inject_error("POST", SEND, status=500, times=2)
    await here.ann.slash(here.channel, "deal", hands=1, pace="none")
    await wait(here)
    (number,) = await here.parts.store.tables.open_tables()
    table = await here.parts.tables.get(number)
    assert "Join" in here.read_board(table).buttons
    assert count_boards(here, table) == 1


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), [(404, 10008), (429, 30046), (400, 30046)])
async def test_a_deleted_or_old_board_is_reposted_at_the_next_action(here: World, status: int, code: int) -> None:
    table = await start_match(here)
    old = here.board(table)
    if code == 10008:
        here.env.backend.delete_message(old.channel.id, old.id)
    else:
        here.env.inject_error("PATCH", EDIT, status=status, code=code, times=1)
    await move(here, table)
    await wait(here)
    assert table.row.message != old.id
    assert count_boards(here, table) == 1
    assert board_ply(here, table) == table.state.ply
    await check_match_continues(here, table)


async def test_an_outdated_board_returned_for_a_repeated_nonce_is_updated_after_a_stop(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_match(here, "ben")
    here.env.inject_error("PATCH", EDIT, status=500, times=None)
    await move(here, table)
    here.env.backend.faults.clear()
    before, send = here.board(table), discord.PartialMessageable.send
    assert board_ply(here, table) < table.state.ply

    async def sent(where: discord.PartialMessageable, *words: Any, **how: Any) -> discord.Message:
        return before if "view" in how else await send(where, *words, **how)

    monkeypatch.setattr(discord.PartialMessageable, "send", sent)
    here.parts.delivery.boards.repost(table)
    await here.settle()
    assert board_ply(here, table) == table.state.ply


@pytest.mark.rotates(3)
@pytest.mark.parametrize("status", [403, 404, 500])
async def test_a_match_continues_if_an_old_board_cannot_be_deleted(here: World, status: int) -> None:
    table = await start_match(here)
    here.env.inject_error("PATCH", EDIT, status=429, code=30046, times=1)
    here.env.inject_error("DELETE", EDIT, status=status, times=None)
    await move(here, table)
    await check_match_continues(here, table)


async def test_a_match_continues_if_pings_and_announcements_fail(here: World) -> None:
    table = await start_match(here, "ben", pace="live")
    here.env.inject_error("POST", SEND, status=500, times=None)
    here.env.inject_error("DELETE", EDIT, status=500, times=None)
    await wait(here, 100)
    await move(here, table)
    await here.leave("ben", table)
    await wait(here)
    assert table.row.chairs[1].house
    here.env.backend.faults.clear()
    await finish_match(here, table)


async def test_house_players_and_the_clock_act_while_discord_fails(here: World) -> None:
    table = await here.start_table("ben", hands=1, pace="live")
    here.env.inject_error("*", "*", status=500, times=None)
    for _ in range(20):
        if not all(each.house for each in table.row.chairs):
            await wait(here, 130)
    assert [each.house for each in table.row.chairs] == [True] * 4, "both people have missed three moves"
    acted = {step.by for step in table.row.steps}
    assert acted == {"house", "clock"}
    here.env.backend.faults.clear()
    await here.people["ann"].slash(here.channel, "desk")
    assert table.row.phase == "playing"


# Threads


async def test_a_match_stays_in_the_channel_if_no_thread_can_be_opened(threaded: World) -> None:
    threaded.env.inject_error("POST", "/channels/*/threads", status=403, code=50013)
    threaded.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013)
    table = await start_match(threaded)
    assert table.row.home == table.row.channel == threaded.channel.id
    await check_match_continues(threaded, table)


async def test_a_match_continues_if_the_signpost_to_its_thread_cannot_be_shown(threaded: World) -> None:
    threaded.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013, times=None)
    threaded.env.inject_error("PATCH", "/webhooks/*", status=500, times=None)
    table = await start_match(threaded, "ben")
    assert table.row.home != table.row.channel
    await check_match_continues(threaded, table)


async def test_an_archived_thread_is_reopened_by_the_next_message(threaded: World) -> None:
    table = await start_match(threaded)
    thread = table.row.home
    archived = threaded.env.backend.channels[thread].thread_metadata
    assert archived is not None
    archived.archived = True
    threaded.env.inject_error("PATCH", f"/channels/{thread}/messages/*", status=400, code=50083, times=1)
    await move(threaded, table, "ann")
    await wait(threaded)
    assert not archived.archived
    assert table.row.home == thread
    assert board_ply(threaded, table) == table.state.ply
    await check_match_continues(threaded, table)
