"""A player leaves in the middle, or does not come: the others play on, and the seat waits for its owner."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.refusals import Refused
from bot.interactions.flood_limits import RETURNS
from bot.table.core.commands import Leave, TakeBack
from bot.table.table import Table
from tests.support.message_text import private
from tests.support.world import OUTSIDE, SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

LEFT = "ben left. A bot takes over until ben comes back or someone else takes the seat."
BACK = "ben is back."
KEPT = "ben missed three moves in a row. A bot keeps the seat warm until ben takes it back."


async def without_ben(here: World, **options: Any) -> Table:
    """Let Ben leave a match at his turn."""
    table = await here.start_table("ben", "cleo", **options)
    await here.lay("ann", table, "3d 3c")
    await here.leave("ben")
    return table


async def test_leaving_a_match_is_asked_about_first(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    asked = await here.press("ben", table, "Leave")
    assert "You can take it back unless someone else takes it first." in private(asked).text
    assert not table.row.chairs[1].house  # not before he has said so
    left = await here.press_on("ben", asked, "Leave the match")
    assert private(left).text == "You left Big Two, table 1."
    assert table.row.chairs[1].house
    assert here.talk(table) == [LEFT]


async def test_a_house_player_takes_over_at_once(here: World) -> None:
    table = await without_ben(here)
    assert table.state.ply >= 2
    assert here.turn(table) == "cleo"
    assert LEFT in here.talk(table)
    assert [step.by for step in table.row.steps][:2] == ["person", "house"]
    assert "**ben 🤖**" in here.read(table).text


async def test_who_has_left_cannot_act_until_they_are_back(here: World) -> None:
    table = await without_ben(here)
    ply = table.state.ply
    refused = "A bot has your seat. Take it back first."
    assert (await here.slash("ben", "turn", move="5d 5c")).text == refused
    assert (await here.slash("ben", "turn", move="pass")).text == refused
    assert private(await here.press("ben", table, "Leave")).text == "A bot is already playing for you here."
    assert table.state.ply == ply


async def test_the_seat_can_be_taken_back(here: World) -> None:
    table = await without_ben(here)
    hand = await here.open_hand("ben", table)
    back = private(await here.press_on("ben", hand, "Take my seat back"))
    assert "Take my seat back" not in back.buttons
    assert not table.row.chairs[1].house
    assert BACK in here.talk(table)
    await here.play_hand(table)
    assert "person" in {step.by for step in table.row.steps if step.seat == 1}
    assert "🤖" not in next(line for line in here.read(table).text.splitlines() if "ben" in line)


async def test_there_is_no_new_time_for_a_move_by_leaving_and_coming_back(here: World) -> None:
    table, ben = await here.start_table("ben", "cleo"), here.people["ben"].id
    await here.lay("ann", table, "3d 3c")
    await table.do(Leave(ben))
    with pytest.raises(Refused, match="Take your seat back in a moment"):
        await table.do(TakeBack(ben))
    await here.settle()
    assert table.row.steps[1].by == "house"
    await table.do(TakeBack(ben))
    assert not table.row.chairs[1].house


async def test_a_seat_is_taken_back_after_a_restart(here: World) -> None:
    table = await without_ben(here, pace="none")
    await here.restart()
    table = await here.again(table)
    await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")
    assert not table.row.chairs[1].house


async def test_only_the_owner_has_the_way_back(here: World) -> None:
    table = await without_ben(here)
    assert "Take my seat back" not in private(await here.open_hand("cleo", table)).buttons
    assert private(await here.open_hand("dev", table)).text.startswith(OUTSIDE)


async def test_when_the_only_person_leaves_the_table_closes(here: World) -> None:
    table = await here.start_table()
    question = private(await here.press("ann", table, "Leave"))
    assert "You're the last person here, so the match" in question.text
    await here.leave("ann")
    assert table.stage == "closed"
    assert here.talk(table)[-1] == "Nobody's at Big Two, table 1 any more, so it's closed."
    assert "This table is closed." in here.read(table).text
    assert not await here.parts.store.tables.open_tables()
    assert (await here.slash("ann", "desk")).text == "You're not at any table. Open one with /deal."


async def test_whoever_left_can_come_back_though_the_last_has_left_too(here: World) -> None:
    table = await here.start_table("ben")
    await here.leave("ben")
    await here.leave("ann")
    assert table.stage == "playing"
    ply = table.state.ply
    await here.later(minutes=5)
    assert table.state.ply == ply, "house players do not play among themselves"
    await here.press_on("ben", await here.press("ben", table, "My hand"), "Take my seat back")
    await here.play_hand(table)
    assert table.state.ply > ply


async def test_a_table_that_everybody_has_left_closes_after_a_week(here: World) -> None:
    table = await here.start_table("ben")
    await here.leave("ben")
    await here.leave("ann")
    assert "If nobody comes back, it ends" in here.read(table).text
    assert "to play · " not in here.read(table).text
    assert "Your turn" not in private(await here.open_hand("ann", table)).text
    assert "If nobody comes back, it ends" in (await here.slash("ann", "desk")).text
    await here.later(days=7, minutes=1)
    assert (await here.again(table)).stage == "closed"
    assert not await here.parts.store.tables.open_tables()


async def test_between_two_hands_that_everybody_has_left_no_deal_is_promised(here: World) -> None:
    table = await here.start_table("ben", hands=2)
    await here.play_hand(table)
    await here.leave("ben")
    await here.leave("ann")
    assert "If nobody comes back, it ends" in here.read(table).text
    assert "Next hand" not in here.read(table).text


async def test_a_match_that_a_house_player_ends_for_somebody_is_no_win(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await here.leave("ben")
    await here.play_hand(table)
    assert "🥈 **ben** (you) · 1489 · provisional" in (await here.slash("ben", "standings")).text
    assert table.stage == "over"


async def test_leaving_between_two_hands(here: World) -> None:
    table = await here.start_table("ben", hands=2)
    await here.play_hand(table)
    await here.press_on("ben", await here.press("ben", table, "Leave"), "Leave the match")
    assert "Waiting for ann." in here.read(table).text  # the house player is ready at once
    await here.press("ann", table, "Ready")
    assert table.stage == "playing"


async def test_three_misses_in_a_row_and_a_house_player_keeps_the_seat_warm(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    for missed in range(1, 4):
        while here.turn(table) != "ben":
            name = here.turn(table)
            assert name is not None
            await here.act(name, table)
        await here.later(minutes=2, seconds=1)
        assert [step.by for step in table.row.steps if step.seat == 1] == ["clock"] * missed
        assert table.row.chairs[1].house == (missed == 3)
    assert KEPT in here.talk(table)
    await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")
    assert BACK in here.talk(table)
    assert table.row.chairs[1].misses == 0


async def test_a_move_in_time_forgives_the_misses(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.lay("ann", table, "3d 3c")
    await here.later(minutes=2, seconds=1)
    assert table.row.chairs[1].misses == 1
    while here.turn(table) != "ben":
        name = here.turn(table)
        assert name is not None
        await here.act(name, table)
    await here.act("ben", table)
    assert table.row.chairs[1].misses == 0


async def misses_thrice(here: World, table: Table) -> None:
    """Let Ann, who sits there alone, miss three moves."""
    for _ in range(3):
        await here.later(minutes=2, seconds=1)
    assert table.row.chairs[0].house


async def test_a_table_that_nobody_comes_back_to_sleeps_and_then_closes(here: World) -> None:
    table = await here.start_table()
    await misses_thrice(here, table)
    ply = table.state.ply
    assert table.stage == "playing"
    await here.later(days=3)
    table = await here.again(table)
    assert table.state.ply == ply  # house players do not play among themselves
    assert table.stage == "playing"
    await here.later(days=5)
    table = await here.again(table)
    assert table.stage == "closed"
    assert here.talk(table)[-1] == "Nobody's at Big Two, table 1 any more, so it's closed."


async def test_a_sleeping_table_wakes_up_for_its_owner(here: World) -> None:
    table = await here.start_table()
    await misses_thrice(here, table)
    await here.later(days=2)
    table = await here.again(table)
    await here.press_on("ann", await here.open_hand("ann", table), "Take my seat back")
    assert here.turn(table) == "ann"
    await here.play_hand(table)


@pytest.mark.parametrize("label", ["My hand", "Leave"])
async def test_buttons_of_a_closed_table(here: World, label: str) -> None:
    table = await here.start_table()
    board = here.board(table)
    await here.leave("ann")
    answer = private(await here.click_stale("ann", board, label))
    assert "closed" in answer.text or "over" in answer.text


async def test_a_hand_of_a_table_that_all_have_left_waits_for_nobody(here: World) -> None:
    table = await here.start_table("ben", hands=2)
    await here.play_hand(table)
    for name in ("ann", "ben"):
        await here.leave(name, table)
    shown = private(await here.open_hand("ann", table)).text
    assert "If nobody comes back, it ends" in shown
    assert "Waiting for" not in shown


async def test_who_goes_and_comes_in_a_loop_does_not_fill_the_channel(here: World) -> None:
    table = await here.start_table("ben")
    while here.turn(table) != "ann":
        await here.act("ben", table)
    for _ in range(RETURNS.most):
        await here.leave("ben")
        await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")
    await here.leave("ben")
    before = here.talk(table)
    said = private(await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")).text
    assert said.startswith("You've come back 3 times in ten minutes.")
    assert here.talk(table) == before
    assert table.row.chairs[1].house
    await here.later(minutes=10)
    await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")
    assert not table.row.chairs[1].house
