"""Premoves: buttons and menus of a waiting hand, and their effect at the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.ai.plain import timeout_action
from bot.rules.core.asks import Give, NameAsk
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.people.a_bao import start_bidding, start_second_round
from tests.support.message_text import option_value, private_reply
from tests.support.world import World, world

# Whoever sits there holds: ann 3d 3c 4d 7s 8c 8s 9d 9c 9h Jd Kh Ah As; ben 3h 4c 5d 5c 6h 7d 8d 9s Ts Qh Kd Ad Ac;
# cleo 4h 4s 5s 7h 8h Jc Jh Js Qd Ks 2c 2h 2s; dev 3s 5h 6d 6c 6s 7c Td Tc Th Qc Qs Kc 2d.
PASS, PLAY = "Queue pass", "Queue play"


@pytest.fixture
async def table(here: World) -> Table:
    """A table at which ann has led the three of diamonds, and ben is asked."""
    table = await here.start_table("ben", "cleo", "dev")
    await here.play_directly("ann", table, "3d")
    return table


def premove_steps(table: Table) -> list[str]:
    """Return what was done by order."""
    return [f"{step.seat} {step.action}" for step in table.row.steps if step.by == "order"]


def hand_text(shown: InteractionResult) -> str:
    """Return what a hand says, in one line."""
    return private_reply(shown).text.replace("\n-# ", " ")


async def choose_premove(here: World, name: str, table: Table, value: str, *picked: str) -> str:
    """Select cards and an entry of the premove menu; return the text of the hand."""
    shown = await here.open_hand(name, table)
    if picked:
        await here.pick(name, shown, *picked)
    behind = await here.press_on(name, shown, "⋯")
    return hand_text(await here._choose(name, behind, "orders", [value]))


async def test_a_pass_and_a_play_are_queued_by_buttons_and_taken_back_by_a_chip(here: World, table: Table) -> None:
    shown = await here.open_hand("cleo", table)
    assert list(private_reply(shown).buttons) == [PASS, PLAY, "⋯"]
    await here.press_on("cleo", shown, PASS)
    said = private_reply(shown)
    assert "You'll pass until this trick ends." in said.text
    assert list(said.buttons) == [PASS, PLAY, "⋯", "Cancel pass"], "nothing moves"
    assert said.buttons[PASS][1], "there is nothing more to queue"
    await here.press_on("cleo", shown, "Cancel pass")
    assert list(private_reply(shown).buttons) == [PASS, PLAY, "⋯"]
    assert not table.row.chairs[2].premoves
    await here.pick("cleo", shown, "7h")
    await here.press_on("cleo", shown, "Queue 7♡")
    assert "On your turn: 7♡ if that still beats it, otherwise pass." in hand_text(shown)
    assert "✕ 7♡" in private_reply(shown).buttons
    await here.play_directly("ben", table, "4c")
    assert premove_steps(table) == ["2 7h"]
    shown = await here.open_hand("dev", table)
    assert PASS not in private_reply(shown).buttons, "it is his turn"


async def test_each_kind_of_premove_is_queued_in_the_menu_for_the_picked_cards(here: World, table: Table) -> None:
    assert "If you win the trick, you'll lead J♣︎ J♡." in await choose_premove(here, "cleo", table, "lead", "Jc", "Jh")
    assert "On your turn: the lowest play that beats it, up to 8♡," in await choose_premove(
        here, "cleo", table, "beat", "8h"
    )
    assert "On your turn: 4♡ if that still beats it, otherwise pass." in await choose_premove(
        here, "cleo", table, "list", "4h"
    )
    said = await choose_premove(here, "cleo", table, "else", "Jc")
    assert "On your turn, the first of these that works, otherwise pass: 4♡, J♣︎." in said
    said = await choose_premove(here, "cleo", table, "if", "Jc")
    assert "On your turn: J♣︎, unless the play to beat is higher than 3♢." in said
    for picked in (("5s",), ("4h", "Jh"), ("7h",)):  # a pair is no limit
        shown = await here.open_hand("cleo", table)
        await here.pick("cleo", shown, *picked)
        offered = private_reply(await here.press_on("cleo", shown, "⋯")).selects
        assert any(option_value(there, "most") for there in offered.values()) == (len(picked) == 1), picked
        await here.pick("cleo", await here.open_hand("cleo", table))
    said = await choose_premove(here, "cleo", table, "most", "7h")
    assert "On your turn: J♣︎, unless the play to beat is higher than 7♡." in said
    await here.play_directly("ben", table, "8d")
    assert premove_steps(table) == []
    assert "The play to beat is higher than your limit." in hand_text(await here.open_hand("cleo", table))


async def test_a_trick_that_all_others_pass_by_premove_ends_at_once(here: World, table: Table) -> None:
    await here.play_directly("ben", table, "4c")
    await here.play_directly("cleo", table, "2s")
    assert premove_steps(table) == ["3 pass", "0 pass", "1 pass"]
    assert here.current_player(table) == "cleo"


async def test_a_premove_waits_its_delay_and_runs_once_across_restarts(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=8) as here:
        table = await here.start_table("ben", "cleo", "dev", pace="none")
        await here.play_directly("ann", table, "3d")
        await here.press_on("cleo", await here.open_hand("cleo", table), PASS)
        assert table.row.premove_at is None, "nobody can tell yet"
        await here.play_directly("ben", table)
        assert premove_steps(table) == []
        await here.restart()
        await here.advance(seconds=40)
        table = await here.reload(table)
        assert premove_steps(table) == ["2 pass"]
        await here.restart()
        await here.advance(seconds=40)
        assert premove_steps(await here.reload(table)) == ["2 pass"]


async def test_a_forged_premove_is_refused(here: World, table: Table) -> None:
    shown = await here.open_hand("cleo", table)
    for address in ("before:1.3", "before:1.77", "unsay:1.77", "before:2"):
        assert private_reply(await here.forge(here.people["cleo"], shown, f"bg:{table.id}:{address}")).text
    for value in ("lead", "sing", "call zz", "upto 1000", "say x;y", "call 7c", "upto 2"):
        assert await forge_premove(here, table, value)
    assert not table.row.chairs[2].premoves


# In a bidding


async def queue_bid(here: World, name: str, table: Table, value: str) -> str:
    """Queue a bid; return the text of the hand."""
    behind = await here.press_on(name, await here.open_hand(name, table), "⋯")
    return hand_text(await here._choose(name, behind, "orders", [value]))


async def test_a_call_is_queued_up_to_a_stake(here: World) -> None:
    table = await start_second_round(here)
    said = await queue_bid(here, "ben", table, "call 5c")
    assert "On your turn: call `5♣\ufe0e` for up to 1, otherwise pass." in said
    assert "✕ Call 5♣\ufe0e" in private_reply(await here.open_hand("ben", table)).buttons
    assert "for up to 2, otherwise pass." in await queue_bid(here, "ben", table, "upto 2")
    assert "You'll pass in the bidding." in await queue_bid(here, "cleo", table, "call")
    await here.slash("ann", "turn", move="pass")
    assert premove_steps(table) == ["1 name 5c"]
    assert table.match
    await table.do(Act(here.people["ben"].id, timeout_action(table.match.view(1))))
    await here.advance(seconds=1)
    await here.open_hand("dev", table)
    assert premove_steps(table) == ["1 name 5c", "2 pass"]


async def test_a_queued_call_above_its_stake_becomes_a_pass(here: World) -> None:
    table = await start_second_round(here)
    view = table.scene(here.people["cleo"].id).view
    assert view
    assert isinstance(view.next_ask, NameAsk)
    await queue_bid(here, "cleo", table, f"call {view.next_ask.cards[-1]}")
    await here.slash("ann", "turn", move="Kc")
    assert table.match
    gift = timeout_action(table.match.view(0))
    assert isinstance(gift, Give)
    await here.slash("ann", "turn", move=str(gift.cards[0]))
    await here.slash("ben", "turn", move="pass")
    assert premove_steps(table) == ["2 pass"]


async def test_a_queued_answer_is_given_at_its_turn(here: World) -> None:
    table = await start_bidding(here, "AB:std+first=sequential")
    assert "You'll answer: Pass." in await queue_bid(here, "ben", table, "say pass")
    await here.press("ann", table, "Pass")
    assert premove_steps(table) == ["1 choose pass"]


async def forge_premove(here: World, table: Table, value: str) -> bool:
    """Forge a premove selection as cleo; return whether it was answered."""
    visit = await here.people["cleo"].slash(here.channel, "hand")
    assert visit.response
    stored = here.env.backend.get_message(visit.response.channel_id, visit.response.id)
    menu = {"type": 3, "custom_id": f"bg:{table.id}:orders:1", "options": [{"label": "?", "value": value}]}
    components: list[object] = [{"type": 1, "components": [menu]}]
    stored.components = components  # type: ignore[assignment]
    result = await here.people["cleo"].select(visit.response, [value], custom_id=menu["custom_id"])  # type: ignore[arg-type]
    await here.settle()
    return bool(result.response or result.followups)
