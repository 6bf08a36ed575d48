"""A slow table with all players present is played live for a while, without loss for any player."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.domain.pace import Pace
from bot.table.table import Table
from tests.support.message_text import private
from tests.support.world import OUTSIDE, SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

SLOW = Pace.read("relaxed 8h")
BACK = "Back to our own pace"


async def all_there(here: World, **options: Any) -> Table:
    """Let Ann, Ben and Cleo play one after the other at a slow table."""
    table = await here.start_table("ben", "cleo", pace="relaxed 8h", **options)
    await here.lay("ann", table, "3d")
    while len({step.seat for step in table.row.steps if step.by == "person"}) < 3:
        await here.act(here.turn(table) or "", table)
    return table


def offer(here: World, table: Table) -> str | None:
    """What the board offers."""
    return next((label for label in here.read(table).buttons if label.startswith("Play live?")), None)


async def live(here: World, **options: Any) -> Table:
    """Let them all agree to play live."""
    table = await all_there(here, **options)
    for count, name in enumerate(("ann", "ben", "cleo")):
        await here.press(name, table, f"Play live? {count} of 3 agree")
    return table


async def test_all_agree_and_the_table_is_live(here: World) -> None:
    table = await all_there(here)
    assert offer(here, table) == "Play live? 0 of 3 agree"
    await here.press("ben", table, "Play live? 0 of 3 agree")
    await here.press("ben", table, "Play live? 1 of 3 agree")
    assert offer(here, table) == "Play live? 1 of 3 agree", "nobody counts twice"
    assert not any(chair.quick for chair in table.scene(here.ann.id).chairs), "and nobody sees who has agreed"
    refused = private(await here.press("dev", table, "Play live? 1 of 3 agree"))
    assert refused.text.startswith(OUTSIDE)
    await here.press("ann", table, "Play live? 1 of 3 agree")
    await here.press("cleo", table, "Play live? 2 of 3 agree")
    assert (table.row.pace.kind, table.row.own_pace) == ("live", SLOW)
    assert here.talk(table)[-1].endswith("Being late costs nothing.")
    deadline = table.row.deadline
    assert deadline is not None
    assert deadline.at - here.env.now() <= timedelta(minutes=2)
    assert offer(here, table) is None


async def test_an_open_hand_says_at_once_that_there_is_another_time_for_the_move(here: World) -> None:
    table = await all_there(here)
    turn, deadline = here.turn(table), table.row.deadline
    assert deadline is not None
    shown = {name: await here.open_hand(name, table) for name in ("ann", "ben", "cleo")}
    slow = f"<t:{int(deadline.at.timestamp())}:R>"
    assert all(slow in private(hand).text for hand in shown.values())
    for count, name in enumerate(shown):
        await here.press(name, table, f"Play live? {count} of 3 agree")
    assert not any(slow in private(hand).text for hand in shown.values())
    assert here.turn(table) == turn


async def test_nothing_is_offered_where_somebody_takes_their_time(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="relaxed 8h")
    await here.lay("ann", table, "3d")
    await here.later(minutes=5)
    while len({step.seat for step in table.row.steps if step.by == "person"}) < 3:
        await here.act(here.turn(table) or "", table)
    assert offer(here, table) is None


async def test_who_sits_in_for_somebody_is_there_once_they_have_played_themselves(here: World) -> None:
    table = await all_there(here)
    assert offer(here, table) == "Play live? 0 of 3 agree"
    away = next(name for name in ("ben", "cleo") if here.turn(table) != name)
    await here.press_on(away, await here.press(away, table, "Leave"), "Offer my seat")
    await here.press("dev", table, f"Take over for {away}")
    assert offer(here, table) is None
    here.people[away] = here.people["dev"]
    while offer(here, table) is None:
        turn = here.turn(table)
        await here.act("dev" if turn == away else turn or "", table)
    assert "dev" in [chair.name for chair in table.row.chairs if table.row.steps[-1].seat == chair.seat]


async def test_one_tap_ends_it_and_each_clock_is_as_it_was(here: World) -> None:
    table = await live(here)
    before = {time.seat: time.left for time in table.row.times}
    assert not any(time.since for time in table.row.times)
    await here.later(seconds=50)
    await here.press("ben", table, BACK)
    assert table.row.pace == SLOW
    after = {time.seat: time.left for time in table.row.times}
    assert after == before
    assert sum(time.since is not None for time in table.row.times) == 1
    deadline = table.row.deadline
    assert deadline is not None
    assert deadline.at - here.env.now() > timedelta(hours=7)
    assert here.talk(table)[-1].endswith("Everyone has the same time left as before.")


async def test_who_has_said_so_has_said_so_after_a_restart_as_well(here: World) -> None:
    table = await all_there(here)
    await here.press("ann", table, "Play live? 0 of 3 agree")
    await here.restart()
    table = await here.again(table)
    for count, name in enumerate(("ben", "cleo"), 1):
        await here.press(name, table, f"Play live? {count} of 3 agree")
    assert table.row.pace.kind == "live"


async def test_whoever_goes_away_ends_it_and_has_not_been_late(here: World) -> None:
    table = await live(here)
    ply = table.state.ply
    await here.later(minutes=2, seconds=5)
    assert (table.row.pace.kind, table.state.ply) == ("live", ply)
    await here.restart()
    table = await here.again(table)
    await here.later(minutes=2, seconds=5)
    assert (table.row.pace, table.state.ply) == (SLOW, ply)
    assert not any(chair.misses or chair.house for chair in table.row.chairs[:3])


async def test_a_match_that_ends_meanwhile_was_played_at_its_own_pace(here: World) -> None:
    table = await live(here, hands=1)
    await here.play_hand(table)
    kept = await here.parts.store.tables.load(table.id)
    assert kept is not None
    assert (kept.phase, kept.pace) == ("over", SLOW)


async def test_what_somebody_has_agreed_to_lapses(here: World) -> None:
    table = await all_there(here)
    await here.press("ann", table, "Play live? 0 of 3 agree")
    await here.later(minutes=10)
    while offer(here, table) is None or table.row.steps[-1].at < here.env.now() - timedelta(minutes=1):
        await here.act(here.turn(table) or "", table)
    assert offer(here, table) == "Play live? 0 of 3 agree"
