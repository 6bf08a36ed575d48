"""Slow tables: a clock runs only in its owner's waking hours."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.domain.pace import Pace, SeatTime
from bot.domain.working_hours import Hours, WorkSchedule
from bot.rules.core.cards import cards
from bot.show.kit.words import words
from bot.show.table import paces
from bot.store.repositories import results
from bot.store.rows import TableRow
from bot.store.schema import standings
from bot.table.table import Table
from tests.people.test_options import open_options
from tests.support.message_text import private_reply
from tests.support.world import SHORT_DUEL, World, world

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
MORNING = datetime(2026, 1, 1, tzinfo=UTC)  # when a world begins: it is 8 in Manila, and 1 at night in Berlin
MANILA, BERLIN = Hours(LONG_AGO, "Asia/Manila", bed=22, night=8), Hours(LONG_AGO, "Europe/Berlin", bed=23, night=8)


async def set_working_hours(here: World, name: str, *hours: Hours, **more: Any) -> None:
    """Store the working hours of a player."""
    user = here.people[name].id
    await here.parts.store.people.save_working_hours(user, WorkSchedule(hours, **more))


async def stored_table(here: World, table: Table) -> TableRow:
    """The table as the store has it."""
    row = await here.parts.store.tables.load(table.id)
    assert row is not None
    return row


async def deadline_of(here: World, table: Table) -> datetime:
    """When a player is too late."""
    deadline = (await stored_table(here, table)).deadline
    assert deadline is not None
    return deadline.at


async def start_awaiting_ben(here: World, pace: str, *hours: Hours, **more: Any) -> Table:
    """Start a match with Ben to move, with these days."""
    await set_working_hours(here, "ben", *hours, **more)
    table = await here.start_table("ben", "cleo", pace=pace)
    await here.play("ann", table, cards("3d 3c"))
    return table


async def test_a_clock_stands_still_while_its_owner_sleeps(here: World) -> None:
    table = await start_awaiting_ben(here, "relaxed 20h", MANILA)
    assert await deadline_of(here, table) == MORNING + 28 * HOUR  # 14 hours until bedtime, 8 of sleep, 6 more
    for _ in range(4):
        await here.advance(hours=6.75)
    await here.advance(hours=1.1)
    assert await deadline_of(here, table) == MORNING + 48 * HOUR, "at the first move in a match there are 12 hours more"
    await here.restart()
    await here.advance(hours=19)
    assert here.current_player(await here.reload(table)) == "ben"
    await here.advance(hours=1)
    table = await here.reload(table)
    assert here.current_player(table) == "cleo"
    grace = "It's ben's first move in this match, so they get 12 hours more."
    assert here.channel_texts(table).count(grace) == 1
    assert (await stored_table(here, table)).steps[-1].by == "clock"


async def test_timeliness_is_stored_with_the_result(here: World) -> None:
    here.deal = SHORT_DUEL
    table = await here.start_table("ben", seats=2, hands=1, pace="relaxed 20h")
    for _ in range(2):
        await here.advance(hours=16.1)  # the first move has a grace of 12 hours
    table = await here.reload(table)
    assert [step.seat for step in (await stored_table(here, table)).steps if step.by == "clock"] == [0]
    await here.play_hand(table)
    acted = Counter(step.seat for step in (await stored_table(here, table)).steps if step.by == "person")
    turns = {0: "0" + "1" * acted[0], 1: "1" * acted[1]}
    assert await timely_turns(here, table) == turns
    await recompute_turns(here)
    assert await timely_turns(here, table) == turns


async def test_a_seat_lost_at_once_counts_as_a_late_turn(here: World) -> None:
    here.deal = SHORT_DUEL
    table = await here.start_table("ben", seats=2, hands=1, pace="relaxed 20h house")
    await here.advance(hours=32.1)
    table = await here.reload(table)
    assert table.row.chairs[0].away == "late"
    await here.play_hand(table)
    assert (await timely_turns(here, table))[0] == "0"


async def recompute_turns(here: World) -> None:
    """Find out again what the step found out of old matches that brought the turns."""
    step = import_module("bot.store.migrations.versions.r0039_turns")

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(update(standings).values(turns=""))
        await connection.run_sync(step.look_through_all)

    await here.parts.store._gate.run(work)


async def timely_turns(here: World, table: Table) -> dict[int, str]:
    """Turns in time, by seat."""

    async def work(connection: AsyncConnection) -> dict[int, str]:
        query = select(standings.c.seat, standings.c.turns).filter_by(table_id=table.id)
        return {row.seat: row.turns for row in await connection.execute(query)}

    return await here.parts.store._gate.run(work)


async def test_downtime_is_restored_for_waking_hours_only(here: World) -> None:
    table = await start_awaiting_ben(here, "relaxed 20h", MANILA)
    await here.stop()
    await here.pass_time_without_bot(hours=16)  # until two hours after bedtime
    await here.start()
    assert await deadline_of(here, await here.reload(table)) == datetime(2026, 1, 3, 2, tzinfo=UTC)  # from 6 on
    await here.advance(hours=1)
    assert here.current_player(await here.reload(table)) == "ben"


async def test_a_clock_set_a_day_ahead_and_back_skips_and_repeats_nothing(here: World) -> None:
    slow, live = await start_awaiting_ben(here, "relaxed 20h", MANILA), await here.start_table("ben", "cleo", "dev")
    before = await deadline_of(here, slow)
    here.clock.ahead = timedelta(days=1)
    await here.advance(seconds=61)
    assert [len((await stored_table(here, table)).steps) for table in (slow, live)] == [1, 0]
    here.clock.ahead = timedelta()
    await here.advance(seconds=61)
    assert abs(await deadline_of(here, slow) - before) < 3 * timedelta(minutes=1)
    assert len((await stored_table(here, live)).steps) == 0
    await here.advance(seconds=121)
    assert len((await stored_table(here, live)).steps) == 1


async def test_a_board_stops_showing_asleep_when_the_player_wakes(here: World) -> None:
    await here.parts.preferences.change(here.people["ben"].id, shares_day=True)
    table = await start_awaiting_ben(here, "relaxed 8h", BERLIN)
    await here.advance(hours=5.9)
    assert "ben is asleep" in here.read_board(await here.reload(table)).text
    await here.advance(minutes=9)
    assert "ben is asleep" not in here.read_board(await here.reload(table)).text


async def test_a_restart_neither_adds_nor_removes_time(here: World) -> None:
    table = await start_awaiting_ben(here, "daily 24h+6h", MANILA)
    await here.advance(hours=5)
    before = await stored_table(here, table)
    await here.restart()
    assert (await stored_table(here, await here.reload(table))).times == before.times
    assert (await deadline_of(here, table)) == MORNING + 32 * HOUR


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
def test_2_7_a_pace_name_shows_its_times_and_parses_back(pace: str, called: str) -> None:
    meant = paces.parse_pace(pace)
    assert meant is not None
    assert paces.name(meant, words("en")) == called
    assert str(paces.parse_pace(called)) in (str(meant), str(meant).replace("+0d", "")), (
        "nothing in reserve is not typed"
    )


# Who is late, and more time


async def test_time_granted_by_an_opponent_survives_a_restart(here: World) -> None:
    table = await start_awaiting_ben(here, "relaxed 8h house")
    await here.press_in_menu("ann", await here.open_hand("ann", table), "+12 hours for ben")
    before = await deadline_of(here, table)
    plenty = await here.press_in_menu("ann", await here.open_hand("ann", table), "+12 hours for ben")
    assert "There's plenty of time" in private_reply(plenty).text
    own = private_reply(await here.press_in_menu("ben", await here.open_hand("ben", table)))
    assert not any("+12 hours for" in label for label in own.buttons)
    for _ in range(2):
        await here.restart()
        table = await here.reload(table)
        assert await deadline_of(here, table) == before == MORNING + 20 * HOUR
    assert here.channel_texts(table).count("ann gives ben 12 hours more.") == 1


async def test_a_restart_repeats_no_reminder_at_a_nudge_table(here: World) -> None:
    table = await start_awaiting_ben(here, "relaxed 8h nudge")
    await here.advance(hours=8.1)
    until = await deadline_of(here, await here.reload(table))
    assert until > MORNING + 15 * HOUR
    await here.advance(hours=6.5)
    (said,) = [said for said in here.channel_texts(await here.reload(table)) if "your time runs out" in said]
    await here.restart()
    await here.advance(minutes=30)
    table = await here.reload(table)
    assert await deadline_of(here, table) == until
    assert [told for told in here.channel_texts(table) if "your time runs out" in told] == [said]


# How it is agreed


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("slow", Pace("relaxed")),
        ("Daily 4d+12h", Pace("daily", move=12 * HOUR, reserve=4 * DAY)),
        ("悠闲 8小时", Pace("relaxed", move=8 * HOUR)),
        ("live 90 s + 30 s", Pace("live", move=timedelta(seconds=90), reserve=timedelta(seconds=30))),
        *((typed, None) for typed in ("quick", "relaxed 8 parsecs", "live 1s", "daily 99d+8h", "none 8h")),
        ("daily 1h+1h+1h", None),
    ],
)
def test_a_typed_pace_is_parsed(typed: str, meant: Pace | None) -> None:
    assert paces.parse_pace(typed) == meant


async def test_a_table_opens_at_a_typed_pace_and_an_invalid_one_is_refused(here: World) -> None:
    assert "Choose one from the list, or write it like" in (await here.slash("ann", "deal", pace="quick")).text
    assert await here.parts.store.tables.open_tables() == ()
    assert (await here.open_table(pace="悠闲 8小时")).row.pace == Pace("relaxed", move=8 * HOUR)


async def test_the_operators_live_reserve_is_shown_and_used_up(tmp_path: Path) -> None:
    async with world(tmp_path, live_reserve_seconds=60) as here:
        table = await here.start_table("ben", seats=2)
        whole = "incl. 1 minute reserve"
        assert whole in here.read_board(table).text
        assert f"\n-# {whole}\n" in private_reply(await here.open_hand("ann", table)).text
        assert whole in (await here.slash("ann", "desk")).text
        await here.advance(seconds=179)
        assert here.current_player(table) == "ann"
        await here.advance(seconds=2)
        assert (await stored_table(here, table)).steps[-1].by == "clock"
        assert table.row.times == (SeatTime(0, timedelta()),)


async def test_custom_times_are_entered_in_a_form(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.press("More…")
    await menu.fill("Other times…", kind="daily", move="12 h", reserve="3d", away="openly", late="house")
    assert table.row.pace == Pace(
        "daily", move=12 * HOUR, reserve=timedelta(days=3), vacations=False, on_timeout="house"
    )
    assert "A move a day: 3 days in total, each move adds 12 hours" in here.read_board(table).text
    page = await menu.fill("Other times…", kind="relaxed", move="5", reserve="", away="stops", late="pass")
    assert "Does 5 mean 5 days or 5 hours?" in page.text
    page = await menu.fill("Other times…", kind="relaxed", move="5'", reserve="", away="stops", late="pass")
    assert "What is ' in 5'?" in page.text
    page = await menu.fill("Other times…", kind="live", move="3 h", reserve="", away="stops", late="pass")
    assert "Live: 20 seconds to 10 minutes a move" in page.text


async def test_the_estimated_duration_follows_local_matches(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MIN_TIMED_MATCHES", 1)
    here.deal = SHORT_DUEL
    table = await here.start_table("ben", seats=2, hands=1, pace="relaxed")
    await here.advance(hours=20)
    await here.play_hand(await here.reload(table))
    lobby = await here.open_table(pace="relaxed", hands=2)
    lasting = lobby.scene(None).terms.hand_duration
    assert lasting is not None
    assert "A match takes about" in here.read_board(lobby).text
