"""A player leaves in the middle, or does not come: the others play on, and the seat waits for its owner."""

from __future__ import annotations

from bot.interactions.flood_limits import RETURNS
from tests.support.message_text import private_reply
from tests.support.world import NOT_SEATED, SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

LEFT = "ben left. A bot takes over until ben comes back or someone else takes the seat."
BACK = "ben is back."
KEPT = "ann missed three moves in a row. A bot keeps the seat warm until ann takes it back."


async def test_leaving_a_match_needs_confirmation_and_a_house_player_takes_over(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await here.play_directly("ann", table, "3d 3c")
    asked = await here.press("ben", table, "Leave")
    assert "You can take it back unless someone else takes it first." in private_reply(asked).text
    assert not table.row.chairs[1].house  # not before he has said so
    left = await here.press_on("ben", asked, "Leave the match")
    assert private_reply(left).text == "You left Big Two, table 1."
    assert here.channel_texts(table) == [LEFT]
    assert [step.by for step in table.row.steps][:2] == ["person", "house"]
    assert here.current_player(table) == "ann"
    assert "**ben 🤖**" in here.read_board(table).text
    for move in ("5d 5c", "pass"):
        assert (await here.slash("ben", "turn", move=move)).text == "A bot has your seat. Take it back first."
    assert private_reply(await here.press("ben", table, "Leave")).text == "A bot is already playing for you here."
    assert "Take my seat back" not in private_reply(await here.open_hand("ann", table)).buttons
    assert private_reply(await here.open_hand("dev", table)).text.startswith(NOT_SEATED)
    await here.play_hand(table)
    assert "🥈 **ben** (you) · 1489 · provisional" in (await here.slash("ben", "standings")).text, "no win for him"


async def test_a_seat_can_be_taken_back_even_after_a_restart(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="none")
    await here.play_directly("ann", table, "3d 3c")
    await here.leave("ben")
    await here.restart()
    table = await here.reload(table)
    back = private_reply(await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back"))
    assert "Take my seat back" not in back.buttons
    assert not table.row.chairs[1].house
    assert BACK in here.channel_texts(table)
    while here.current_player(table) != "ben":
        await here.act(str(here.current_player(table)), table)
    await here.act("ben", table)
    assert [step.by for step in table.row.steps if step.seat == 1][-1] == "person"
    assert "🤖" not in next(line for line in here.read_board(table).text.splitlines() if "ben" in line)


async def test_when_the_only_person_leaves_the_table_closes(here: World) -> None:
    table = await here.start_table()
    question, board = private_reply(await here.press("ann", table, "Leave")), here.board(table)
    assert "You're the last person here, so the match" in question.text
    await here.leave("ann")
    assert table.stage == "closed"
    assert here.channel_texts(table)[-1] == "Nobody's at Big Two, table 1 any more, so it's closed."
    assert "This table is closed." in here.read_board(table).text
    assert not await here.parts.store.tables.open_tables()
    assert (await here.slash("ann", "desk")).text == "You're not at any table. Open one with /deal."
    for label in ("My hand", "Leave"):
        answer = private_reply(await here.click_stale("ann", board, label))
        assert "closed" in answer.text or "over" in answer.text


async def test_a_table_that_everybody_has_left_closes_after_a_week(here: World) -> None:
    table = await here.start_table("ben")
    await here.leave("ben")
    await here.leave("ann")
    assert "If nobody comes back, it ends" in (await here.slash("ann", "desk")).text
    await here.advance(days=7, minutes=1)
    assert (await here.reload(table)).stage == "closed"
    assert not await here.parts.store.tables.open_tables()


async def test_a_player_who_missed_three_moves_can_take_the_seat_back_days_later(here: World) -> None:
    table = await here.start_table()
    for _ in range(3):
        await here.advance(minutes=2, seconds=1)
    assert table.row.chairs[0].house
    assert KEPT in here.channel_texts(table)
    ply = table.state.ply
    await here.advance(days=3)
    table = await here.reload(table)
    assert (table.state.ply, table.stage) == (ply, "playing")  # house players do not play among themselves
    await here.press_on("ann", await here.open_hand("ann", table), "Take my seat back")
    assert here.current_player(table) == "ann"
    assert here.channel_texts(table)[-1] == "ann is back."


async def test_leaving_and_returning_in_a_loop_does_not_flood_the_channel(here: World) -> None:
    table = await here.start_table("ben")
    while here.current_player(table) != "ann":
        await here.act("ben", table)
    for _ in range(RETURNS.most):
        await here.leave("ben")
        await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")
    await here.leave("ben")
    before = here.channel_texts(table)
    said = private_reply(await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")).text
    assert said.startswith("You've come back 3 times in ten minutes.")
    assert here.channel_texts(table) == before
    assert table.row.chairs[1].house
    await here.advance(minutes=10)
    await here.press_on("ben", await here.open_hand("ben", table), "Take my seat back")
    assert not table.row.chairs[1].house
