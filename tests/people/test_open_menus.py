"""Menus that a player has open: no redraw that they did not ask for takes one away, and each leads to the cards."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord
import pytest
from simcord.results import InteractionResult

from bot.rules.core.asks import Pass, Play
from bot.rules.core.cards import cards
from bot.table.core.chairs import seat_of
from bot.table.core.commands import Act, CastVote, Close
from bot.table.table import Table
from tests.interactions.clicks import message_snapshot, send_click
from tests.people.a_bao import start_second_round
from tests.people.positions import play_until
from tests.people.test_notices import choose_notices, direct_messages, start_awaiting_ben, user_outside_servers
from tests.support.message_text import ParsedMessage, option_value, private_reply
from tests.support.strict_discord import removed_selects
from tests.support.world import World

BACK, CHANGED, LATE = "Back to my cards", "Your options here have changed.", "The game has moved on"


async def open_hand_menu(here: World, name: str, table: Table, *labels: str) -> InteractionResult:
    """Open a user's hand and press buttons in turn."""
    shown = await here.open_hand(name, table)
    for label in labels:
        shown = await here.press_on(name, shown, label)
    return shown


def message(shown: InteractionResult) -> discord.Message:
    assert shown.response
    return shown.response.message


def has_way_back(table: Table, there: tuple[str, ...]) -> bool:
    return there[-1] == f"bg:{table.id}:refresh"


def check_menus_kept(table: Table, before: ParsedMessage, now: ParsedMessage) -> None:
    """Fail where a menu has gone, or does not lead back to the cards last of all."""
    assert before.selects.keys() <= now.selects.keys()
    assert all(has_way_back(table, now.selects[menu]) for menu in before.selects)


async def test_the_premove_menu_stays_open_when_the_turn_comes_and_leads_back(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    panels = {name: await open_hand_menu(here, name, table, "⋯") for name in ("ben", "cleo")}
    panel = panels["ben"]
    before = private_reply(panel)
    assert not any(has_way_back(table, there) for there in before.selects.values()), "nobody has redrawn it yet"
    await here.play_directly("ann", table, "3d")
    now = private_reply(panel)
    check_menus_kept(table, before, now)
    (orders,) = (menu for menu in before.selects if ":orders:" in menu)
    assert len(now.selects[orders]) == 1, "nothing else can be said now"
    assert CHANGED in now.text
    assert "Your turn" in now.text
    await here.people["ben"].select(message(panel), [f"bg:{table.id}:refresh"], custom_id=orders)
    await here.settle()
    assert "Your 13 cards" in private_reply(panel).text
    assert not private_reply(panel).selects
    await here.play_directly("ben", table)
    await here.press_on("cleo", panels["cleo"], BACK)
    await here.press_on("cleo", panels["cleo"], "⋯")
    assert not any(":orders:" in menu for menu in private_reply(panels["cleo"]).selects), "whatever is pressed, it goes"
    assert CHANGED not in private_reply(panels["cleo"]).text


async def test_a_menu_stays_open_though_its_delivery_is_confirmed_late(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    panel = await here.open_hand("ben", table)
    here.env.slow_answers(2, arrived=True)
    here.send_clicks([("ben", message(panel), "⋯")])
    await here.env.advance_time(1)
    assert private_reply(panel).selects, "Discord shows the menu"
    await table.do(Act(here.ann.id, Play(cards("3d"))))
    await here.advance(seconds=5)
    assert private_reply(panel).selects
    assert "Your turn" in private_reply(panel).text


async def test_a_selection_made_for_an_earlier_state_is_late(here: World) -> None:
    table = await here.start_table("ben", "cleo", hands=1)
    panels = {name: await open_hand_menu(here, name, table, "⋯") for name in ("ben", "cleo")}
    seen = {name: (message_snapshot(here, message(panel)), private_reply(panel)) for name, panel in panels.items()}
    await table.do(Close())
    await here.settle()
    for (name, panel), said in zip(panels.items(), ("on", "0"), strict=True):
        shown, before = seen[name]
        check_menus_kept(table, before, private_reply(panel))
        menu, there = next((menu, there) for menu, there in before.selects.items() if option_value(there, said))
        chosen = [str(option_value(there, said))]
        late = await send_click(here, here.people[name], message(panel), menu, chosen, seen=shown)
        assert (LATE in private_reply(panel).text) or "This table is closed" in private_reply(late).text
        assert not private_reply(panel).selects


async def test_a_premove_selected_at_ones_turn_and_an_unlisted_play_are_late(here: World) -> None:
    table = await here.start_table("ben", "cleo")
    await here.play_directly("ann", table, "3d")
    bens, cleos = [await open_hand_menu(here, name, table, "⋯") for name in ("ben", "cleo")]
    seen = [(message_snapshot(here, message(panel)), private_reply(panel)) for panel in (bens, cleos)]
    await table.do(Act(here.people["ben"].id, Pass()))
    await here.settle()
    check_menus_kept(table, seen[0][1], private_reply(bens))
    (plays,) = (menu for menu in seen[0][1].selects if ":plays:" in menu)
    chosen = [seen[0][1].selects[plays][0]]
    await send_click(here, here.people["ben"], message(bens), plays, chosen, seen=seen[0][0])
    assert LATE in private_reply(bens).text
    (orders,) = (menu for menu in seen[1][1].selects if ":orders:" in menu)
    chosen = [str(option_value(seen[1][1].selects[orders], "pass"))]
    await send_click(here, here.people["cleo"], message(cleos), orders, chosen, seen=seen[1][0])
    assert LATE in private_reply(cleos).text
    assert not table.row.chairs[2].premoves


async def end(here: World, table: Table) -> None:
    await play_until(here, table, lambda match: match.game.result is not None)


async def take_a_break(here: World, table: Table) -> None:
    for number, name in enumerate(("ann", "ben", "cleo", "dev")):
        await table.do(CastVote(here.people[name].id, "pause", first=not number))
    await here.settle()


async def close(here: World, table: Table) -> None:
    await table.do(Close())
    await here.settle()


async def sleep(here: World, _table: Table) -> None:
    await here.advance(minutes=12)
    for _ in range(2):
        await here.advance(minutes=1)


async def stop(here: World, _table: Table) -> None:
    await here.parts.delivery.send_last_updates()


EVENTS = [end, take_a_break, close, sleep, stop]


@pytest.mark.rotates(4)
@pytest.mark.parametrize("happens", EVENTS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("behind", [("⋯",), ("⋯", "Rules")], ids=["menu", "rules"])
@pytest.mark.parametrize("hands", [1, 2])
async def test_open_menus_survive_every_event(
    here: World, behind: tuple[str, ...], happens: Callable[[World, Table], Awaitable[None]], hands: int
) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="none", hands=hands)
    await here.play_directly("ann", table, "3d")
    panels = {name: await open_hand_menu(here, name, table, *behind) for name in ("ben", "cleo")}
    before = {name: private_reply(panel) for name, panel in panels.items()}
    await happens(here, table)
    for name, panel in panels.items():
        now = private_reply(panel)
        if now != before[name]:  # rules stay as they are while the match goes on
            check_menus_kept(table, before[name], now)
            menu = next(iter(now.selects))
            await here.people[name].select(message(panel), [f"bg:{table.id}:refresh"], custom_id=menu)
            await here.settle()
            assert not private_reply(panel).selects
    assert not removed_selects(here.env.backend)


async def test_both_bidding_menus_stay_open_when_the_turn_comes(here: World) -> None:
    table = await start_second_round(here)
    panel = await open_hand_menu(here, "ben", table, "⋯")
    before = private_reply(panel)
    bidding = [menu for menu in before.selects if ":orders:" in menu]
    assert bidding
    await table.do(Act(here.ann.id, Pass()))
    await here.settle()
    now = private_reply(panel)
    check_menus_kept(table, before, now)
    assert all(len(now.selects[menu]) == 1 for menu in bidding)
    assert seat_of(table.row.chairs, here.people["ben"].id) in table.scene(None).wait.awaited


async def test_menus_for_picking_cards_stay_open_when_the_hand_ends(here: World) -> None:
    table = await here.start_table("ben", rules="B2:pagat+players=2", pace="none", hands=2)
    name = here.current_player(table)
    assert name
    panel = await open_hand_menu(here, name, table)
    before = private_reply(panel)
    assert len(before.selects) == 2
    await end(here, table)
    assert table.stage == "between"
    check_menus_kept(table, before, private_reply(panel))


async def test_editing_a_direct_message_keeps_its_open_menu(here: World) -> None:
    await choose_notices(here, "ben", "both")
    table = await start_awaiting_ben(here)
    await here.advance(hours=7)
    (letter,) = direct_messages(here, "ben")
    ben = user_outside_servers(here, "ben")
    await ben.click(letter, label="⋯")
    await here.settle()
    (letter,) = direct_messages(here, "ben")
    before = ParsedMessage.of(letter)
    assert before.selects
    await start_awaiting_ben(here, by="cleo")
    await here.advance(hours=7)
    (letter,) = (each for each in direct_messages(here, "ben") if each.id == letter.id)
    assert ParsedMessage.of(letter) != before
    check_menus_kept(table, before, ParsedMessage.of(letter))
