"""Passing until one can play: who has nothing to decide need not be waited for, nor press Pass again and again."""

from __future__ import annotations

from pathlib import Path

from bot.rules.core.asks import PlayAsk
from bot.rules.matches.match import Match
from bot.table.table import Table
from tests.people.positions import play_until
from tests.support.message_text import private_reply
from tests.support.world import World, world

PASSING = "Auto-pass"


def can_only_pass(match: Match) -> bool:
    """Tell whether ann can only pass."""
    view = match.view(0)
    return 0 in match.awaited and isinstance(view.ask, PlayAsk) and view.ask.may_pass and not view.plays


def can_play(match: Match) -> bool:
    """Tell whether ann is asked, and can play."""
    return 0 in match.awaited and not can_only_pass(match)


def count_automatic_passes(table: Table) -> int:
    return sum(step.by == "order" for step in table.row.steps)


async def start_auto_pass(here: World) -> Table:
    """Start a match in which ann can only pass and has enabled auto-pass."""
    table = await here.start_table("ben", "cleo", "dev", hands=2)
    await play_until(here, table, can_only_pass)
    shown = await here.open_hand("ann", table)
    assert list(private_reply(shown).buttons) == ["Pass (can't beat it)", "⋯", PASSING]
    await here.press_on("ann", shown, PASSING)
    return table


async def play_until_able(here: World, table: Table) -> None:
    """Play for the others until ann has a decision, or the hand is over."""
    while (name := here.current_player(table)) not in (None, "ann"):
        await here.act(str(name), table)


async def test_a_player_on_auto_pass_is_asked_when_able_to_play_and_it_stays_secret(here: World) -> None:
    table = await start_auto_pass(here)
    assert count_automatic_passes(table) == 1
    for viewer in (None, here.people["ben"].id):
        scene = table.scene(viewer)
        assert not scene.passing
        assert not any(chair.premoves for chair in scene.chairs)
    if here.current_player(table) != "ann":
        assert "Stop auto-pass" in private_reply(await here.open_hand("ann", table)).buttons
    while table.stage == "playing" and not (table.match and can_play(table.match)):
        assert here.current_player(table) != "ann", "nobody waits for her"
        await play_until_able(here, table)
    assert count_automatic_passes(table) >= 1
    assert all(step.action == "pass" and step.seat == 0 for step in table.row.steps if step.by == "order")
    await here.act("ann", table)
    assert not table.row.chairs[0].premoves, "it ends with the next play of one's own"


async def test_auto_pass_survives_a_restart_and_can_be_stopped(here: World) -> None:
    table = await start_auto_pass(here)
    await here.restart()
    table = await here.reload(table)
    assert table.scene(here.people["ann"].id).passing
    shown = await here.open_hand("ann", table)
    await here.press_on("ann", shown, "Stop auto-pass")
    assert "Stop auto-pass" not in private_reply(shown).buttons
    before = count_automatic_passes(table)
    await play_until(here, table, lambda match: can_only_pass(match) or match.game.result is not None)
    assert count_automatic_passes(table) == before


async def test_auto_pass_keeps_its_delay_across_a_restart(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table("ben", "cleo", "dev", pace="slow")
        await play_until(here, table, can_only_pass)
        shown = await here.open_hand("ann", table)
        await here.press_on("ann", shown, PASSING)
        assert not count_automatic_passes(table)
        due = table.row.premove_at
        assert due
        assert 12 <= (due - here.env.now()).total_seconds() <= 36
        await here.restart()
        table = await here.reload(table)
        assert table.row.premove_at == due
        await here.advance(seconds=50)
        assert count_automatic_passes(await here.reload(table)) == 1
