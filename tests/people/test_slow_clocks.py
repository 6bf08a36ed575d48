"""Slow tables: a clock runs only while its owner's day does, and nobody is too late asleep."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.pace import Pace, SeatTime
from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.rules.core.cards import cards
from bot.show.kit.words import words
from bot.show.table import paces
from bot.show.table.table_picture import filling
from bot.store.rows import TableRow
from bot.store.schema import standings
from bot.table.core.commands import CloseLobby, Pause, RecomputeDeadline, Resume
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.people.test_options import menu_of
from tests.support.message_text import private
from tests.support.world import SHORT_HANDS, World, world

HOUR = timedelta(hours=1)
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
MORNING = datetime(2026, 1, 1, tzinfo=UTC)  # when a world begins: it is 8 in Manila, and 1 at night in Berlin
MANILA, BERLIN = Hours(LONG_AGO, "Asia/Manila", bed=22, night=8), Hours(LONG_AGO, "Europe/Berlin", bed=23, night=8)


async def lives(here: World, name: str, *hours: Hours, **more: Any) -> None:
    """Let a player have such days."""
    user = here.people[name].id
    await here.parts.store.people.save_working_hours(user, WorkSchedule(hours, **more))


async def kept(here: World, table: Table) -> TableRow:
    """The table as the store has it."""
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    return row


async def due(here: World, table: Table) -> datetime:
    """When a player is too late."""
    deadline = (await kept(here, table)).deadline
    assert deadline is not None
    return deadline.at


async def waits_for_ben(here: World, pace: str, *hours: Hours, **more: Any) -> Table:
    """Start a match with Ben to move, with these days."""
    await lives(here, "ben", *hours, **more)
    table = await here.start_table("ben", "cleo", "dev", pace=pace)
    await here.play("ann", table, cards("3d 3c"))
    return table


async def test_a_clock_stands_still_while_its_owner_sleeps(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h", MANILA)
    assert await due(here, table) == MORNING + 28 * HOUR  # 14 hours until bedtime, 8 of sleep, 6 more
    for _ in range(4):
        await here.later(hours=6.75)
    await here.later(hours=1.1)
    assert await due(here, table) == MORNING + 48 * HOUR, "at the first move in a match there are 12 hours more"
    await here.later(hours=19)
    assert here.turn(await here.again(table)) == "ben"
    await here.later(hours=1)
    table = await here.again(table)
    assert here.turn(table) == "cleo"
    assert (await kept(here, table)).steps[-1].by == "clock"


async def test_who_acted_in_time_is_kept_with_the_result(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", seats=2, hands=1, pace="relaxed 20h")
    for _ in range(2):
        await here.later(hours=16.1)  # the first move has a grace of 12 hours
    table = await here.again(table)
    assert [step.seat for step in (await kept(here, table)).steps if step.by == "clock"] == [0]
    await here.play_hand(table)
    acted = Counter(step.seat for step in (await kept(here, table)).steps if step.by == "person")
    turns = {0: "0" + "1" * acted[0], 1: "1" * acted[1]}
    assert await turns_of(here, table) == turns
    await brought_up(here)
    assert await turns_of(here, table) == turns


async def test_a_seat_that_is_lost_at_once_was_a_turn_too_late(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", seats=2, hands=1, pace="relaxed 20h house")
    await here.later(hours=32.1)
    table = await here.again(table)
    assert table.row.chairs[0].away == "late"
    await here.play_hand(table)
    assert (await turns_of(here, table))[0] == "0"


async def brought_up(here: World) -> None:
    """Find out again what the step found out of old matches that brought the turns."""
    step = import_module("bot.store.migrations.versions.r0039_turns")

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(update(standings).values(turns=""))
        await connection.run_sync(step.look_through_all)

    await here.parts.store._gate.run(work)


async def turns_of(here: World, table: Table) -> dict[int, str]:
    """Turns in time, by seat."""

    async def work(connection: AsyncConnection) -> dict[int, str]:
        query = select(standings.c.seat, standings.c.turns).filter_by(table_id=table.id)
        return {row.seat: row.turns for row in await connection.execute(query)}

    return await here.parts.store._gate.run(work)


async def test_at_the_first_move_there_is_more_time_once(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h")
    await here.later(hours=20.1)
    said = "It's ben's first move in this match, so they get 12 hours more."
    assert here.talk(await here.again(table)).count(said) == 1
    await here.restart()
    await here.later(hours=11)
    assert here.turn(await here.again(table)) == "ben"
    await here.later(hours=1)
    table = await here.again(table)
    assert here.turn(table) == "cleo"
    assert here.talk(table).count(said) == 1


async def test_the_reminder_comes_when_four_fifths_of_the_waking_time_are_gone(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h", MANILA)
    await here.later(hours=23.9)
    assert not any("your time runs out" in said for said in here.talk(await here.again(table)))
    await here.later(hours=0.2)
    assert any("your time runs out" in said for said in here.talk(await here.again(table)))


async def test_what_is_not_used_at_a_daily_table_is_kept_up_to_its_cap(here: World) -> None:
    table = await waits_for_ben(here, "daily 24h+6h", MANILA)
    assert await due(here, table) == MORNING + 32 * HOUR
    await here.later(hours=13)
    await here.play("ben", await here.again(table), cards("5d 5c"))
    (ben, cleo) = (await kept(here, table)).times
    assert (ben.seat, ben.since) == (1, None)
    assert timedelta(hours=16.9) < ben.left < timedelta(hours=17.1)  # 24, less 13, and 6 more
    assert cleo.left == 24 * HOUR
    await here.pass_("cleo", await here.again(table))
    assert SeatTime(2, 24 * HOUR) not in (await kept(here, table)).times, "who has all there is stands nowhere"


async def test_whoever_is_out_of_time_has_what_a_move_adds(here: World) -> None:
    table = await waits_for_ben(here, "daily 24h+6h")
    await here.later(hours=24.1)
    await here.later(hours=12)
    table = await here.again(table)
    assert here.turn(table) == "cleo"
    assert SeatTime(1, 6 * HOUR) in (await kept(here, table)).times


async def test_days_off_and_vacations_count_for_nobody(here: World) -> None:
    thursday = Hours(LONG_AGO, "Asia/Manila", bed=22, night=8, off=(3,))
    away = (Vacation(date(2026, 1, 2), date(2026, 1, 3)),)
    table = await waits_for_ben(here, "relaxed 8h", thursday, vacations=away)
    assert await due(here, table) == datetime(2026, 1, 4, 14 - 8, tzinfo=UTC)


async def test_a_table_may_refuse_vacations(here: World) -> None:
    await lives(here, "ben", MANILA, vacations=(Vacation(date(2026, 1, 1), date(2026, 1, 3)),))
    table = await here.open_table(pace="relaxed 8h away")
    assert "Vacations don't stop the clock here." in here.read(table).text
    for name in ("ben", "cleo", "dev"):
        await here.press(name, table, "Join")
    await here.press("ann", table, "Start")
    await here.play("ann", table, cards("3d 3c"))
    assert await due(here, table) == MORNING + 8 * HOUR


async def test_an_outage_by_day_is_given_back_and_one_by_night_was_nobody_s(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h", MANILA)
    await here.stop()
    await here.later_without_bot(hours=16)  # until two hours after bedtime
    await here.start()
    assert await due(here, await here.again(table)) == datetime(2026, 1, 3, 2, tzinfo=UTC)  # from 6 on
    await here.later(hours=1)
    assert here.turn(await here.again(table)) == "ben"


async def test_a_clock_that_is_a_day_ahead_and_goes_back_does_nothing_twice_and_leaves_nothing_out(here: World) -> None:
    slow, live = await waits_for_ben(here, "relaxed 20h", MANILA), await here.start_table("ben", "cleo", "dev")
    before = await due(here, slow)
    here.clock.ahead = timedelta(days=1)
    await here.later(seconds=61)
    assert [len((await kept(here, table)).steps) for table in (slow, live)] == [1, 0]
    here.clock.ahead = timedelta()
    await here.later(seconds=61)
    assert abs(await due(here, slow) - before) < 3 * timedelta(minutes=1)
    assert len((await kept(here, live)).steps) == 0
    await here.later(seconds=121)
    assert len((await kept(here, live)).steps) == 1


async def test_other_hours_work_from_the_next_day_on_also_for_a_clock_that_runs(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h")
    assert await due(here, table) == MORNING + 20 * HOUR
    user = here.people["ben"].id
    day = (await here.parts.store.people.days([user]))[user].with_hours(MANILA, here.env.now())
    await here.parts.store.people.save_working_hours(user, day)
    await (await here.again(table)).do(RecomputeDeadline())
    assert await due(here, table) == MORNING + 26 * HOUR  # the night from midnight on


async def test_while_a_moderator_has_paused_no_time_goes_by(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h", MANILA)
    await here.later(hours=10)
    table = await here.again(table)
    mod = Moderator(here.owner, "Mod")
    await table.do(Pause(mod))
    await here.later(hours=30)  # until midnight
    table = await here.again(table)
    await table.do(Resume(mod))
    assert await due(here, table) == MORNING + 56 * HOUR  # ten hours more, from 6 on


async def test_everybody_who_is_asked_at_the_same_time_has_had_the_time(here: World) -> None:
    await lives(here, "ben", BERLIN)
    here.arrive("eve")
    table = await here.start_table("ben", "cleo", "dev", "eve", rules="BA:std", pace="relaxed 8h")
    assert table.match is not None
    assert table.match.game.secrecy.together
    assert await due(here, table) == MORNING + 10 * HOUR  # half of it, from when Ben gets up at 7


async def test_the_board_says_when_time_is_up_to_the_hour_unless_somebody_lets_others_see_it(here: World) -> None:
    berlin = Hours(LONG_AGO, "Europe/Berlin", bed=23, night=8)
    await here.later(minutes=7)
    table = await waits_for_ben(here, "relaxed 8h", berlin)
    exact = int((await due(here, table)).timestamp())
    assert exact == int((MORNING + 14 * HOUR).timestamp())
    shown = here.read(table).text
    assert f"<t:{exact}:R>" in shown
    assert "asleep" not in shown


async def test_who_lets_others_see_it_is_asleep_until_then(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, shares_day=True)
    table = await waits_for_ben(here, "relaxed 8h", BERLIN)
    assert f"ben is asleep until <t:{int((MORNING + 6 * HOUR).timestamp())}:R>" in here.read(table).text


async def test_a_board_says_no_more_that_somebody_sleeps_once_they_are_up(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, shares_day=True)
    table = await waits_for_ben(here, "relaxed 8h", BERLIN)
    await here.later(hours=5.9)
    assert "ben is asleep" in here.read(await here.again(table)).text
    await here.later(minutes=9)
    assert "ben is asleep" not in here.read(await here.again(table)).text


async def test_at_a_live_table_nobody_reads_when_somebody_sleeps(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, shares_day=True)
    table = await waits_for_ben(here, "live", BERLIN)
    assert "asleep" not in here.read(table).text
    assert await due(here, table) - here.env.now() < HOUR, "and the clock runs"


async def test_a_restart_loses_no_time_and_gives_none(here: World) -> None:
    table = await waits_for_ben(here, "daily 24h+6h", MANILA)
    await here.later(hours=5)
    before = await kept(here, table)
    await here.restart()
    assert (await kept(here, await here.again(table))).times == before.times
    assert (await due(here, table)) == MORNING + 32 * HOUR


async def test_a_live_table_has_a_reserve(tmp_path: Path) -> None:
    async with world(tmp_path, live_reserve_seconds=60) as here:
        table = await here.open_table()
        assert "Live: 2 minutes a move, 1 minute in reserve" in here.read(table).text
        for name in ("ben", "cleo", "dev"):
            await here.press(name, table, "Join")
        await here.press("ann", table, "Start")
        await here.later(seconds=150)
        await here.play("ann", table, cards("3d 3c"))
        assert table.row.times == (SeatTime(0, timedelta(seconds=30)),)
        for name in ("ben", "cleo", "dev"):
            await here.pass_(name, table)
        await here.later(seconds=149)
        assert here.turn(table) == "ann"
        await here.later(seconds=2)
        assert (await kept(here, table)).steps[-1].by == "clock"
        assert table.row.times == (SeatTime(0, timedelta()),)


async def test_2_7_the_reserve_is_named_wherever_the_time_for_a_move_is(tmp_path: Path) -> None:
    async with world(tmp_path, live_reserve_seconds=60) as here:
        table = await here.open_table()
        assert "Live: 2 minutes a move, 1 minute in reserve" in here.read(table).text
        assert "2 minutes a move, 1 minute in reserve" in filling(table.scene(None), words("en")).alt_text
        for name in ("ben", "cleo", "dev"):
            await here.press(name, table, "Join")
        await here.press("ann", table, "Start")
        whole, half = ("incl. 1 minute reserve", "incl. 30 seconds reserve")
        assert re.search(rf"\*\*ann\*\* to play · ends <t:\d+:R> \({whole}\)", here.read(table).text)
        own = private(await here.open_hand("ann", table)).text
        assert re.search(rf"### Your turn · ends <t:\d+:R>\n-# {whole}\n", own)
        assert whole in (await here.slash("ann", "desk")).text
        await here.later(seconds=150)
        await here.play("ann", table, cards("3d 3c"))
        assert whole in here.read(table).text, "of ben, who has all of it"
        for name in ("ben", "cleo", "dev"):
            await here.pass_(name, table)
        assert half in here.read(table).text, "as much as ann has left"
        await here.later(seconds=151)
        for name in ("ben", "cleo", "dev"):
            await here.pass_(name, table)
        assert "**ann** to play · ends <t:" in here.read(table).text
        assert "reserve" not in here.read(table).text, "she has none any more"


async def test_2_7_at_a_daily_table_all_the_time_is_a_reserve(here: World) -> None:
    lobby = await here.open_table(pace="daily 24h+6h")
    assert "1 day in total, each move adds 6 hours" in filling(lobby.scene(None), words("en")).alt_text
    await lobby.do(CloseLobby(here.ann.id))
    table = await waits_for_ben(here, "daily 24h+6h", MANILA)
    assert re.search("ends <t:\\d+:R>, reserve included", here.read(table).text)


async def test_2_7_a_relaxed_table_has_no_reserve(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 8h", MANILA)
    assert "reserve" not in here.read(table).text


@pytest.mark.parametrize(
    ("pace", "called"),
    [
        ("live", "Live"),
        ("live 90s", "Live: 90 seconds per move and the usual reserve"),
        ("live 90s+2m", "Live: 90 seconds a move, 2 minutes in reserve"),
        ("live 90s+0s", "Live: 90 seconds a move"),
        ("relaxed 8h", "Relaxed: 8 hours a move"),
        ("daily 4d+12h", "A move a day: 4 days in total, each move adds 12 hours"),
        ("none", "No clock"),
    ],
)
def test_2_7_a_pace_is_called_by_its_times_and_understood_as_it_is_called(pace: str, called: str) -> None:
    meant = paces.parse_pace(pace)
    assert meant is not None
    assert paces.name(meant, words("en")) == called
    assert str(paces.parse_pace(called)) in (str(meant), str(meant).replace("+0d", "")), (
        "nothing in reserve is not typed"
    )


# Who is late, and more time


async def test_two_who_agree_do_not_hold_up_all_others_for_ever(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 8h house")
    more = "+12 hours for ben"
    for _ in range(3):
        await here.press_behind("ann", await here.open_hand("ann", table), more)
        await here.later(hours=11.9)
        table = await here.again(table)
    refused = await here.press_behind("ann", await here.open_hand("ann", table), more)
    assert "ben has all the extra time one move can get." in private(refused).text
    await here.later(hours=9)
    assert (await here.again(table)).row.chairs[1].house


async def test_time_that_was_given_outlives_a_restart(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 8h house")
    await here.press_behind("ann", await here.open_hand("ann", table), "+12 hours for ben")
    before = await due(here, table)
    await here.restart()
    table = await here.again(table)
    assert await due(here, table) == before == MORNING + 20 * HOUR
    await here.restart()
    assert here.talk(await here.again(table)).count("ann gives ben 12 hours more.") == 1


async def test_nobody_is_reminded_twice_by_a_restart_where_nobody_is_too_late(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 8h nudge")
    await here.later(hours=8.1)
    until = await due(here, await here.again(table))
    assert until > MORNING + 15 * HOUR
    await here.later(hours=6.5)
    (said,) = [said for said in here.talk(await here.again(table)) if "your time runs out" in said]
    await here.restart()
    await here.later(minutes=30)
    table = await here.again(table)
    assert await due(here, table) == until
    assert [told for told in here.talk(table) if "your time runs out" in told] == [said]


async def test_a_table_may_hand_a_seat_to_a_house_player_at_once(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 8h house")
    await here.later(hours=8.1)
    await here.later(hours=12)
    table = await here.again(table)
    assert table.row.chairs[1].house
    assert table.row.chairs[1].away == "late"
    assert any("ben ran out of time. A bot keeps the seat warm" in said for said in here.talk(table))


async def test_friends_are_never_flagged_where_they_want_it_so(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 8h nudge")
    reminded = set()
    for hours in (3.2, 3.2, 1.6) * 4:
        await here.later(hours=hours)
        reminded |= {said for said in here.talk(await here.again(table)) if "your time runs out" in said}
    table = await here.again(table)
    assert here.turn(table) == "ben"
    assert table.row.chairs[1].misses == 0
    assert len(reminded) == 4, "once in every eight hours"
    assert ", your turn: " in here.talk(table)[-1], "there are eight more from now on"


async def test_what_becomes_of_whoever_is_late_is_said_before_the_start(here: World) -> None:
    said = [here.read(await here.open_table(pace=f"relaxed 8h {late}")).text for late in ("pass", "house", "nudge")]
    assert "Late players pass; the second time in a row" in said[0]
    assert "If you're late, a bot takes over until you're back." in said[1]
    assert "Nobody's ever too late here; I just remind" in said[2]


async def test_an_opponent_gives_more_time_with_one_click(here: World) -> None:
    table = await waits_for_ben(here, "relaxed 20h", MANILA)
    shown = await here.open_hand("ann", table)
    refused = await here.press_behind("ann", shown, "+12 hours for ben")
    assert "There's plenty of time" in private(refused).text
    await here.later(hours=9)
    table = await here.again(table)
    await here.press_behind("ann", await here.open_hand("ann", table), "+12 hours for ben")
    assert (await due(here, table)) == MORNING + 48 * HOUR  # 32 hours of his days in all
    assert "ann gives ben 12 hours more." in here.talk(table)
    own = private(await here.press_behind("ben", await here.open_hand("ben", table)))
    assert not any("+12 hours for" in label for label in own.buttons)


# How it is agreed


async def test_a_pace_is_typed_as_people_write_it(here: World) -> None:
    for typed, pace in (
        ("slow", Pace("relaxed")),
        ("Daily 4d+12h", Pace("daily", move=timedelta(hours=12), reserve=timedelta(days=4))),
        ("悠闲 8小时", Pace("relaxed", move=timedelta(hours=8))),
        ("live 90 s + 30 s", Pace("live", move=timedelta(seconds=90), reserve=timedelta(seconds=30))),
    ):
        assert (await here.open_table(pace=typed)).row.pace == pace, typed


async def test_a_pace_that_is_none_opens_nothing(here: World) -> None:
    for typed in ("quick", "relaxed 8 parsecs", "live 1s", "daily 99d+8h", "none 8h", "daily 1h+1h+1h"):
        assert "Choose one from the list, or write it like" in (await here.slash("ann", "deal", pace=typed)).text, typed
        assert await here.parts.store.tables.open_tables() == (), typed


async def test_other_times_are_filled_in(here: World) -> None:
    table = await here.open_table()
    menu = await menu_of(here, table)
    await menu.press("More…")
    await menu.fill("Other times…", kind="daily", move="12 h", reserve="3d", away="openly", late="house")
    assert table.row.pace == Pace("daily", move=12 * HOUR, reserve=timedelta(days=3), vacations=False, late="house")
    assert "A move a day: 3 days in total, each move adds 12 hours" in here.read(table).text
    page = await menu.fill("Other times…", kind="relaxed", move="5", reserve="", away="stops", late="pass")
    assert "Does 5 mean 5 days or 5 hours?" in page.text
    page = await menu.fill("Other times…", kind="relaxed", move="5'", reserve="", away="stops", late="pass")
    assert "What is ' in 5'?" in page.text
    page = await menu.fill("Other times…", kind="live", move="3 h", reserve="", away="stops", late="pass")
    assert "Live: 20 seconds to 10 minutes a move" in page.text


@pytest.mark.parametrize(("pace", "asked"), [("live", False), ("live asked", True)])
async def test_a_table_may_want_everybody_to_be_asked(here: World, pace: str, *, asked: bool) -> None:
    here.deal = SHORT_HANDS
    lobby = await here.open_table(pace=pace)
    assert ("Players with too few cards to beat a play are asked, too." in here.read(lobby).text) is asked
    await lobby.do(CloseLobby(here.ann.id))
    table = await here.start_table("ben", "cleo", pace=pace, rules="B2:pagat")
    await here.play_hand(table)
    assert any(step.by == "order" for step in table.row.steps) is not asked


async def test_before_five_matches_it_takes_as_long_as_was_measured(here: World) -> None:
    for hands, said in ((1, "A match takes about 4 days."), (4, "A match takes about 2 weeks.")):
        lobby = await here.open_table(pace="relaxed", hands=hands)
        assert said in here.read(lobby).text


async def test_a_match_takes_as_long_as_five_matches_here_took(here: World) -> None:
    here.deal = SHORT_HANDS
    lobby = await here.open_table(pace="none", hands=2)
    await lobby.do(CloseLobby(here.ann.id))
    for _ in range(5):
        table = await here.start_table("ben", hands=1, pace="relaxed")
        await here.later(hours=20)
        await here.play_hand(await here.again(table))
    lobby = await here.open_table(pace="relaxed", hands=2)
    assert "A match takes about" in here.read(lobby).text
    assert lobby.scene(None).terms.lasting is not None
