"""Discord refuses to show the board, or has lost it: the game goes on, and at last the board shows how it stands."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from tests.discord_errors.discord_outages import (
    EDIT,
    SEND,
    board_ply,
    boards_in_sight,
    goes_on,
    move,
    started,
    to_the_end,
    wait,
)
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS


@pytest.mark.rotates(3)
@pytest.mark.parametrize(
    ("status", "code", "times"),
    [(500, 0, 1), (502, 0, 3), (429, 0, 1), (429, 0, 3), (400, 50035, 1), (403, 50013, 2), (403, 50001, 1)],
)
async def test_an_edit_fails(here: World, status: int, code: int, times: int) -> None:
    table = await started(here, "ben")
    here.env.inject_error("PATCH", EDIT, status=status, code=code, times=times)
    before = table.state.ply
    await move(here, table)
    assert table.state.ply > before
    await wait(here)
    for _ in range(times):  # where Discord forbids it, it is tried again at the next action
        await move(here, table)
        await wait(here)
    assert board_ply(here, table) == table.state.ply
    await goes_on(here, table)


async def test_no_edit_works_for_a_long_time(here: World) -> None:
    table = await started(here, "ben")
    here.env.inject_error("PATCH", EDIT, status=500, times=None)
    for _ in range(3):
        await move(here, table)
        await wait(here)
    assert board_ply(here, table) < table.state.ply
    here.env.backend.faults.clear()
    await move(here, table)
    await wait(here)
    assert board_ply(here, table) == table.state.ply


async def test_the_first_board_cannot_be_posted(here: World) -> None:
    here.env.inject_error("POST", SEND, status=500, times=2)
    await here.ann.slash(here.channel, "deal", hands=1, pace="none")
    await wait(here)
    (number,) = await here.parts.store.tables.open_tables()
    table = await here.parts.tables.get(number)
    assert "Join" in here.read_board(table).buttons
    assert boards_in_sight(here, table) == 1


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), [(404, 10008), (429, 30046), (400, 30046)])
async def test_a_deleted_or_old_board_is_posted_again_at_the_next_action(here: World, status: int, code: int) -> None:
    table = await started(here)
    old = here.board(table)
    if code == 10008:
        here.env.backend.delete_message(old.channel.id, old.id)
    else:
        here.env.inject_error("PATCH", EDIT, status=status, code=code, times=1)
    await move(here, table)
    await wait(here)
    assert table.row.message != old.id
    assert boards_in_sight(here, table) == 1
    assert board_ply(here, table) == table.state.ply
    await goes_on(here, table)


async def test_a_board_that_is_given_back_as_it_was_just_before_a_stop_is_brought_up_to_date(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(here, "ben")
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
async def test_an_old_board_that_cannot_be_deleted_does_no_harm(here: World, status: int) -> None:
    table = await started(here)
    here.env.inject_error("PATCH", EDIT, status=429, code=30046, times=1)
    here.env.inject_error("DELETE", EDIT, status=status, times=None)
    await move(here, table)
    await goes_on(here, table)


async def test_pings_and_news_fail(here: World) -> None:
    table = await started(here, "ben", pace="live")
    here.env.inject_error("POST", SEND, status=500, times=None)
    here.env.inject_error("DELETE", EDIT, status=500, times=None)
    await wait(here, 100)
    await move(here, table)
    await here.leave("ben", table)
    await wait(here)
    assert table.row.chairs[1].house
    here.env.backend.faults.clear()
    await to_the_end(here, table)


async def test_house_players_and_the_clock_go_on_while_discord_fails(here: World) -> None:
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


async def test_no_thread_may_be_opened(roomy: World) -> None:
    roomy.env.inject_error("POST", "/channels/*/threads", status=403, code=50013)
    roomy.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013)
    table = await started(roomy)
    assert table.row.home == table.row.channel == roomy.channel.id
    await goes_on(roomy, table)


async def test_the_way_to_the_thread_cannot_be_shown(roomy: World) -> None:
    roomy.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50013, times=None)
    roomy.env.inject_error("PATCH", "/webhooks/*", status=500, times=None)
    table = await started(roomy, "ben")
    assert table.row.home != table.row.channel
    await goes_on(roomy, table)


async def test_an_archived_thread_is_opened_again(roomy: World) -> None:
    table = await started(roomy)
    thread = table.row.home
    archived = roomy.env.backend.channels[thread].thread_metadata
    assert archived is not None
    archived.archived = True
    roomy.env.inject_error("PATCH", f"/channels/{thread}/messages/*", status=400, code=50083, times=1)
    await move(roomy, table, "ann")
    await wait(roomy)
    assert not archived.archived
    assert table.row.home == thread
    assert board_ply(roomy, table) == table.state.ply
    await goes_on(roomy, table)
