"""Cards that are picked and not played yet: each screen for itself, through edits, restarts and crossing clicks."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.delivery.boards import picks
from bot.rules.core.asks import GiveAsk, Pass
from bot.rules.core.cards import Card, Cards, cards
from bot.show.kit.custom_ids import Press
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.interactions.clicks import message_snapshot, send_click
from tests.interactions.tables import start_seated_table
from tests.people.a_bao import start_second_round
from tests.support.message_text import ParsedMessage, card_buttons, picked, private_reply
from tests.support.world import World

PAIR = "Play 3\u20093"


def shown(result: InteractionResult) -> ParsedMessage:
    assert result.response
    return ParsedMessage.of(result.response.message)


async def test_picks_are_read_from_the_message_after_a_restart(here: World) -> None:
    table = await start_seated_table(here, "ben")
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, "3d", "3c")
    await here.restart()
    sorted_now = await here.press_in_menu("ann", opened, "Settings", "☐ Sort by suit", "Back to my cards")
    assert "✓ You can lead a pair of 3s." in private_reply(sorted_now).text
    await here.restart()
    await here.press_on("ann", opened, PAIR)
    assert [step.action for step in (await here.reload(table)).row.steps[:1]] == ["3d 3c"]


async def test_each_screen_has_its_own_picks(here: World) -> None:
    table = await start_seated_table(here, "ben", pace="none")
    first = await here.open_hand("ann", table)
    await here.pick("ann", first, "3d", "3c")
    await here.advance(minutes=16)  # after which Discord lets nobody take it away
    await here.pick("ann", await here.open_hand("ann", table), "3d")
    assert PAIR in shown(first).buttons
    await here.press_on("ann", first, PAIR)
    assert [step.action for step in (await here.reload(table)).row.steps[:1]] == ["3d 3c"]


async def test_picks_stay_when_the_turn_comes(here: World) -> None:
    table = await start_seated_table(here, "ben")
    opened = await here.open_hand("ben", table)
    await here.pick("ben", opened, "5d", "5c")
    await here.play("ann", table, cards("3d 3c"))
    assert "Your turn" in shown(opened).text
    assert "A pair of 5s beats a pair of 3s" in shown(opened).text


async def test_an_immediate_play_uses_the_latest_picks(here: World) -> None:
    """Play is pressed before the screen has followed, so Discord passes on a message that marks less."""
    table = await start_seated_table(here, "ben")
    opened = await here.open_hand("ann", table)
    assert opened.response
    seen = message_snapshot(here, opened.response.message)
    await here.pick("ann", opened, "3d", "3c")
    await send_click(here, here.ann, opened.response.message, f"bg:{table.id}:play:0", seen=seen)
    assert [step.action for step in table.row.steps[:1]] == ["3d 3c"]


async def test_picks_do_not_carry_over_to_another_hand(here: World) -> None:
    table = await start_seated_table(here, "ben")
    opened = await here.open_hand("ann", table)
    assert opened.response
    late = await send_click(here, here.ann, opened.response.message, f"bg:{table.id}:pick:2", ["3d"])
    assert "The game has moved on" in private_reply(late).text
    assert "can lead" not in private_reply(late).text


async def test_picks_are_shared_by_several_selects(here: World) -> None:
    table = await start_seated_table(here, "ben", rules="B2:pagat+players=2", pace="none")
    name = here.current_player(table)
    assert name
    opened = await here.open_hand(name, table)
    selects = [(address, values) for address, values in shown(opened).selects.items() if ":pick:" in address]
    assert opened.response
    for address, values in selects:
        await here.people[name].select(opened.response.message, [values[0]], custom_id=address)
        await here.settle()
    view = table.scene(here.people[name].id)
    assert len(here.parts.delivery.picks.of(view)) == len(selects) == 2


async def test_the_number_of_remembered_picks_is_limited(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picks, "MAX_PICKS", 1)
    table = await start_seated_table(here, "ben")
    for name, held in (("ann", "3d"), ("ben", "5d")):
        await here.pick(name, await here.open_hand(name, table), held)
    assert len(here.parts.delivery.picks._picked) == 1
    assert "5d" not in repr(here.parts.delivery.picks._picked)


async def test_the_tapped_copy_of_equal_cards_is_shown_as_picked(here: World) -> None:
    table = await start_seated_table(here, "ben", rules="LA:standard", pace="none")
    name = here.current_player(table)
    assert name
    opened = await here.open_hand(name, table)
    assert opened.response
    held = card_buttons(opened.response.message, table.scene(None).terms.rules.pack)
    first, twin = next((one, other) for one, other in pairwise(held) if held[one][0] == held[other][0])
    for address, blue in ((twin, {twin}), (first, {first, twin}), (twin, {first})):
        await here.people[name].click(opened.response.message, custom_id=address)
        now = card_buttons(opened.response.message, table.scene(None).terms.rules.pack)
        assert {address for address, (_, picked) in now.items() if picked} == blue


# For one question, and for no other


async def calling(here: World, card: str = "Kc") -> tuple[Table, InteractionResult]:
    """Start A Bao with ann asked for a call, one card picked."""
    table = await start_second_round(here)
    opened = await here.open_hand("ann", table)
    await here.pick("ann", opened, card)
    return table, opened


def marked(table: Table, result: InteractionResult) -> Cards:
    """Return what is marked as picked on a screen."""
    assert result.response
    return picked(result.response.message, table.scene(None).terms.rules.pack)


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_called_card_is_not_preselected_as_a_gift(here: World, *, restarted: bool) -> None:
    table, opened = await calling(here)
    if restarted:
        await here.restart()
    await here.press_on("ann", opened, "Call K♣︎")
    table = await here.reload(table)
    assert "Choose 1 card to give to" in shown(opened).text
    assert marked(table, opened) == ()
    assert "✗" not in shown(opened).text
    assert "Give" in shown(opened).buttons


async def test_a_card_tapped_for_a_call_is_not_preselected_as_a_gift(here: World) -> None:
    table, opened = await calling(here)
    assert opened.response
    seen = message_snapshot(here, opened.response.message)
    taps_then = [
        address for address, _ in card_buttons(opened.response.message, table.scene(None).terms.rules.pack).items()
    ]
    suits_then = [address for address, _ in shown(opened).buttons.values() if ":suit:" in address]
    await here.press_on("ann", opened, "Call K♣︎")
    for address in (*taps_then, *suits_then):
        late = await send_click(here, here.ann, opened.response.message, address, seen=seen)
        assert "The game has moved on" in private_reply(late).text
        assert marked(table, opened) == ()


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_card_picked_as_a_gift_is_not_preselected_for_play(here: World, *, restarted: bool) -> None:
    table, opened = await calling(here)
    await here.press_on("ann", opened, "Call K♣︎")
    view = table.scene(here.ann.id).view
    assert view
    assert isinstance(view.ask, GiveAsk)
    gift = view.ask.givable(view.hand)[0]
    await here.pick("ann", opened, str(gift))
    assert opened.response
    seen = message_snapshot(here, opened.response.message)
    await here.ann.slash(here.channel, "turn", move=str(gift), table=table.id)
    for name in ("ben", "cleo", "dev"):
        await table.do(Act(here.people[name].id, Pass()))
    await here.settle()
    if restarted:
        await here.restart()
        table = await here.reload(table)
    fresh = await here.open_hand("ann", table)
    assert fresh.response
    (blue,) = (address for address, (_, up) in taps_in(seen, table).items() if up)
    before = seen | {"id": str(fresh.response.message.id)}  # as she still sees it
    late = await send_click(here, here.ann, fresh.response.message, blue, seen=before)
    assert "The game has moved on" in private_reply(late).text
    assert marked(table, fresh) == ()


def taps_in(seen: dict[str, Any], table: Table) -> dict[str, tuple[Card, bool]]:
    """Return the card buttons of a message, as the bot sent it: address -> (card, whether it is picked)."""
    found, rest, pack = dict[str, tuple[Card, bool]](), [seen], table.scene(None).terms.rules.pack
    while rest:
        part = rest.pop()
        rest += part.get("components", ())
        if ":card:" in (address := str(part.get("custom_id", ""))):
            found[address] = pack[Press.read(address).part], part["style"] == 1
    return found
