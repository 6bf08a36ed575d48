"""Rematches and starts: one at a time, however often players press, also once it is played; and who joined in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from bot.domain.working_hours import Hours, Vacation, WorkSchedule
from bot.interactions.flood_limits import OPENINGS
from bot.interactions.visit import FIRST_RESPONSE_LIMIT
from bot.show.kit.layout import DOTS
from bot.table.core.commands import Command, Join
from bot.table.table import Table
from tests.people.test_at_once import HeldCalls, run_ready_tasks
from tests.people.test_hand_end import finish_match
from tests.people.test_options import open_options
from tests.people.test_same_deals import open_shared_table
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SETTLE_TIMEOUT, SHORT_HANDS, World, world

DEAL = SHORT_HANDS  # whose cards do not matter


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open threads."""
    async with world(tmp_path, threads=True) as made:
        yield made


async def only_open_table(here: World) -> Table:
    """Return the one table that is open."""
    (number,) = await here.parts.store.tables.open_tables()
    return await here.parts.tables.get(number)


def seated_persons(table: Table) -> list[str]:
    """Return the names of the persons at a table."""
    return [chair.name for chair in table.row.chairs if chair.user is not None]


def count_rematch_calls(here: World, former: Table) -> int:
    """Count how often all were told of a rematch."""
    return sum("wants a rematch" in text for text in here.channel_texts(former))


# Rematch


async def test_repeated_or_simultaneous_clicks_open_one_rematch(
    here: World,
) -> None:
    first = await finish_match(here, "ben")
    await here.press("ann", first, "Rematch")
    await here.click_at_once([("ben", "Rematch"), ("ben", "Rematch")], here.board(first))
    second = await only_open_table(here)
    assert (second.stage, seated_persons(second), count_rematch_calls(here, first)) == ("playing", ["ann", "ben"], 1)
    await here.play_hand(second)
    await here.click_at_once([("ann", "Rematch"), ("ben", "Rematch"), ("ann", "Rematch")], here.board(second))
    third = await only_open_table(here)
    assert (third.stage, seated_persons(third)) == ("playing", ["ann", "ben"])
    assert count_rematch_calls(here, second) == 2, "once for each match"
    assert f"table {third.row.number}" in private_reply(await here.press("ben", first, "Rematch")).text
    assert await only_open_table(here) is third


@pytest.mark.rotates(2)
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_running_rematch_is_shown_and_no_other_opened(here: World, *, restarted: bool) -> None:
    first = await finish_match(here, "ben", "cleo")
    for name in ("ann", "ben"):
        await here.press(name, first, "Rematch")
    await here.press("ann", await only_open_table(here), "Play now")
    if restarted:
        await here.restart()
    first = await here.reload(first)
    again, said = await only_open_table(here), len(here.channel_texts(first))
    assert again.stage == "playing"
    assert "Your 13 cards" in private_reply(await here.press("ann", first, "Rematch")).text
    late = private_reply(await here.press("cleo", first, "Rematch")).text
    assert late == f"The rematch is on: Big Two, table 2 in <#{again.row.home}>."
    assert await only_open_table(here) is again
    assert len(here.channel_texts(first)) == said, "nobody is called"


async def test_a_finished_closed_or_deleted_rematch_permits_another(here: World) -> None:
    first = await finish_match(here, "ben")
    await here.press("ann", first, "Rematch")
    await here.press("ann", await only_open_table(here), "Close this table")
    await here.parts.store.notes.remember(f"rematch of table {first.id}", "987654")
    for name in ("ben", "ann"):
        await here.press(name, first, "Rematch")
    again = await only_open_table(here)
    assert again.stage == "playing"
    await here.play_hand(again)
    await here.press("ben", first, "Rematch")
    lobby = await only_open_table(here)
    assert (lobby.id > again.id, lobby.stage) == (True, "lobby")
    await here.press("ben", lobby, "Close this table")
    await here.press("ann", first, "Rematch")
    assert (await only_open_table(here)).id > lobby.id


async def test_rematches_from_two_end_cards_at_once_are_one(here: World) -> None:
    first = await finish_match(here, "ben")
    for name in ("ann", "ben"):
        await here.press(name, first, "Rematch")
    second = await only_open_table(here)
    await here.play_hand(second)
    await here.click_each([("ann", here.board(first), "Rematch"), ("ben", here.board(second), "Rematch")])
    assert seated_persons(await only_open_table(here)) == ["ann", "ben"]


async def test_a_refused_player_does_not_block_the_rematch_of_another(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await finish_match(here, "ben")
    for _ in range(OPENINGS.most):
        await here.parts.store.limits.take(OPENINGS, here.ann.id)
    here.pulse.hurried = True
    held = HeldCalls(monkeypatch, here.parts.store.notes, "recall")
    here.send_clicks([(name, here.board(first), "Rematch") for name in ("ann", "ben")])
    await run_ready_tasks()
    held.let_go.set()
    await here.settle()
    assert seated_persons(await only_open_table(here)) == ["ben"]


async def decline(here: World, name: str, former: Table) -> str:
    """Decline a rematch below its ping; return the reply."""
    (call,) = (each for each in here.channel_of(former).history() if "wants a rematch" in each.content)
    assert list(ParsedMessage.of(call).buttons) == ["Rematch", "Not this time"]
    told = private_reply(await here.people[name].click(call, label="Not this time")).text
    await here.settle()
    return told


async def test_a_rematch_does_not_wait_for_a_player_who_declined(here: World) -> None:
    first = await finish_match(here, "ben", "cleo")
    for name in ("ann", "ben"):
        await here.press(name, first, "Rematch")
    again = await only_open_table(here)
    assert again.stage == "lobby"
    assert await decline(here, "dev", first) == "You weren't asked, so there's nothing to turn down."
    assert await decline(here, "cleo", first) == "OK. Only the host sees it."
    assert (again.stage, seated_persons(again)) == ("playing", ["ann", "ben"])
    assert await decline(here, "cleo", first) == "This match has already started."


async def test_a_rematch_declined_by_all_others_waits_for_the_host(here: World) -> None:
    first = await finish_match(here, "ben", "cleo")
    await here.press("ann", first, "Rematch")
    for name in ("ben", "cleo"):
        await decline(here, name, first)
    again = await only_open_table(here)
    assert (again.stage, seated_persons(again)) == ("lobby", ["ann"])
    ben, cleo = (f"<@{here.people[name].id}>" for name in ("ben", "cleo"))
    assert f"Can't make it: {ben} and {cleo}." in private_reply(await here.press("ann", again, DOTS)).text


async def test_a_rematch_does_not_wait_for_absent_players(here: World) -> None:
    first = await finish_match(here, "ben", "cleo", "dev")
    dev, today = here.people["dev"].id, here.env.now().date()
    away = WorkSchedule((Hours(here.env.now(), "UTC"),), (Vacation(today, today + timedelta(days=3)),))
    await here.parts.store.people.save_working_hours(dev, away)
    here.guild.remove_member(here.people["cleo"])
    await here.advance(minutes=2)
    first = await here.reload(first)
    for name in ("ann", "ben"):
        await here.press(name, first, "Rematch")
    again = await only_open_table(here)
    assert (again.stage, seated_persons(again)) == ("playing", ["ann", "ben"])


async def test_seats_rotate_by_one_if_the_table_rotates(here: World) -> None:
    first = await here.start_table("ben", hands=1, pace="live rotate")
    before = [chair.name for chair in first.row.chairs]
    await here.play_hand(first)
    for name in ("ann", "ben"):
        await here.press(name, first, "Rematch")
    again = await only_open_table(here)
    assert [chair.name for chair in again.row.chairs] == [before[-1], *before[:-1]]


async def test_seat_rotation_is_set_by_the_host_and_shown(here: World) -> None:
    table = await here.open_table()
    menu = await open_options(here, table)
    await menu.press("More…")
    await menu.fill("Other times…", kind="live", move="", reserve="", away="stops openly rotate", late="pass")
    assert table.row.pace.rotate
    assert "In a rematch, everyone moves over one seat." in here.read_board(table).text


# Starts


async def test_a_start_pressed_twice_opens_one_private_thread(wide: World) -> None:
    table = await open_shared_table(wide)
    await wide.advance(seconds=3)
    await wide.press("ben", table, "Join")
    before = wide.requests("POST", "/channels/*/threads")
    await wide.click_at_once([("ann", "Start"), ("ann", "Start")], wide.board(table))
    assert table.stage == "playing"
    assert wide.requests("POST", "/channels/*/threads") == before + 1


async def test_the_lobby_of_a_rematch_points_to_its_thread(wide: World) -> None:
    first = await finish_match(wide, "ben")
    await wide.press("ann", first, "Rematch")
    again = await only_open_table(wide)
    lobby = wide.board(again)
    await wide.press("ben", again, "Join")
    assert again.row.home == lobby.id
    (now,) = [each for each in wide.channel.history() if each.id == lobby.id]
    assert f"<#{again.row.home}>" in ParsedMessage.of(now).text


# Play now


async def hold_joins(here: World, monkeypatch: pytest.MonkeyPatch, *clicks: tuple[str, str]) -> tuple[Table, HeldCalls]:
    """Press buttons of a lobby in turn while every Join is held up."""
    table = await here.open_table()
    held = HeldCalls(monkeypatch, table, "do", Join)
    here.send_clicks([(name, here.board(table), label) for name, label in clicks])
    await run_ready_tasks()
    return table, held


async def test_play_now_waits_for_earlier_joins(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table, held = await hold_joins(here, monkeypatch, ("ben", "Join"), ("cleo", "Join"), ("ann", "Play now"))
    assert (held.heard, table.stage) == (2, "lobby")
    held.let_go.set()
    await here.settle()
    assert (table.stage, seated_persons(table)) == ("playing", ["ann", "ben", "cleo"])


async def test_play_now_does_not_wait_for_later_joins(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table, held = await hold_joins(here, monkeypatch, ("ann", "Play now"), ("ben", "Join"))
    async with asyncio.timeout(SETTLE_TIMEOUT):
        while table.stage == "lobby":  # noqa: ASYNC110  # the cards are dealt in a thread of the computer
            await asyncio.sleep(0.01)
    assert held.heard == 1
    held.let_go.set()
    await here.settle()
    assert seated_persons(table) == ["ann"]


async def test_play_now_does_not_wait_for_a_hanging_join(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.open_table()

    do = table.do

    async def hang(command: Command) -> None:
        await (asyncio.sleep(3600) if isinstance(command, Join) else do(command))

    monkeypatch.setattr(table, "do", hang)
    here.send_clicks([(name, here.board(table), label) for name, label in (("ben", "Join"), ("ann", "Play now"))])
    await run_ready_tasks()
    assert table.stage == "lobby"
    await here.advance(seconds=FIRST_RESPONSE_LIMIT)
    assert (table.stage, seated_persons(table)) == ("playing", ["ann"])


async def test_play_now_shows_the_hand_if_the_last_join_started_the_rematch(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await finish_match(here, "ben")
    await here.press("ann", first, "Rematch")
    again = await only_open_table(here)
    held = HeldCalls(monkeypatch, again, "do", Join)
    here.send_clicks([("ben", here.board(first), "Rematch"), ("ann", here.board(again), "Play now")])
    await run_ready_tasks()
    assert again.stage == "lobby"
    held.let_go.set()
    await here.settle()
    assert (again.stage, seated_persons(again)) == ("playing", ["ann", "ben"])
    shown = [ParsedMessage.of(each).text for each in here.channel.history(viewer=here.ann)]
    hands = [text for text in shown if "Your 13 cards" in text and "[Big Two, table 2]" in text]
    assert len(hands) == 1
