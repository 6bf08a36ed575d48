"""Passing until one can play: who has nothing to decide need not be waited for, nor press Pass again and again."""

from __future__ import annotations

from pathlib import Path

from bot.rules.core.asks import PlayAsk
from bot.rules.matches.match import Match
from bot.table.table import Table
from tests.people.positions import play_till
from tests.support.message_text import private
from tests.support.world import World, world

PASSING = "Auto-pass"


def stuck(match: Match) -> bool:
    """Tell whether ann can only pass."""
    view = match.view(0)
    return 0 in match.awaited and isinstance(view.ask, PlayAsk) and view.ask.may_pass and not view.plays


def able(match: Match) -> bool:
    """Tell whether ann is asked, and can play."""
    return 0 in match.awaited and not stuck(match)


def passed_by_order(table: Table) -> int:
    return sum(step.by == "order" for step in table.row.steps)


async def ordered(here: World) -> Table:
    """Let four play until ann can only pass, and has pressed the button."""
    table = await here.start_table("ben", "cleo", "dev", hands=2)
    await play_till(here, table, stuck)
    shown = await here.open_hand("ann", table)
    assert list(private(shown).buttons) == ["Pass (can't beat it)", "⋯", PASSING]
    await here.press_on("ann", shown, PASSING)
    return table


async def others_play_till_able(here: World, table: Table) -> None:
    """Let the others play until ann has to decide something, or the hand is over."""
    while (name := here.turn(table)) not in (None, "ann"):
        await here.act(str(name), table)


async def test_who_passes_until_they_can_play_is_asked_only_then(here: World) -> None:
    table = await ordered(here)
    assert passed_by_order(table) == 1
    if here.turn(table) != "ann":
        assert "Stop auto-pass" in private(await here.open_hand("ann", table)).buttons
    while table.stage == "playing" and not (table.match and able(table.match)):
        assert here.turn(table) != "ann", "nobody waits for her"
        await others_play_till_able(here, table)
    assert passed_by_order(table) >= 1
    assert all(step.action == "pass" and step.seat == 0 for step in table.row.steps if step.by == "order")


async def test_it_ends_with_the_next_play_of_ones_own(here: World) -> None:
    table = await ordered(here)
    await play_till(here, table, able)
    await here.act("ann", table)
    assert not table.row.chairs[0].orders


async def test_one_can_think_better_of_it(here: World) -> None:
    table = await ordered(here)
    shown = await here.open_hand("ann", table)
    await here.press_on("ann", shown, "Stop auto-pass")
    assert "Stop auto-pass" not in private(shown).buttons
    before = passed_by_order(table)
    while not (table.match and stuck(table.match)) and table.stage == "playing":
        await here.act(str(here.turn(table)), table)
    await here.settle()
    assert passed_by_order(table) == before


async def test_it_outlives_a_restart_and_ends_with_the_hand(here: World) -> None:
    table = await ordered(here)
    await here.restart()
    table = await here.again(table)
    assert table.scene(here.people["ann"].id).passing
    await play_till(here, table, lambda match: match.game.result is not None)
    for name in here.people:
        await here.press(name, table, "Ready")
    assert not (await here.again(table)).scene(here.people["ann"].id).passing


async def test_nobody_else_can_tell(here: World) -> None:
    table = await ordered(here)
    for viewer in (None, here.people["ben"].id):
        scene = table.scene(viewer)
        assert not scene.passing
        assert not any(chair.orders for chair in scene.chairs)


async def test_it_takes_its_time_and_a_restart_makes_it_neither_longer_nor_shorter(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table("ben", "cleo", "dev", pace="slow")
        await play_till(here, table, stuck)
        shown = await here.open_hand("ann", table)
        await here.press_on("ann", shown, PASSING)
        assert not passed_by_order(table)
        due = table.row.answers
        assert due
        assert 12 <= (due - here.env.now()).total_seconds() <= 36
        await here.restart()
        table = await here.again(table)
        assert table.row.answers == due
        await here.later(seconds=50)
        assert passed_by_order(await here.again(table)) == 1


async def test_there_is_nothing_to_pass_in_a_lobby(here: World) -> None:
    table = await here.open_table("ann")
    refused = await here.forge(here.ann, await here.press("ann", table, "⋯"), f"bg:{table.id}:pass_on:1")
    assert private(refused).text
    assert not table.row.chairs[0].orders
