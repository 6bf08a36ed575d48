"""A table that may not be written to tells the people concerned once, and after 30 days it is over."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import UserHandle

from bot.table.core.commands import Suspend
from bot.table.table import Table
from tests.discord_errors.discord_outages import move, started, wait
from tests.support.message_text import ParsedMessage
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

SLEEPS = "is suspended because I can't post"
ON_DESK = "💤 Suspended: I can't post there any more. All clocks are stopped."
DAYS = 30


def told(here: World) -> list[str]:
    """Return who has read directly that a table sleeps, once for each message."""
    people = {name: UserHandle(here.env, here.env.backend.users[one.id]) for name, one in here.people.items()}
    return [
        name
        for name, one in people.items()
        for sent in one.dm_channel.history()
        if SLEEPS in ParsedMessage.of(sent).text
    ]


async def fall_asleep(here: World, table: Table) -> None:
    await here.set_bot_permissions(here.channel, send_messages=False)
    await wait(here, 15)
    assert (await here.reload(table)).row.suspended_since


async def suspended(here: World, *direct: str, **choice: Any) -> Table:
    """Suspend ann's table of four that waits for ben; these people have chosen direct messages."""
    for name in direct:
        await here.parts.preferences.change(here.people[name].id, **choice or {"notices": "direct"})
    table = await started(here, "ben", "cleo", "dev", pace="relaxed")
    await move(here, table, "ann")
    assert here.current_player(table) == "ben"
    await fall_asleep(here, table)
    return table


@pytest.mark.rotates(3)
@pytest.mark.parametrize("choice", [{"notices": "direct"}, {"notices": "both"}, {"mirror": True}])
async def test_the_host_and_whom_it_waits_for_are_told_directly_if_they_have_chosen_so(
    here: World, choice: dict[str, Any]
) -> None:
    await suspended(here, "ann", "ben", "cleo", **choice)
    assert told(here) == ["ann", "ben"]


async def test_who_has_not_chosen_direct_messages_reads_it_on_the_desk(here: World) -> None:
    await suspended(here, "ann")
    assert told(here) == ["ann"]
    assert ON_DESK in (await here.slash("ben", "desk")).text


async def test_it_is_told_once_also_after_restarts_and_days(here: World) -> None:
    table = await suspended(here, "ann", "ben")
    for _ in range(2):
        await here.restart()
        await here.advance(days=1)
        here.parts.delivery.changed(await here.reload(table))
        await here.settle()
    assert told(here) == ["ann", "ben"]


async def test_another_time_is_told_again(here: World) -> None:
    table = await suspended(here, "ann")
    await here.set_bot_permissions(here.channel, send_messages=None)
    await wait(here, 15)
    assert not (await here.reload(table)).row.suspended_since
    await fall_asleep(here, table)
    assert told(here) == ["ann", "ann"]


async def test_a_new_host_is_told(here: World) -> None:
    table = await suspended(here, "ann", "cleo")
    await here.leave("ben", table)
    await here.leave("ann", table)
    await here.settle()
    assert told(here) == ["ann", "cleo"]


async def test_a_stop_before_anybody_was_told_is_made_up_for_at_the_start(here: World) -> None:
    table = await started(here, "ben", pace="relaxed")
    await here.parts.preferences.change(here.ann.id, notices="direct")
    here.parts.delivery.stop()
    await table.do(Suspend())
    await here.set_bot_permissions(here.channel, send_messages=False)
    await here.restart()
    await here.advance(minutes=1)
    assert told(here) == ["ann"]


async def test_after_thirty_days_the_match_is_called_off(here: World) -> None:
    table = await suspended(here, "ben")
    await here.advance(days=DAYS - 1)
    table = await here.reload(table)
    assert table.row.phase == "playing"
    await here.advance(days=1, minutes=5)
    table = await here.reload(table)
    assert (table.row.phase, table.row.deadline) == ("closed", None)
    assert await here.parts.store.results.finished(table.id) is None
    assert "nobody loses" in (await here.slash("cleo", "desk")).text
    await here.advance(days=8)
    assert "You're not at any table" in (await here.slash("cleo", "desk")).text


async def test_time_in_which_the_bot_does_not_run_does_not_count(here: World) -> None:
    table = await suspended(here)
    await here.advance(days=10)
    await here.stop()
    await here.pass_time_without_bot(days=25)
    await here.start()
    await here.advance(days=19)
    assert (await here.reload(table)).row.phase == "playing"
    await here.advance(days=1, minutes=5)
    assert (await here.reload(table)).row.phase == "closed"


async def test_2_3_after_thirty_days_finished_hands_count_whoever_took_the_right_to_write(here: World) -> None:
    table = await here.start_table("ben", seats=2, hands=3, pace="relaxed")
    await here.play_hand(table)
    await fall_asleep(here, table)
    assert "After 30 days it ends, and finished hands count." in (await here.slash("ann", "desk")).text
    await here.advance(days=DAYS, minutes=5)
    table = await here.reload(table)
    assert table.row.phase == "over"
    assert len(await matches_and_wins(here.parts.store, here.guild.id)) == 2
    assert "Finished hands count." in (await here.slash("ann", "desk")).text
    await here.advance(days=8)
    assert "You're not at any table" in (await here.slash("ann", "desk")).text
