"""What network, Discord and disk do on a bad day, over real sockets. No table stops, and nobody waits in vain."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest_asyncio

from tests.kill.club import CREATE_PUBLIC_THREADS, Club, club
from tests.kill.people import PLAY

EDITS = r"/channels/\d+/messages/\d+"
ANSWERS = r"/interactions/.*"
EVERYBODY = ("ann", "ben", "cleo", "dev")


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Club]:
    async with club(tmp_path) as made:
        yield made


async def test_a_board_that_discord_slows_down_shows_the_latest_state_in_one_edit(here: Club) -> None:
    await here.start_table(*EVERYBODY)
    await asyncio.sleep(1)
    limit = here.world.faults.limit("PATCH", EDITS, retry_after=8.0)  # longer than four plays take on a busy machine
    for _ in range(4):
        told = await here.told(await here.play())
        assert told.seconds is not None
        assert told.seconds < 1, "nobody waits for the board"
    edits = here.world.log.matching("PATCH", EDITS)
    assert edits[-1].status == 429
    await here.shown(60)
    later = here.world.log.matching("PATCH", EDITS)[len(edits) :]
    assert time.monotonic() - limit.hits[0] >= 8.0
    assert [edit.status for edit in later] in ([200], [200, 200]), "what was under way, and the latest state"


async def test_a_board_heals_after_an_error_of_discord_and_after_a_lost_connection(here: Club) -> None:
    await here.start_table(*EVERYBODY)
    for spoil in ("fail", "lose", "lose the answer"):
        await asyncio.sleep(1)
        if spoil == "fail":
            fault = here.world.faults.fail("PATCH", EDITS, status=502)
        else:
            fault = here.world.faults.drop("PATCH", EDITS, after=spoil == "lose the answer")
        await here.told(await here.play())
        await here.told(await here.play())
        await here.shown()
        assert fault.hits, spoil


async def test_an_answer_that_is_lost_on_its_way_leaves_the_action_done_and_the_table_going(here: Club) -> None:
    await here.start_table(*EVERYBODY)
    user, ply = here.turn, here.table.ply
    hand = await here.hand(user)
    await here.advise(user, hand)
    here.world.answer_within = 0.5
    fault = here.world.faults.drop("POST", ANSWERS)
    lost = await here.world.click(user, hand, hand.control(PLAY)["custom_id"])
    assert lost.error
    assert fault.hits
    here.world.answer_within = 3.0
    assert here.table.ply == ply + 1
    again = await here.told(await here.world.click(user, hand, hand.control(PLAY)["custom_id"]))
    assert again.ephemeral
    assert "moved on" in again.ephemeral.text
    assert here.table.ply == ply + 1
    await here.shown()
    assert (await here.told(await here.play())).acked


async def test_the_gateway_may_go_and_come_back(here: Club) -> None:
    await here.start_table("ann", "ben")
    gateway, guild = here.world.gateway, here.world.guild.id
    for resumable in (True, False):
        before = gateway.resumed
        await gateway.disconnect(4000, resumable=resumable)
        await here.world.until(lambda: gateway.live(guild), 10)
        assert (gateway.resumed > before) == resumable
        await here.told(await here.play())
        await here.shown()


def lock(club: Club) -> sqlite3.Connection:
    """Hold the database as another program would that writes into it."""
    other = sqlite3.connect(club.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


async def test_a_slow_store_leaves_nobody_without_an_answer(here: Club) -> None:
    await here.start_table(*EVERYBODY)
    user, ply, others = here.turn, here.table.ply, here.people.values()
    hand = await here.hand(user)
    await here.advise(user, hand)
    with closing(lock(here)) as other:
        asked = await asyncio.gather(
            here.world.click(user, hand, hand.control(PLAY)["custom_id"]),
            here.world.click(next(one for one in others if one is not user), here.board(), "My hand"),
            here.world.slash(here.people["cleo"], here.channel, "turn", move="pass"),
            here.world.slash(here.people["dev"], here.channel, "desk"),
        )
        for interaction in asked:
            assert interaction.seconds is not None
            assert interaction.seconds < 2.5
        assert here.table.ply == ply
        other.execute("ROLLBACK")
    for interaction in asked:
        await here.told(interaction)
    assert here.table.ply == ply, "the lock outlasted the play's patience"
    await here.told(await here.world.click(user, hand, hand.control(PLAY)["custom_id"]))
    assert here.table.ply == ply + 1
    assert "Your turn" not in hand.text
    await here.shown()


async def test_a_short_lock_of_another_program_is_ridden_out(here: Club) -> None:
    await here.start_table(*EVERYBODY)
    user, ply = here.turn, here.table.ply
    hand = await here.hand(user)
    await here.advise(user, hand)
    with closing(lock(here)) as other:
        asked = asyncio.create_task(here.world.click(user, hand, hand.control(PLAY)["custom_id"]))
        await asyncio.sleep(0.5)
        assert here.table.ply == ply
        other.execute("ROLLBACK")
    await here.told(await asked)
    assert here.table.ply == ply + 1
    await here.shown()


async def test_a_store_that_stays_locked_says_so_and_nothing_is_done(here: Club) -> None:
    await here.start_table(*EVERYBODY)
    ply = here.table.ply
    with closing(lock(here)) as other:
        told = await here.play()
        await here.told(told)
        other.execute("ROLLBACK")
    said = told.followups[-1] if told.followups else told.ephemeral
    assert said
    assert "nothing has been done" in said.text
    assert here.table.ply == ply
    await here.told(await here.play())
    assert here.table.ply == ply + 1


async def test_nobody_waits_while_house_players_think(tmp_path: Path) -> None:
    async with club(tmp_path, BIGGER_HOUSE_DELAY_SECONDS="1.5") as here:
        await here.start_table("ann")
        ply = here.table.ply
        await here.told(await here.play())
        for _ in range(5):
            told = await here.told(await here.world.click(here.people["ann"], here.board(), "My hand"))
            assert told.seconds is not None
            assert told.seconds < 0.5
        assert here.table.ply == ply + 1, "the house player still thinks"


async def test_where_making_threads_is_limited_for_minutes_matches_begin_in_the_channel_and_boards_go_on(
    here: Club,
) -> None:
    threads = r"/channels/\d+/messages/\d+/threads"
    here.channel.app_permissions |= CREATE_PUBLIC_THREADS
    limit = here.world.faults.limit("POST", threads, retry_after=219.0, scope="shared", times=None)
    for _ in range(2):
        began = time.monotonic()
        await here.start_table(*EVERYBODY)
        assert time.monotonic() - began < 20, "nobody waits for minutes, and the board is shown"
    assert [entry.status for entry in here.world.log.matching("POST", threads)] == [429]
    assert len(limit.hits) == 1, "Discord is not asked again in that time"
