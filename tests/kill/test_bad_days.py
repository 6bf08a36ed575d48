"""Failures of network, Discord and disk over real sockets: no table stops, and every user gets an answer.

Each test checks several failures with one bot, because starting a bot takes as long as the checks.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kill.club import CREATE_PUBLIC_THREADS, Club, club
from tests.standin.realm import SEVERAL_WAITS

EDIT_PATH = r"/channels/\d+/messages/\d+"
ANSWER_PATH = r"/interactions/.*"
THREAD_PATH = r"/channels/\d+/messages/\d+/threads"
ALL_PLAYERS = ("ann", "ben", "cleo", "dev")
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


async def test_boards_become_current_again_after_each_kind_of_failed_edit(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.start_table(*ALL_PLAYERS)
        await check_that_edits_are_coalesced_under_a_rate_limit(here)
        for failure in ("fail", "lose", "lose the answer"):
            await check_recovery(here, failure)
        await check_that_matches_start_in_the_channel_while_threads_are_limited(here)


async def check_that_edits_are_coalesced_under_a_rate_limit(here: Club) -> None:
    limit = here.world.faults.limit("PATCH", EDIT_PATH, retry_after=0.5, released=asyncio.Event())
    for _ in range(4):
        await here.play()
        await here.world.until(lambda: limit.hits)
    edits = here.world.log.matching("PATCH", EDIT_PATH)
    assert edits[-1].status is None, "moves do not wait for the board"
    limit.release()
    await here.await_board()
    later = here.world.log.matching("PATCH", EDIT_PATH)[len(edits) :]
    assert edits[-1].status == 429
    assert [edit.status for edit in later] in ([200], [200, 200]), "the retried edit, and the latest state"


async def check_recovery(here: Club, failure: str) -> None:
    if failure == "fail":
        fault = here.world.faults.fail("PATCH", EDIT_PATH, status=502)
    else:
        fault = here.world.faults.drop("PATCH", EDIT_PATH, after=failure == "lose the answer")
    await here.play()
    await here.play()
    await here.await_board()
    assert fault.hits, failure


async def check_that_matches_start_in_the_channel_while_threads_are_limited(here: Club) -> None:
    here.channel.app_permissions |= CREATE_PUBLIC_THREADS
    limit = here.world.faults.limit("POST", THREAD_PATH, retry_after=219.0, scope="shared", times=None)
    for _ in range(2):
        await here.start_table(*ALL_PLAYERS)  # without waiting for minutes
    assert [entry.status for entry in here.world.log.matching("POST", THREAD_PATH)] == [429]
    assert len(limit.hits) == 1, "no second request within the limit"


async def test_tables_continue_after_a_lost_answer_and_a_lost_connection(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.start_table(*ALL_PLAYERS)
        await check_that_an_action_with_a_lost_answer_is_done_once(here)
        for resumable in (True, False):
            await check_that_the_gateway_reconnects(here, resumable=resumable)


async def check_that_an_action_with_a_lost_answer_is_done_once(here: Club) -> None:
    user, ply = here.turn, here.table.ply
    hand = await here.open_hand(user)
    play = await here.select_cards(user, hand)
    fault = here.world.faults.drop("POST", ANSWER_PATH, times=None)
    pressed = asyncio.create_task(here.world.click(user, hand, play))
    await here.world.until(lambda: fault.hits and here.table.ply == ply + 1)
    here.world.fail_unanswered()
    fault.end()
    assert (await pressed).error
    await here.await_text(await here.world.click(user, hand, play), "moved on")
    assert here.table.ply == ply + 1
    await here.await_board()
    await here.play()


async def check_that_the_gateway_reconnects(here: Club, *, resumable: bool) -> None:
    gateway = here.world.gateway
    resumed, identified = gateway.resumed, len(gateway.identified)
    await gateway.disconnect(4000, resumable=resumable)
    await here.world.until(lambda: gateway.resumed > resumed or len(gateway.identified) > identified)
    assert (gateway.resumed > resumed) == resumable
    await here.play()
    await here.await_board()


async def test_while_the_database_is_locked_every_user_gets_an_answer(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.start_table(*ALL_PLAYERS)
        user, ply, others = here.turn, here.table.ply, here.people.values()
        hand = await here.open_hand(user)
        play = await here.select_cards(user, hand)
        with closing(sqlite3.connect(here.database_path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # as another writing program would
            asked = await asyncio.gather(
                here.world.click(user, hand, play),
                here.world.click(next(one for one in others if one is not user), here.board(), "My hand"),
                here.world.slash(here.people["cleo"], here.channel, "turn", move="pass"),
                here.world.slash(here.people["dev"], here.channel, "desk"),
            )
            for interaction in asked:
                await here.await_success(interaction)
            await here.await_text(asked[0], "nothing has been done")
            other.execute("ROLLBACK")
        assert here.table.ply == ply
        await here.await_success(await here.world.click(user, hand, play))
        await here.world.until(lambda: here.table.ply == ply + 1 and "Your turn" not in hand.text)
        await here.await_board()
