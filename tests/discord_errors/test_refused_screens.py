"""Discord refuses a screen for an emoji or another part: the user gets the screen in another form."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio
from simcord.results import InteractionResult

from bot.interactions.dispatcher import BROKEN, NO_FILE
from bot.rules.core.cards import cards
from bot.show.kit.card_symbols import symbol
from tests.discord_errors.discord_outages import check_match_continues, finish_match, start_match
from tests.interactions.slow_answers import delay_handlers
from tests.people import test_profile
from tests.people.test_notices import NOTICE_SECONDS, direct_messages, start_awaiting_ben
from tests.people.test_profile import open_profile
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.refusals import refuse_emoji, refuse_files
from tests.support.world import World

CALLBACK_PATH, EMOJI_PATH = "/interactions/*/callback", "/applications/*/emojis"
played = test_profile.played  # a fixture


@pytest_asyncio.fixture
async def with_emoji(here: World) -> AsyncIterator[World]:
    """Yield a server with all card emoji."""
    await here.draw_cards()
    yield here


def delete_emoji(here: World, *names: str) -> None:
    """Delete these emoji of the application on Discord."""
    known = here.env.backend.application_emojis
    for number in [number for number, emoji in known.items() if emoji.name in names]:
        del known[number]


def count_emoji_lists(here: World) -> int:
    """Return how often the emoji list was loaded."""
    return here.requests("GET", EMOJI_PATH)


def count_answers(here: World) -> int:
    """Return how many answers the bot tried to send."""
    return here.requests("POST", CALLBACK_PATH)


def emoji_in(shown: InteractionResult) -> list[str]:
    """Return the names of the emoji on the buttons of an answer."""
    return [part.emoji.name for part in _buttons(shown) if part.emoji]


def labels_in(shown: InteractionResult) -> list[str]:
    return [part.label for part in _buttons(shown) if part.label]


def _buttons(shown: InteractionResult) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    assert shown.response
    view = discord.ui.LayoutView.from_message(shown.response.message, timeout=None)
    view.stop()
    return [part for part in view.walk_children() if isinstance(part, discord.ui.Button)]


# Refused emoji: one retry with emoji, then in text; the emoji list is loaded again


@pytest.mark.rotates(4)
@pytest.mark.parametrize("look", ["bg1_3d", "bg1_3d_up", "bg1_3d_four", "bg1_3d_four_up"])
async def test_a_hand_is_shown_in_text_after_an_emoji_was_deleted(with_emoji: World, look: str) -> None:
    await with_emoji.parts.preferences.change(with_emoji.ann.id, suit_colours="four" if "four" in look else "two")
    table = await start_match(with_emoji)
    if look.endswith("_up"):
        await with_emoji.pick("ann", await with_emoji.open_hand("ann", table), "3d")
    delete_emoji(with_emoji, look)
    before, loaded = count_answers(with_emoji), count_emoji_lists(with_emoji)
    opened = await with_emoji.open_hand("ann", table)
    assert count_answers(with_emoji) - before == 3, "with emoji twice, then in text"
    assert not emoji_in(opened)
    assert "<:" not in private_reply(opened).text
    hand = table.scene(with_emoji.ann.id).view
    assert hand
    plain = [label.replace("\u0332", "") for label in labels_in(opened)]
    assert {symbol(card) for card in hand.hand} <= set(plain), "each button still names its card"
    assert count_emoji_lists(with_emoji) - loaded == 1
    await with_emoji.advance(minutes=1)
    again = await with_emoji.open_hand("ann", table)
    assert look in emoji_in(again), "uploaded again and used"
    assert count_answers(with_emoji) - before == 4
    await check_match_continues(with_emoji, table)


async def test_only_missing_emoji_become_text_and_for_all_players(with_emoji: World) -> None:
    with_emoji.env.inject_error("POST", EMOJI_PATH, status=500, times=None)
    table = await start_match(with_emoji, "ben")
    delete_emoji(with_emoji, "bg1_3d_four", "bg1_3h")
    await with_emoji.open_hand("ann", table)
    before = count_answers(with_emoji)
    shown = {name: emoji_in(await with_emoji.open_hand(name, table)) for name in ("ben",)}
    assert count_answers(with_emoji) - before == 1, "no further refusal"
    hand = table.scene(with_emoji.people["ben"].id).view
    assert hand
    missing = {card for card in hand.hand if str(card) in ("3d", "3h")}
    assert len(shown["ben"]) == len(hand.hand) - len(missing)
    await with_emoji.advance(minutes=2)
    ann = await with_emoji.open_hand("ann", table)
    assert "3♢" in labels_in(ann)
    assert len(emoji_in(ann)) == 13  # of twelve cards and a play that is offered
    await finish_match(with_emoji, table)


async def test_valid_emoji_refused_once_are_sent_again(with_emoji: World) -> None:
    table = await start_match(with_emoji)
    before, loaded = count_answers(with_emoji), count_emoji_lists(with_emoji)
    refuse_emoji(with_emoji.env.backend)
    opened = await with_emoji.open_hand("ann", table)
    assert len(emoji_in(opened)) == 14  # of thirteen cards and an offered play; an offered single is text
    assert (count_answers(with_emoji) - before, count_emoji_lists(with_emoji) - loaded) == (2, 1)
    sent = [each.json for each in with_emoji.env.http_requests if each.path.endswith("/callback")][-2:]
    assert sent[0] == sent[1], "the same payload"


async def test_a_late_answer_is_retried_only_in_text(with_emoji: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await start_match(with_emoji)
    delay_next_answer(with_emoji, monkeypatch, 1.6)
    refuse_emoji(with_emoji.env.backend)
    before = count_answers(with_emoji)
    opened = await with_emoji.open_hand("ann", table)
    assert not emoji_in(opened)
    assert count_answers(with_emoji) - before == 2


def delay_next_answer(here: World, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Delay the arrival of the next answer by this time."""
    adapter = here.env._webhook_adapter
    request, pauses = adapter.request, [seconds]

    async def slow(*route: Any, **how: Any) -> Any:
        if pauses:
            await asyncio.sleep(pauses.pop())
        return await request(*route, **how)

    monkeypatch.setattr(adapter, "request", slow)


async def test_the_emoji_list_is_loaded_at_most_once_in_five_minutes(with_emoji: World) -> None:
    table = await start_match(with_emoji, "ben", "cleo", "dev")
    loaded = count_emoji_lists(with_emoji)
    refusal = refuse_emoji(with_emoji.env.backend, times=None)
    await with_emoji.click_at_once([(name, "My hand") for name in with_emoji.people], with_emoji.board(table))
    assert count_emoji_lists(with_emoji) - loaded == 1, "one load for all"
    await with_emoji.advance(minutes=4)
    await with_emoji.open_hand("ann", table)
    assert count_emoji_lists(with_emoji) - loaded == 1
    await with_emoji.advance(minutes=2)
    await with_emoji.open_hand("ann", table)
    assert count_emoji_lists(with_emoji) - loaded == 2
    refusal.end()


async def test_a_retry_after_a_delivered_answer_is_neither_an_error_nor_a_duplicate(with_emoji: World) -> None:
    table = await start_match(with_emoji, "ben")
    refuse_emoji(with_emoji.env.backend, done=True)
    opened = await with_emoji.open_hand("ann", table)
    assert len(emoji_in(opened)) == 14  # of thirteen cards and an offered play; an offered single is text
    assert not opened.followups
    refuse_emoji(with_emoji.env.backend, done=True)
    await with_emoji.pick("ann", opened, "3d")
    assert "bg1_3d_four_up" in emoji_in(opened), "also when the clicked message is updated"
    refuse_emoji(with_emoji.env.backend, done=True)
    bens = await with_emoji.open_hand("ben", table)
    await with_emoji.play("ann", table, cards("3d"))
    assert "Your turn" in private_reply(bens).text, "the hand is updated"


async def test_a_retry_that_comes_too_late_is_no_error(with_emoji: World) -> None:
    table = await start_match(with_emoji)
    refusal = refuse_emoji(with_emoji.env.backend, times=None)
    with_emoji.env.slow_answers(1.4)
    opened = await with_emoji.open_hand("ann", table)
    assert (refusal.hits, opened.response) == (2, None), "a third try is too late for Discord"


# All ways in which a player gets a hand


async def test_a_deferred_answer_is_sent_in_text(with_emoji: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await start_match(with_emoji)
    refuse_emoji(with_emoji.env.backend, times=2)
    with monkeypatch.context() as slow:
        delay_handlers(with_emoji, slow)
        opened = await with_emoji.open_hand("ann", table)
    assert not emoji_in(opened)
    assert len(labels_in(opened)) >= 13


async def test_a_click_on_the_hand_updates_the_hand_in_text_at_once_and_when_deferred(
    with_emoji: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await start_match(with_emoji)
    opened = await with_emoji.open_hand("ann", table)
    refuse_emoji(with_emoji.env.backend, times=2)
    await with_emoji.pick("ann", opened, "3d")
    assert not emoji_in(opened)
    await with_emoji.advance(minutes=2)
    with monkeypatch.context() as slow:
        delay_handlers(with_emoji, slow)
        refuse_emoji(with_emoji.env.backend, times=2)
        await with_emoji.pick("ann", opened, "3d", "3c")
    assert not emoji_in(opened)
    assert private_reply(await with_emoji.press_on("ann", opened, "⋯"))


async def test_a_follow_up_is_sent_once_in_text(with_emoji: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await start_match(with_emoji, "ben")
    await with_emoji.play("ann", table, cards("3d"))
    seen = with_emoji.board(table)
    await with_emoji.pass_("ben", table)
    refusal = refuse_emoji(with_emoji.env.backend, times=2)
    with monkeypatch.context() as slow:
        delay_handlers(with_emoji, slow)
        late = await with_emoji.click_stale("ann", seen, "Pass")
    (shown,) = late.followups
    assert refusal.hits
    assert "bg1_" not in components(shown.message)
    assert "The game has moved on" in ParsedMessage.of(shown.message).text


@pytest.mark.rotates(2)
@pytest.mark.parametrize("command", ["hand", "turn"])
async def test_a_command_with_refused_emoji_is_answered_in_text(with_emoji: World, command: str) -> None:
    table = await start_match(with_emoji)
    refuse_emoji(with_emoji.env.backend, times=2)
    options = {"table": table.id} | ({"move": "3d 3c"} if command == "turn" else {})
    given = await with_emoji.ann.slash(with_emoji.channel, command, **options)
    await with_emoji.settle()
    assert not emoji_in(given)
    assert len(labels_in(given)) >= 11


async def test_an_open_hand_is_updated_in_text(with_emoji: World) -> None:
    table = await start_match(with_emoji, "ben")
    bens = await with_emoji.open_hand("ben", table)
    refuse_emoji(with_emoji.env.backend, times=2)
    while with_emoji.current_player(table) != "ben":
        await with_emoji.act("ann", table)
    await with_emoji.settle()
    assert "Your turn" in private_reply(bens).text
    assert not emoji_in(bens)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("notices", [False, True])
async def test_a_hand_with_refused_emoji_is_sent_by_direct_message_in_text(with_emoji: World, *, notices: bool) -> None:
    wish: dict[str, Any] = {"notices": "direct"} if notices else {"mirror": True}
    await with_emoji.parts.preferences.change(with_emoji.people["ben"].id, **wish)
    table = await start_awaiting_ben(with_emoji, "relaxed 10h")
    refusal = refuse_emoji(with_emoji.env.backend, times=2)
    await with_emoji.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(with_emoji, "ben")
    assert refusal.hits == 2
    assert "bg1_" not in components(message)
    assert "Big Two, table 1" in ParsedMessage.of(message).text
    view = table.scene(with_emoji.people["ben"].id).view
    assert view
    assert all(f"'{symbol(card)}'" in components(message) for card in view.hand)


async def test_a_hand_by_direct_message_is_updated_in_text(with_emoji: World) -> None:
    await with_emoji.parts.preferences.change(with_emoji.people["ben"].id, notices="direct")
    await start_awaiting_ben(with_emoji, "relaxed 10h")
    await with_emoji.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(with_emoji, "ben")
    assert "bg1_" in components(message)
    refusal = refuse_emoji(with_emoji.env.backend, f"/channels/{message.channel.id}/messages/*", times=2)
    await start_awaiting_ben(with_emoji, "relaxed 10h")
    await with_emoji.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(with_emoji, "ben")
    assert refusal.hits == 2
    assert "bg1_" not in components(message)


def components(message: discord.Message) -> str:
    """Return the components of a message in wire form, as text."""
    return str([part.to_dict() for part in message.components])


async def test_a_welcome_with_refused_emoji_is_posted_without_them(with_emoji: World) -> None:
    refuse_emoji(with_emoji.env.backend, times=2)
    room = with_emoji.bot.get_channel(with_emoji.channel.id)
    with_emoji.bot.dispatch("first_sight", room)
    await with_emoji.settle()
    (welcome,) = with_emoji.channel.history()
    assert "bg1_" not in components(welcome)


async def test_a_board_with_refused_emoji_is_shown_in_text_at_once(with_emoji: World) -> None:
    table = await start_match(with_emoji, "ben")
    await with_emoji.act("ann", table)
    assert "<:bg1_" in with_emoji.read_board(table).text
    with_emoji.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    await with_emoji.act("ben", table)
    await with_emoji.settle()
    assert "<:bg1_" not in with_emoji.read_board(table).text
    assert "`" in with_emoji.read_board(table).text
    await with_emoji.advance(minutes=1)
    await with_emoji.act("ann", table)
    await with_emoji.settle()
    assert "<:bg1_" in with_emoji.read_board(table).text
    await check_match_continues(with_emoji, table)


# The circuit breaker


async def test_a_player_with_two_refusals_gets_text_for_a_minute(with_emoji: World) -> None:
    table = await start_match(with_emoji, "ben")
    refuse_emoji(with_emoji.env.backend, times=2)
    opened = await with_emoji.open_hand("ann", table)
    before = count_answers(with_emoji)
    await with_emoji.pick("ann", opened, "3d")
    assert not emoji_in(opened)
    assert emoji_in(await with_emoji.open_hand("ben", table)), "other players still get emoji"
    assert count_answers(with_emoji) - before == 2, "one request each"
    await with_emoji.advance(minutes=1)
    await with_emoji.pick("ann", opened, "3d", "3c")
    assert {"bg1_3d_four_up", "bg1_3c_four_up"} <= set(emoji_in(opened))


async def test_cards_selected_on_a_text_hand_are_read_after_a_restart(with_emoji: World) -> None:
    table = await start_match(with_emoji)
    refuse_emoji(with_emoji.env.backend, times=2)
    opened = await with_emoji.open_hand("ann", table)
    await with_emoji.pick("ann", opened, "3d")
    assert not emoji_in(opened)
    await with_emoji.restart()
    refusal = refuse_emoji(with_emoji.env.backend, times=None)
    await with_emoji.pick("ann", opened, "3d", "3c")
    (play,) = [label for label, (address, _) in private_reply(opened).buttons.items() if ":play:" in address]
    await with_emoji.press_on("ann", opened, play)
    view = (await with_emoji.reload(table)).scene(with_emoji.ann.id).view
    assert view
    assert not {"3d", "3c"} & set(map(str, view.hand)), "both were played"
    assert refusal.hits == 0, "without emoji nothing was refused"


# Other refusals


@pytest.mark.rotates(4)
@pytest.mark.parametrize(("status", "code"), [(400, 50035), (413, 40005), (413, 0), (400, 0)])
async def test_a_hand_refused_for_another_reason_is_sent_in_text(with_emoji: World, status: int, code: int) -> None:
    table = await start_match(with_emoji)
    before = count_answers(with_emoji)
    with_emoji.env.inject_error("POST", CALLBACK_PATH, status=status, code=code, times=1)
    opened = await with_emoji.open_hand("ann", table)
    assert not emoji_in(opened)
    assert len(labels_in(opened)) >= 13
    assert count_answers(with_emoji) - before == 2
    await with_emoji.advance(minutes=1)
    assert emoji_in(await with_emoji.open_hand("ann", table))


@pytest.mark.rotates(2)
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("opened", [False, True])
async def test_a_user_whose_screen_is_always_refused_gets_a_sentence(
    with_emoji: World, monkeypatch: pytest.MonkeyPatch, *, late: bool, opened: bool
) -> None:
    table = await start_match(with_emoji)
    hand = await with_emoji.open_hand("ann", table) if opened else None
    with monkeypatch.context() as slow:
        if late:
            delay_handlers(with_emoji, slow)
        where = ("PATCH", "/webhooks/*/messages/*") if late else ("POST", CALLBACK_PATH)
        with_emoji.env.inject_error(*where, status=400, code=50035, times=2)
        result = await (with_emoji.press_on("ann", hand, "⋯") if hand else with_emoji.open_hand("ann", table))
    said = [each.message.content for each in (*result.followups, result.response) if each]
    assert BROKEN in said
    if hand:
        assert emoji_in(hand), "the clicked message is unchanged"
    assert not emoji_in(await with_emoji.open_hand("ann", table)), "in text for a minute"


async def test_a_refused_picture_is_replaced_by_text(played: World) -> None:
    refusal = refuse_files(played.env.backend, times=None)
    shown = await open_profile(played, "ann")
    assert "won: 5 / 8" in private_reply(shown).text
    assert "As a picture" in private_reply(shown).buttons
    assert refusal.hits == 1
    await open_profile(played, "ann")
    assert refusal.hits == 1, "no picture for a minute"
    given = await played.press_on("ann", shown, "As a picture")
    said = (given.response or given.followups[-1]).message.content
    assert "won: 5 / 8" in said
    assert said.endswith(NO_FILE)
    assert refusal.hits == 2, "a requested picture is sent"


@pytest.mark.parametrize("done", [False, True])
async def test_an_interrupted_upload_leaves_one_answer_in_text(
    played: World, monkeypatch: pytest.MonkeyPatch, *, done: bool
) -> None:
    adapter = played.env._webhook_adapter
    request, broken = adapter.request, list[bool]()

    async def breaking(*route: Any, **how: Any) -> Any:
        if not how.get("files") or broken:
            return await request(*route, **how)
        broken.append(True)
        if done:
            await request(*route, **how)
        raise aiohttp.ClientOSError

    monkeypatch.setattr(adapter, "request", breaking)
    shown = await open_profile(played, "ann")
    assert broken
    assert not shown.followups
    told = private_reply(shown).text if not done else test_profile.picture_description(shown)
    assert "won: 5 / 8" in told


async def test_a_refused_form_is_answered_with_a_sentence(here: World) -> None:
    table = await here.open_table()
    book = await here.press_on("ann", await here.press("ann", table, "Rules…"), "Rules")
    here.env.inject_error("POST", CALLBACK_PATH, status=400, code=50035, times=1)
    assert private_reply(await here.press_on("ann", book, "Search")).text == BROKEN


async def test_a_recreated_emoji_is_used_by_its_new_id(with_emoji: World) -> None:
    table = await start_match(with_emoji)
    delete_emoji(with_emoji, "bg1_3d_four")
    made = with_emoji.env.backend.create_application_emoji("bg1_3d_four")
    uploads = with_emoji.requests("POST", EMOJI_PATH)
    await with_emoji.open_hand("ann", table)
    await with_emoji.advance(minutes=1)
    opened = await with_emoji.open_hand("ann", table)
    assert {part.emoji.id for part in _buttons(opened) if part.emoji and part.emoji.name == "bg1_3d_four"} == {made.id}
    assert with_emoji.requests("POST", EMOJI_PATH) == uploads, "existing emoji are not uploaded again"


async def test_a_refused_file_is_reported_to_the_user(here: World) -> None:
    refusal = refuse_files(here.env.backend)
    for expected in (True, False):
        shown = await here.people["ann"].slash(here.channel, "my data")
        await here.settle()
        given = private_reply(await here.press_on("ann", shown, "Show me everything"))
        assert "Here's everything I store about you" in given.text
        assert (NO_FILE in given.text) is expected
    assert refusal.hits == 1
