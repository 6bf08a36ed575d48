"""A suspended match notifies its host and the awaited player once, and ends after 30 days."""

from __future__ import annotations

from typing import Any

import pytest
from simcord import UserHandle

from bot.table.core.commands import Suspend
from bot.table.table import Table
from tests.discord_errors.discord_outages import move, start_match, wait
from tests.support.message_text import ParsedMessage
from tests.support.totals import matches_and_wins
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS

SUSPENDED_TEXT = "is suspended because I can't post"
DESK_TEXT = "💤 Suspended: I can't post there any more. All clocks are stopped."
DAYS_UNTIL_CANCELED = 30


def notified(here: World) -> list[str]:
    """Return the recipients of direct messages about a suspension, one name per message."""
    people = {name: UserHandle(here.env, here.env.backend.users[one.id]) for name, one in here.people.items()}
    return [
        name
        for name, one in people.items()
        for sent in one.dm_channel.history()
        if SUSPENDED_TEXT in ParsedMessage.of(sent).text
    ]


async def forbid_writing(here: World, table: Table) -> None:
    await here.set_bot_permissions(here.channel, send_messages=False)
    await wait(here, 15)
    assert (await here.reload(table)).row.suspended_since


async def suspend_match(here: World, *direct: str, **choice: Any) -> Table:
    """Suspend a match of four that waits for ben. direct: players with this choice, by default direct messages."""
    for name in direct:
        await here.parts.preferences.change(here.people[name].id, **choice or {"notices": "direct"})
    table = await start_match(here, "ben", "cleo", "dev", pace="relaxed")
    await move(here, table, "ann")
    assert here.current_player(table) == "ben"
    await forbid_writing(here, table)
    return table


@pytest.mark.rotates(3)
@pytest.mark.parametrize("choice", [{"notices": "direct"}, {"notices": "both"}, {"mirror": True}])
async def test_the_host_and_the_awaited_player_get_a_direct_message_if_they_chose_that(
    here: World, choice: dict[str, Any]
) -> None:
    await suspend_match(here, "ann", "ben", "cleo", **choice)
    assert notified(here) == ["ann", "ben"]


async def test_a_player_without_direct_messages_reads_of_the_suspension_on_the_desk(here: World) -> None:
    await suspend_match(here, "ann")
    assert notified(here) == ["ann"]
    assert DESK_TEXT in (await here.slash("ben", "desk")).text


async def test_a_suspension_is_reported_once_even_after_restarts_and_days(here: World) -> None:
    table = await suspend_match(here, "ann", "ben")
    for _ in range(2):
        await here.restart()
        await here.advance(days=1)
        here.parts.delivery.changed(await here.reload(table))
        await here.settle()
    assert notified(here) == ["ann", "ben"]


async def test_a_second_suspension_is_reported_again(here: World) -> None:
    table = await suspend_match(here, "ann")
    await here.set_bot_permissions(here.channel, send_messages=None)
    await wait(here, 15)
    assert not (await here.reload(table)).row.suspended_since
    await forbid_writing(here, table)
    assert notified(here) == ["ann", "ann"]


async def test_a_new_host_is_notified_of_the_suspension(here: World) -> None:
    table = await suspend_match(here, "ann", "cleo")
    await here.leave("ben", table)
    await here.leave("ann", table)
    await here.settle()
    assert notified(here) == ["ann", "cleo"]


async def test_a_suspension_not_reported_before_a_stop_is_reported_after_the_start(here: World) -> None:
    table = await start_match(here, "ben", pace="relaxed")
    await here.parts.preferences.change(here.ann.id, notices="direct")
    here.parts.delivery.stop()
    await table.do(Suspend())
    await here.set_bot_permissions(here.channel, send_messages=False)
    await here.restart()
    await here.advance(minutes=1)
    assert notified(here) == ["ann"]


async def test_a_match_suspended_for_thirty_days_is_canceled(here: World) -> None:
    table = await suspend_match(here, "ben")
    await here.advance(days=DAYS_UNTIL_CANCELED - 1)
    table = await here.reload(table)
    assert table.row.phase == "playing"
    await here.advance(days=1, minutes=5)
    table = await here.reload(table)
    assert (table.row.phase, table.row.deadline) == ("closed", None)
    assert await here.parts.store.results.finished(table.id) is None
    assert "nobody loses" in (await here.slash("cleo", "desk")).text
    await here.advance(days=8)
    assert "You're not at any table" in (await here.slash("cleo", "desk")).text


async def test_days_without_a_running_bot_do_not_count_toward_the_thirty_days(here: World) -> None:
    table = await suspend_match(here)
    await here.advance(days=10)
    await here.stop()
    await here.pass_time_without_bot(days=25)
    await here.start()
    await here.advance(days=19)
    assert (await here.reload(table)).row.phase == "playing"
    await here.advance(days=1, minutes=5)
    assert (await here.reload(table)).row.phase == "closed"


async def test_2_3_after_thirty_days_of_suspension_finished_hands_count(here: World) -> None:
    table = await here.start_table("ben", seats=2, hands=3, pace="relaxed")
    await here.play_hand(table)
    await forbid_writing(here, table)
    assert "After 30 days it ends, and finished hands count." in (await here.slash("ann", "desk")).text
    await here.advance(days=DAYS_UNTIL_CANCELED, minutes=5)
    table = await here.reload(table)
    assert table.row.phase == "over"
    assert len(await matches_and_wins(here.parts.store, here.guild.id)) == 2
    assert "Finished hands count." in (await here.slash("ann", "desk")).text
    await here.advance(days=8)
    assert "You're not at any table" in (await here.slash("ann", "desk")).text
