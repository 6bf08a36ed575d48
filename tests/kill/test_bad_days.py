"""What network, Discord and disk do on a bad day, over real sockets. No table stops, and nobody waits in vain.

Each test is one day of one bot, because starting a bot costs as much as the day.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kill.club import CREATE_PUBLIC_THREADS, Club, club
from tests.standin.realm import SEVERAL_WAITS

EDITS = r"/channels/\d+/messages/\d+"
ANSWERS = r"/interactions/.*"
THREADS = r"/channels/\d+/messages/\d+/threads"
EVERYBODY = ("ann", "ben", "cleo", "dev")
pytestmark = pytest.mark.timeout(SEVERAL_WAITS)


async def test_boards_are_up_to_date_again_whatever_discord_does_to_what_the_bot_sends(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.start_table(*EVERYBODY)
        await slowed_down_it_shows_the_latest_state_in_one_edit(here)
        for spoil in ("fail", "lose", "lose the answer"):
            await it_heals(here, spoil)
        await where_making_threads_is_limited_for_minutes_matches_begin_in_the_channel(here)


async def slowed_down_it_shows_the_latest_state_in_one_edit(here: Club) -> None:
    limit = here.world.faults.limit("PATCH", EDITS, retry_after=0.5, held=asyncio.Event())
    for _ in range(4):
        await here.play()
        await here.world.until(lambda: limit.hits)
    edits = here.world.log.matching("PATCH", EDITS)
    assert edits[-1].status is None, "nobody has waited for the board"
    limit.release()
    await here.shown()
    later = here.world.log.matching("PATCH", EDITS)[len(edits) :]
    assert edits[-1].status == 429
    assert [edit.status for edit in later] in ([200], [200, 200]), "what was under way, and the latest state"


async def it_heals(here: Club, spoil: str) -> None:
    if spoil == "fail":
        fault = here.world.faults.fail("PATCH", EDITS, status=502)
    else:
        fault = here.world.faults.drop("PATCH", EDITS, after=spoil == "lose the answer")
    await here.play()
    await here.play()
    await here.shown()
    assert fault.hits, spoil


async def where_making_threads_is_limited_for_minutes_matches_begin_in_the_channel(here: Club) -> None:
    here.channel.app_permissions |= CREATE_PUBLIC_THREADS
    limit = here.world.faults.limit("POST", THREADS, retry_after=219.0, scope="shared", times=None)
    for _ in range(2):
        await here.start_table(*EVERYBODY)  # nobody waits for minutes, and the board is shown
    assert [entry.status for entry in here.world.log.matching("POST", THREADS)] == [429]
    assert len(limit.hits) == 1, "Discord is not asked again in that time"


async def test_an_answer_or_a_connection_that_is_lost_stops_no_table(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.start_table(*EVERYBODY)
        await an_answer_that_is_lost_leaves_the_action_done(here)
        for resumable in (True, False):
            await the_gateway_goes_and_comes_back(here, resumable=resumable)


async def an_answer_that_is_lost_leaves_the_action_done(here: Club) -> None:
    user, ply = here.turn, here.table.ply
    hand = await here.hand(user)
    play = await here.choose(user, hand)
    fault = here.world.faults.drop("POST", ANSWERS, times=None)
    pressed = asyncio.create_task(here.world.click(user, hand, play))
    await here.world.until(lambda: fault.hits and here.table.ply == ply + 1)
    here.world.lose_patience()
    fault.end()
    assert (await pressed).error
    await here.reads(await here.world.click(user, hand, play), "moved on")
    assert here.table.ply == ply + 1
    await here.shown()
    await here.play()


async def the_gateway_goes_and_comes_back(here: Club, *, resumable: bool) -> None:
    gateway = here.world.gateway
    resumed, identified = gateway.resumed, len(gateway.identified)
    await gateway.disconnect(4000, resumable=resumable)
    await here.world.until(lambda: gateway.resumed > resumed or len(gateway.identified) > identified)
    assert (gateway.resumed > resumed) == resumable
    await here.play()
    await here.shown()


async def test_a_store_that_stays_locked_says_so_and_leaves_nobody_without_an_answer(tmp_path: Path) -> None:
    async with club(tmp_path) as here:
        await here.start_table(*EVERYBODY)
        user, ply, others = here.turn, here.table.ply, here.people.values()
        hand = await here.hand(user)
        play = await here.choose(user, hand)
        with closing(sqlite3.connect(here.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # as another program would that writes into it
            asked = await asyncio.gather(
                here.world.click(user, hand, play),
                here.world.click(next(one for one in others if one is not user), here.board(), "My hand"),
                here.world.slash(here.people["cleo"], here.channel, "turn", move="pass"),
                here.world.slash(here.people["dev"], here.channel, "desk"),
            )
            for interaction in asked:
                await here.told(interaction)
            await here.reads(asked[0], "nothing has been done")
            other.execute("ROLLBACK")
        assert here.table.ply == ply
        await here.told(await here.world.click(user, hand, play))
        await here.world.until(lambda: here.table.ply == ply + 1 and "Your turn" not in hand.text)
        await here.shown()
