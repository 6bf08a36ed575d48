"""The private panel: one message a person and table, in which all else stands in the place of the hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.delivery.panels.open_hands import MIN_EDIT_INTERVAL
from bot.rules.core.cards import cards
from bot.table.core.commands import Close
from bot.table.table import Table
from tests.support.message_text import picked, private_reply
from tests.support.world import SHORT_HANDS, World, world

BACK = "Back to my cards"


async def open_uneditable_hand(here: World, table: Table) -> InteractionResult:
    """Open Ann's hand, and wait until its token has expired."""
    opened = await here.open_hand("ann", table)
    await here.advance(minutes=16)
    return opened


async def press_in_turn(here: World, name: str, shown: InteractionResult, *labels: str) -> InteractionResult:
    """Press buttons in turn in one message."""
    for label in labels:
        assert await here.press_on(name, shown, label)
    return shown


async def test_a_player_has_one_open_hand_a_table(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    first, second = await here.open_hand("ann", table), await here.open_hand("ann", table)
    assert first.response is None, "the new one has taken its place"
    typed = await here.play("ann", table, cards("3d"))
    assert second.response is None
    assert "Your 12 cards" in private_reply(typed).text
    bens = await here.open_hand("ben", table)
    assert private_reply(typed).text
    assert private_reply(bens).text, "each has their own"


async def test_an_old_hand_replaces_the_new_one_when_clicked(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    old = await open_uneditable_hand(here, table)
    new = await here.open_hand("ann", table)
    await here.pick("ann", old, "3d")
    assert new.response is None
    assert "can lead" in private_reply(old).text
    panel = await press_in_turn(here, "ann", await here.open_hand("ann", table), "⋯", "Rules", "Check this deal")
    assert "The deals of Big Two, table 1" in private_reply(panel).text
    assert "Your 13 cards" in private_reply(await here.press_on("ann", panel, BACK)).text


async def test_menu_pages_replace_the_hand(here: World) -> None:
    table = await here.start_table("ben")
    panel = await here.open_hand("ann", table)
    await here.pick("ann", panel, "3d", "3c")
    await press_in_turn(here, "ann", panel, "⋯", "Rules")
    assert "**Sections**" in private_reply(panel).text
    assert "### 1 Players" in private_reply(await here.press_on("ann", panel, "Next")).text
    await press_in_turn(here, "ann", panel, BACK)
    assert "You can lead a pair of 3s." in private_reply(panel).text, "what was picked is picked still"
    await press_in_turn(here, "ann", panel, "⋯", "Leave")
    assert "Leave Big Two, table 1?" in private_reply(panel).text
    await press_in_turn(here, "ann", panel, BACK)
    assert "Your 13 cards" in private_reply(panel).text


async def test_pages_opened_from_the_board_replace_the_hand(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await here.play_directly("ann", table, "3d 3c")
    for name in ("ben", "cleo", "dev"):
        await here.play_directly(name, table)
    panel = await here.open_hand("ann", table)
    trick = await here.press("ann", table, "Last trick")
    assert panel.response is None
    assert "The last trick" in private_reply(trick).text
    assert "Your 11 cards" in private_reply(await here.press_on("ann", trick, BACK)).text


async def test_a_hand_that_waits_shows_the_present_and_keeps_its_picks(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    devs = await here.open_hand("dev", table)
    held = table.scene(here.people["dev"].id).view
    assert held
    await here.pick("dev", devs, str(held.hand[-1]))
    await here.advance(seconds=MIN_EDIT_INTERVAL.seconds)
    await here.play("ann", table, cards("3d 3c"))
    assert "**ben**'s turn" in private_reply(devs).text
    assert "a pair of 3s" in private_reply(devs).text
    assert devs.response
    assert picked(devs.response.message, held.rules.pack) == held.hand[-1:]


async def test_quick_plays_of_others_are_coalesced_into_one_edit(tmp_path: Path) -> None:
    async with world(tmp_path, house_delay_seconds=0.4) as here:
        table = await here.open_table()
        await here.fill_up("ann", table)
        await here.press("ann", table, "Start")
        hand = await here.open_hand("ann", table)
        before = count_private_edits(here)
        await here.press_on("ann", hand, "3♢")
        assert table.state.ply == 4
        assert here.current_player(table) == "ann"
        assert "Your turn" in private_reply(hand).text
        assert count_private_edits(here) == before + 1


def count_private_edits(here: World) -> int:
    """How often private messages were changed otherwise than by a click."""
    return here.requests("PATCH", "/webhooks/*/messages/*")


async def test_menu_pages_follow_the_game_and_the_rules_stay_open(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    assert BACK not in private_reply(await here.press("dev", table, "Rules")).buttons, "who has no cards"
    panel, reading = await here.open_hand("ben", table), await here.open_hand("cleo", table)
    await press_in_turn(here, "ben", panel, "⋯")
    await press_in_turn(here, "cleo", reading, "⋯", "Rules")
    assert [*private_reply(panel).selects] == ["bg:1:orders:1", "bg:1:propose"]
    await here.play("ann", table, cards("3d 3c"))
    assert [*private_reply(panel).selects] == ["bg:1:plays:1", "bg:1:propose", "bg:1:orders:1"], "what fits is listed"
    assert "Your turn" in private_reply(panel).text
    assert BACK in private_reply(panel).buttons
    await here.pass_("ben", table)
    assert here.current_player(table) == "cleo"
    assert "**Sections**" in private_reply(reading).text
    assert "Your turn" in private_reply(await here.press_on("cleo", reading, BACK)).text
    await press_in_turn(here, "cleo", reading, "⋯", "Leave", "Leave the match", "Take my seat back")
    assert "Your 13 cards" in private_reply(reading).text


@pytest.mark.rotates(3)
@pytest.mark.parametrize("opened", [(), ("⋯",), ("⋯", "Rules")])
async def test_no_hand_has_active_buttons_after_the_end(here: World, opened: tuple[str, ...]) -> None:
    table = await here.start_table("ben", pace="none hints")
    old = await open_uneditable_hand(here, table)
    bens = await press_in_turn(here, "ben", await here.open_hand("ben", table), *opened)
    await (await here.reload(table)).do(Close())
    await here.settle()
    assert "This table is closed." in private_reply(bens).text
    assert private_reply(bens).buttons == {}
    closed = private_reply(await here.press_on("ann", old, "Hint"))
    assert "This table is closed." in closed.text
    assert closed.buttons == {}
    assert private_reply(old) == closed, "in its place"


async def test_the_hand_of_a_finished_match_is_replaced_by_the_next_one(here: World) -> None:
    here.deal = SHORT_HANDS
    first = await here.start_table("ben", hands=1)
    await here.play_hand(first)
    opened = await here.people["ben"].slash(here.channel, "hand", table=first.id)
    assert "wins the match" in private_reply(opened).text
    again = await here.start_table("ben", hands=1)
    await here.open_hand("ben", again)
    assert opened.response is None


async def wait_minutes(here: World, minutes: int) -> None:
    """Advance time by minutes, firing the timers at the end."""
    if minutes > 12:
        await here.advance(minutes=minutes - 2)
        minutes = 2
    for _ in range(minutes):
        await here.advance(minutes=1)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("opened", [(), ("⋯",), ("⋯", "Rules")])
async def test_an_untouched_panel_expires_with_a_message_before_its_token(here: World, opened: tuple[str, ...]) -> None:
    table = await here.start_table("ben", pace="none")
    panel = await press_in_turn(here, "ben", await here.open_hand("ben", table), *opened)
    await wait_minutes(here, 13)
    assert "stopped updating" not in private_reply(panel).text
    await wait_minutes(here, 1)
    assert ") · The Deck" in private_reply(panel).text
    assert "This view has stopped updating" in private_reply(panel).text
    assert list(private_reply(panel).buttons) == ["Show my cards"]
    await here.play("ann", await here.reload(table), cards("3d 3c"))
    assert "This view has stopped updating" in private_reply(panel).text
    await here.advance(hours=1)
    assert "Your turn" in private_reply(await here.press_on("ben", panel, "Show my cards")).text


async def test_each_click_keeps_a_panel_active_and_picks_survive_its_expiry(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    panel = await here.open_hand("ann", table)
    await wait_minutes(here, 10)
    await here.pick("ann", panel, "3d", "3c")
    await press_in_turn(here, "ann", panel, "⋯", "Rules")
    await wait_minutes(here, 10)
    await here.press_on("ann", panel, "Next")
    await wait_minutes(here, 13)
    assert "### 1 Players" in private_reply(panel).text
    await wait_minutes(here, 1)
    assert list(private_reply(panel).buttons) == ["Show my cards"]
    awake = private_reply(await here.press_on("ann", panel, "Show my cards"))
    assert "You can lead a pair of 3s." in awake.text


async def test_panels_without_picks_say_that_they_expired_when_the_bot_stops(here: World) -> None:
    table = await here.start_table("ben", "cleo", pace="none")
    anns, bens, cleos = [await here.open_hand(name, table) for name in ("ann", "ben", "cleo")]
    await here.pick("ann", anns, "3d", "3c")
    assert table.match is not None
    await here.pick("cleo", cleos, str(table.match.view(2).hand[0]))
    await press_in_turn(here, "cleo", cleos, "⋯", "Rules")
    await here.parts.delivery.send_last_updates()
    await here.restart()
    for name, panel in (("ben", bens), ("cleo", cleos)):
        assert list(private_reply(panel).buttons) == ["Show my cards"]
        assert "Your 13 cards" in private_reply(await here.press_on(name, panel, "Show my cards")).text
    assert "You can lead a pair of 3s." in private_reply(anns).text
    assert "Your 11 cards" in private_reply(await here.press_on("ann", anns, "Play 3\u20093")).text


async def test_an_expired_panel_is_replaced_and_one_of_a_finished_match_is_left_alone(
    here: World,
) -> None:
    table = await here.start_table("ben", pace="none")
    bens, anns = await here.open_hand("ben", table), await here.open_hand("ann", table)
    await wait_minutes(here, 14)
    await here.open_hand("ben", table)
    assert bens.response is None
    await (await here.reload(table)).do(Close())
    await here.settle()
    edits = here.requests("PATCH", "/webhooks/*")
    await wait_minutes(here, 20)
    assert here.requests("PATCH", "/webhooks/*") == edits
    assert "This view has stopped updating" in private_reply(anns).text
