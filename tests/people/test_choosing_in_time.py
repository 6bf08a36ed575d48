"""Questions of the draw over time: the clock, a restart in between, and a live draw."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from bot.show.kit.layout import DOTS
from tests.people.big_a import (
    CHANGE_UNTIL,
    CLUBS_SEED,
    NAMES,
    OTHERS,
    WINDOW_1,
    WINDOW_2,
    plain_text,
    question_to,
    show_nothing,
    start_draw,
)
from tests.people.test_slow_clocks import BERLIN, MANILA, set_working_hours
from tests.support.message_text import private_reply
from tests.support.world import World, world


async def test_players_without_an_answer_are_reminded_and_show_nothing_after_the_deadline(here: World) -> None:
    table = await start_draw(here)
    await show_nothing(here, table, "ann", "ben")
    await here.advance(seconds=49)
    reminders = [said for said in here.channel_texts(table) if "your time runs out <t:" in said]
    cleo, dev, eve = (f"<@{here.people[name].id}>" for name in ("cleo", "dev", "eve"))
    assert [said.split(", your")[0] for said in reminders] == [f"{cleo}, {dev}, and {eve}"]
    await here.advance(seconds=12)
    assert WINDOW_2 in here.read_board(table).text
    assert here.channel_texts(table) == []
    await here.advance(seconds=9)
    late = [(step.seat, step.action) for step in table.row.steps if step.by == "clock"]
    assert late == [(seat, "choose nothing") for seat in (2, 3, 4)]
    assert [chair.misses for chair in table.row.chairs] == [0] * 5
    (call,) = here.channel_texts(table)
    assert all(f"<@{here.people[name].id}>" in call for name in NAMES)


async def test_at_a_slow_table_each_player_is_reminded_once_in_waking_hours(here: World) -> None:
    """Ann goes to bed when most of the time that all have is not gone yet, and gets up when it is over.

    This includes a restart, and players who have already answered, to keep answers secret.
    """
    for name, hours in (("ann", MANILA), ("ben", BERLIN)):
        await set_working_hours(here, name, hours)
    table = await start_draw(here, pace="relaxed 20h")
    await show_nothing(here, table, "cleo")
    begun, reminded = here.clock(), dict[int, tuple[str, timedelta]]()
    for span in (11.5, 2, 2):
        await here.advance(hours=span)
        for each in here.channel_of(table).history():
            if "your time runs out" in each.content:
                name = here.name_of(int(each.content[2 : each.content.index(">")]))
                reminded.setdefault(each.id, (name, here.clock() - begun))
        if span == 11.5:
            await here.restart()
            table = await here.reload(table)
    assert sorted(name for name, _ in reminded.values()) == sorted(NAMES), "each once"
    assert table.row.deadline is not None
    assert table.row.deadline.remind_at is not None
    assert begun + dict(reminded.values())["ann"] < table.row.deadline.remind_at - timedelta(hours=1)


async def test_a_window_outlives_a_restart(here: World) -> None:
    table = await start_draw(here)
    await here.press_on("ann", await here.open_hand("ann", table), "Show A♣︎")
    seen, talk = here.read_board(table), here.channel_texts(table)
    await here.restart()
    table = await here.reload(table)
    assert here.channel_texts(table) == talk
    assert here.read_board(table) == seen
    assert f"You answered: Show A♣︎. {CHANGE_UNTIL}" in plain_text(await here.open_hand("ann", table))
    await show_nothing(here, table, *OTHERS)
    assert "Shown: ann `A♣︎`." in here.read_board(table).text


async def test_a_live_draw_pings_nobody_advances_by_itself_and_accepts_clicks_one_round_late(here: World) -> None:
    table = await start_draw(here, "BA:evening")
    assert "round 1 of 22" in here.read_board(table).text
    assert "Everyone decides · ends <t:" in here.read_board(table).text
    opened = await here.open_hand("ben", table)
    assert "Your 1 card" in plain_text(opened)
    old = f"bg:{table.id}:choose:{table.moment}"
    for rounds in range(2, 6):
        await here.advance(seconds=6)
        assert f"round {rounds} of 22" in here.read_board(table).text
        assert f"Your {rounds} cards" in plain_text(opened)
        assert here.channel_texts(table) == []
        if rounds == 2:
            await here.forge(here.people["ben"], opened, old)
            assert question_to(here, table, "ben").given == ("nothing",)
    late = await here.forge(here.people["ben"], opened, old)
    assert "The game has moved on since that button was shown." in plain_text(late)
    assert not question_to(here, table, "ben").given


async def test_house_players_answer_without_edits_and_the_board_continues_after_a_restart(here: World) -> None:
    here.deal = CLUBS_SEED
    table = await here.start_table("ben", rules="BA:std")
    assert [step.by for step in table.row.steps] == ["house"] * 3
    assert "Everyone decides · ends <t:" in here.read_board(table).text
    await here.restart()
    table = await here.reload(table)
    for expected, asked in ((WINDOW_1, ("ann", "ben")), (WINDOW_2, ("ann",)), ("Last call to show an ace", ("ann",))):
        assert expected in here.read_board(table).text
        for name in asked:
            await here.press(name, table, "Don't show")


async def test_a_player_slower_than_a_round_can_still_queue_an_answer(here: World) -> None:
    table = await start_draw(here, "BA:evening")
    opened = await here.press_on("ben", await here.open_hand("ben", table), DOTS)
    (target,) = (each for each in private_reply(opened).selects if ":order:" in each)
    assert target == f"bg:{table.id}:order:1"
    await here.advance(seconds=6)
    assert opened.response
    await here.people["ben"].select(opened.response.message, ["silent"], custom_id=target)
    await here.settle()
    assert question_to(here, table, "ben").standing == ("silent",)
    assert "You queued:\n- After the draw, never show the other Big Ace" in plain_text(opened)


async def test_house_players_answer_after_a_restart(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table("ben", rules="BA:std")
        await show_nothing(here, table, "ann")
        assert [step.by for step in table.row.steps] == ["person"]  # the house players take their time
        await here.restart(house_delay_seconds=0)
        table = await here.reload(table)
        await show_nothing(here, table, "ben")
        assert [step.by for step in table.row.steps].count("house") >= 3
        assert WINDOW_2 in here.read_board(table).text
