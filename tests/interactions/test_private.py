"""Where a private hand stands, how it is kept up to date there, and where it cannot be put whatever goes wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord
import pytest
import pytest_asyncio

from bot.interactions import private_replies
from bot.interactions.answers import DONE, Reply
from bot.interactions.private_replies import PrivacyViolation, PrivateMessage
from bot.interactions.visit import Handler, Visit
from bot.rules.core.cards import cards
from bot.show.hand.hand import hand
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import words
from bot.table.table import Table
from tests.discord_errors.discord_outages import move
from tests.interactions.slow_answers import delay_handlers
from tests.support.message_text import ParsedMessage
from tests.support.strict_discord import leaked_replies, removed_selects
from tests.support.world import World

Answering: TypeAlias = Callable[[discord.Interaction[Any]], Awaitable[object]]


@pytest_asyncio.fixture
async def table(here: World) -> Table:
    """Give a table at which Ann, Ben and Cleo sit, and it is Ann's turn."""
    return await here.start_table("ben", "cleo", pace="none")


def hers(here: World, table: Table) -> PrivateScreen:
    """Return Ann's hand."""
    return hand(table.scene(here.ann.id), words("en"), where="The Deck")


async def why_not(here: World, table: Table, answering: Answering) -> str:
    """Answer Ann's click on the board by hand; return why that was refused, the board being what it was."""
    refused: list[str] = []

    async def work(visit: Visit) -> Reply:
        try:
            await answering(visit.interaction)
        except PrivacyViolation as no:
            refused.append(str(no))
        return DONE

    before = here.read_board(table)
    here.parts.dispatcher.handlers[Press, Verb.RULES] = Handler(work)
    await here.press("ann", table, "Rules")
    assert here.read_board(table) == before
    return "".join(refused)


async def test_the_board_is_not_a_private_message(here: World, table: Table) -> None:
    async def put(click: discord.Interaction[Any]) -> None:
        assert click.message
        assert private_replies.clicked_message(click) is None
        await PrivateMessage(click, click.message).edit(hers(here, table))

    assert await why_not(here, table, put) == "a public message is no private reply"


async def test_another_private_message_cannot_replace_the_board(here: World, table: Table) -> None:
    async def put(click: discord.Interaction[Any]) -> None:
        own = await private_replies.send_ephemeral(click, "hello")
        await private_replies.replace_clicked(click, own, hers(here, table))

    assert await why_not(here, table, put) == "others see what was clicked on"


@pytest.mark.parametrize("filling", [private_replies.fill_loading, private_replies.send_followup])
async def test_a_public_deferral_is_never_filled_with_a_private_screen(
    here: World, table: Table, filling: Callable[[discord.Interaction[Any], PrivateScreen], Awaitable[object]]
) -> None:
    async def put(click: discord.Interaction[Any]) -> None:
        await click.response.defer(thinking=True)
        await filling(click, hers(here, table))

    assert await why_not(here, table, put)
    seen = leaked_replies(here.env.backend)
    assert [each.split(":")[0].split("/")[-1] for each in seen] == ["callback", "@original"]  # it loads, and is gone
    seen.clear()


async def test_removing_an_open_menu_is_detected(here: World, table: Table) -> None:
    shown = await here.press_on("ann", await here.open_hand("ann", table), "⋯")
    assert shown.response
    menus = ParsedMessage.of(shown.response.message).selects
    assert menus
    await here.parts.delivery.hands.editable(table.id)[here.ann.id].message.edit(hers(here, table))
    gone = [each.split(": ")[1] for each in removed_selects(here.env.backend)]
    assert gone == [*menus]
    removed_selects(here.env.backend).clear()


async def test_an_edit_that_changes_nothing_is_not_sent(here: World, table: Table) -> None:
    """Issue 39, 1.6."""
    await here.open_hand("ann", table)
    message = here.parts.delivery.hands.editable(table.id)[here.ann.id].message
    before = here.requests("PATCH", "/webhooks/*")
    for sent in (1, 1):
        await message.edit(hers(here, table))
        assert here.requests("PATCH", "/webhooks/*") == before + sent
    other = hand(table.scene(here.ann.id), words("en"), where="The Deck", notice="Something else.")
    for sent, screen in ((2, other), (3, hers(here, table))):
        await message.edit(screen)
        assert here.requests("PATCH", "/webhooks/*") == before + sent


async def test_a_click_without_effect_on_a_hand_causes_no_edit(here: World) -> None:
    """Issue 39, 1.6: others got ready for the next hand, and a player who was not had the same sent again each time."""
    table = await here.start_table("ben", "cleo", hands=5)
    await here.open_hand("ann", table)
    while table.stage == "playing":
        await move(here, table)
    mine = f"/webhooks/*/messages/{here.parts.delivery.hands.editable(table.id)[here.ann.id].message.id}"
    before = here.requests("PATCH", mine)
    await here.press("ben", table, "Ready")
    assert here.requests("PATCH", mine) == before


async def test_a_lost_edit_is_sent_again(here: World, table: Table) -> None:
    await here.open_hand("ann", table)
    message = here.parts.delivery.hands.editable(table.id)[here.ann.id].message
    await message.edit(hers(here, table))
    other = hand(table.scene(here.ann.id), words("en"), where="The Deck", notice="Something else.")
    before = here.requests("PATCH", "/webhooks/*")
    here.env.inject_error("PATCH", "/webhooks/*", status=403, code=50001, times=1)
    with pytest.raises(discord.Forbidden):
        await message.edit(other)
    await message.edit(hers(here, table))  # of the one before nobody knows whether it has got there
    assert here.requests("PATCH", "/webhooks/*") == before + 2


async def test_after_a_slow_click_the_hand_is_a_separate_updated_message(
    here: World, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.play("ann", table, cards("3d"))
    seen = here.board(table)
    await here.pass_("ben", table)
    with monkeypatch.context() as slow:
        delay_handlers(here, slow)
        late = await here.click_stale("ann", seen, "Pass")
    (shown,) = late.followups
    assert shown.ephemeral
    assert "The game has moved on" in ParsedMessage.of(shown.message).text
    assert "Your turn" not in ParsedMessage.of(shown.message).text
    await here.pass_("cleo", table)
    assert here.current_player(table) == "ann"
    assert "Your turn" in ParsedMessage.of(shown.message).text
    assert here.requests("PATCH", f"/webhooks/*/{late._interaction.token}/messages/{shown.id}") == 1
    assert here.requests("PATCH", "/webhooks/*/messages/@original") == 1  # opening
    assert list(here.read_board(table).buttons) == ["My hand", "Pass", "Last trick", "Rules", "Leave", "⋯", "😀"]


async def test_a_hand_is_updated_with_the_latest_token(here: World, table: Table) -> None:
    opened = await here.open_hand("cleo", table)
    await here.advance(minutes=10)
    again = await here.press_in_menu("cleo", opened, "Back to my cards")
    await here.advance(minutes=10)
    await here.play("ann", table, cards("3d"))
    await here.pass_("ben", table)
    assert opened.response
    assert "Your turn" in ParsedMessage.of(opened.response.message).text
    assert (
        here.requests("PATCH", f"/webhooks/*/{again._interaction.token}/messages/{opened.response.id}") == 2
    )  # a play, a pass
    assert here.requests("PATCH", f"/webhooks/*/{opened._interaction.token}/messages/*") == 0


async def test_a_hand_overtaken_in_flight_is_updated(here: World, table: Table) -> None:
    await here.play("ann", table, cards("3d"))
    here.env.slow_answers(0.05)
    message = here.board(table)
    await here.click_at_once([("cleo", "My hand"), ("ben", "Pass")], message)
    mine = [each for each in here.env.backend.messages[message.channel.id].values() if each.is_ephemeral]
    assert len([each for each in mine if "Your turn" in str(each.components)]) == 1


@pytest.mark.parametrize(("length", "end"), [(2000, "x"), (2001, "…"), (9000, "…")])
async def test_a_sentence_is_truncated_only_at_the_discord_limit(
    here: World, table: Table, length: int, end: str
) -> None:
    async def work(visit: Visit) -> Reply:
        return Reply(text="x" * length)

    here.parts.dispatcher.handlers[Press, Verb.RULES] = Handler(work)
    pressed = await here.press("ann", table, "Rules")
    assert pressed.response
    told = ParsedMessage.of(pressed.response.message).text
    assert (len(told), told[-1]) == (2000, end)
