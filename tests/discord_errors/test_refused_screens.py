"""Discord refuses a screen for an emoji or another part: its reader gets it all the same."""

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
from tests.discord_errors.discord_outages import goes_on, started, to_the_end
from tests.interactions.slow_answers import delay_handlers
from tests.people import test_profile
from tests.people.test_notices import NOTICE_SECONDS, direct_messages, start_awaiting_ben
from tests.people.test_profile import open_profile
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.refusals import refuse_emoji, refuse_files
from tests.support.world import World

CALLBACK, LIST = "/interactions/*/callback", "/applications/*/emojis"
played = test_profile.played  # a fixture


@pytest_asyncio.fixture
async def drawn(here: World) -> AsyncIterator[World]:
    """Give a server with every card emoji."""
    await here.draw_cards()
    yield here


def delete(here: World, *names: str) -> None:
    """Let a player delete these emoji of the application on Discord."""
    known = here.env.backend.application_emojis
    for number in [number for number, emoji in known.items() if emoji.name in names]:
        del known[number]


def lists(here: World) -> int:
    """Count how often the list of emoji was loaded."""
    return here.requests("GET", LIST)


def answers(here: World) -> int:
    """Count the answers that were tried."""
    return here.requests("POST", CALLBACK)


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


# Emoji: the same once more, then cards as text; the list is loaded again


@pytest.mark.rotates(4)
@pytest.mark.parametrize("look", ["bg1_3d", "bg1_3d_up", "bg1_3d_four", "bg1_3d_four_up"])
async def test_a_hand_is_answered_with_text_where_an_emoji_was_deleted(drawn: World, look: str) -> None:
    await drawn.parts.preferences.change(drawn.ann.id, suit_colours="four" if "four" in look else "two")
    table = await started(drawn)
    if look.endswith("_up"):
        await drawn.pick("ann", await drawn.open_hand("ann", table), "3d")
    delete(drawn, look)
    before, loaded = answers(drawn), lists(drawn)
    opened = await drawn.open_hand("ann", table)
    assert answers(drawn) - before == 3, "as drawn, once more, in text"
    assert not emoji_in(opened)
    assert "<:" not in private_reply(opened).text
    hand = table.scene(drawn.ann.id).view
    assert hand
    plain = [label.replace("\u0332", "") for label in labels_in(opened)]
    assert {symbol(card) for card in hand.hand} <= set(plain), "each button still names its card"
    assert lists(drawn) - loaded == 1
    await drawn.advance(minutes=1)
    again = await drawn.open_hand("ann", table)
    assert look in emoji_in(again), "uploaded again, and used"
    assert answers(drawn) - before == 4
    await goes_on(drawn, table)


async def test_only_missing_emoji_are_set_aside_and_for_all(drawn: World) -> None:
    drawn.env.inject_error("POST", LIST, status=500, times=None)
    table = await started(drawn, "ben")
    delete(drawn, "bg1_3d_four", "bg1_3h")
    await drawn.open_hand("ann", table)
    before = answers(drawn)
    shown = {name: emoji_in(await drawn.open_hand(name, table)) for name in ("ben",)}
    assert answers(drawn) - before == 1, "nothing is refused any more"
    hand = table.scene(drawn.people["ben"].id).view
    assert hand
    missing = {card for card in hand.hand if str(card) in ("3d", "3h")}
    assert len(shown["ben"]) == len(hand.hand) - len(missing)
    await drawn.advance(minutes=2)
    ann = await drawn.open_hand("ann", table)
    assert "3♢" in labels_in(ann)
    assert len(emoji_in(ann)) == 13  # of twelve cards and a play that is offered
    await to_the_end(drawn, table)


async def test_good_emoji_that_are_refused_once_are_sent_once_more(drawn: World) -> None:
    table = await started(drawn)
    before, loaded = answers(drawn), lists(drawn)
    refuse_emoji(drawn.env.backend)
    opened = await drawn.open_hand("ann", table)
    assert len(emoji_in(opened)) == 14  # of thirteen cards and an offered play; an offered single is text
    assert (answers(drawn) - before, lists(drawn) - loaded) == (2, 1)
    sent = [each.json for each in drawn.env.http_requests if each.path.endswith("/callback")][-2:]
    assert sent[0] == sent[1], "the same payload"


async def test_a_late_answer_is_not_tried_twice_as_drawn(drawn: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await started(drawn)
    slow_once(drawn, monkeypatch, 1.6)
    refuse_emoji(drawn.env.backend)
    before = answers(drawn)
    opened = await drawn.open_hand("ann", table)
    assert not emoji_in(opened)
    assert answers(drawn) - before == 2


def slow_once(here: World, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Take so long until the next answer has arrived."""
    adapter = here.env._webhook_adapter
    request, pauses = adapter.request, [seconds]

    async def slow(*route: Any, **how: Any) -> Any:
        if pauses:
            await asyncio.sleep(pauses.pop())
        return await request(*route, **how)

    monkeypatch.setattr(adapter, "request", slow)


async def test_the_list_is_loaded_at_most_once_in_five_minutes(drawn: World) -> None:
    table = await started(drawn, "ben", "cleo", "dev")
    loaded = lists(drawn)
    refusal = refuse_emoji(drawn.env.backend, times=None)
    await drawn.click_at_once([(name, "My hand") for name in drawn.people], drawn.board(table))
    assert lists(drawn) - loaded == 1, "one load for all"
    await drawn.advance(minutes=4)
    await drawn.open_hand("ann", table)
    assert lists(drawn) - loaded == 1
    await drawn.advance(minutes=2)
    await drawn.open_hand("ann", table)
    assert lists(drawn) - loaded == 2
    refusal.end()


async def test_a_first_try_that_got_through_is_neither_an_error_nor_doubled(drawn: World) -> None:
    table = await started(drawn, "ben")
    refuse_emoji(drawn.env.backend, done=True)
    opened = await drawn.open_hand("ann", table)
    assert len(emoji_in(opened)) == 14  # of thirteen cards and an offered play; an offered single is text
    assert not opened.followups
    refuse_emoji(drawn.env.backend, done=True)
    await drawn.pick("ann", opened, "3d")
    assert "bg1_3d_four_up" in emoji_in(opened), "also where it changes what was clicked on"
    refuse_emoji(drawn.env.backend, done=True)
    bens = await drawn.open_hand("ben", table)
    await drawn.play("ann", table, cards("3d"))
    assert "Your turn" in private_reply(bens).text, "and it follows the game"


async def test_a_retry_that_comes_too_late_is_no_error(drawn: World) -> None:
    table = await started(drawn)
    refusal = refuse_emoji(drawn.env.backend, times=None)
    drawn.env.slow_answers(1.4)
    opened = await drawn.open_hand("ann", table)
    assert (refusal.hits, opened.response) == (2, None), "a third try is too late for Discord"


# Every way in which a hand reaches its reader


async def test_an_answer_that_was_promised_is_filled_in_text(drawn: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await started(drawn)
    refuse_emoji(drawn.env.backend, times=2)
    with monkeypatch.context() as slow:
        delay_handlers(drawn, slow)
        opened = await drawn.open_hand("ann", table)
    assert not emoji_in(opened)
    assert len(labels_in(opened)) >= 13


async def test_a_click_on_the_hand_is_answered_there_at_once_and_late(
    drawn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(drawn)
    opened = await drawn.open_hand("ann", table)
    refuse_emoji(drawn.env.backend, times=2)
    await drawn.pick("ann", opened, "3d")
    assert not emoji_in(opened)
    await drawn.advance(minutes=2)
    with monkeypatch.context() as slow:
        delay_handlers(drawn, slow)
        refuse_emoji(drawn.env.backend, times=2)
        await drawn.pick("ann", opened, "3d", "3c")
    assert not emoji_in(opened)
    assert private_reply(await drawn.press_on("ann", opened, "⋯"))


async def test_a_follow_up_is_sent_in_text_and_once(drawn: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await started(drawn, "ben")
    await drawn.play("ann", table, cards("3d"))
    seen = drawn.board(table)
    await drawn.pass_("ben", table)
    refusal = refuse_emoji(drawn.env.backend, times=2)
    with monkeypatch.context() as slow:
        delay_handlers(drawn, slow)
        late = await drawn.click_stale("ann", seen, "Pass")
    (shown,) = late.followups
    assert refusal.hits
    assert "bg1_" not in components(shown.message)
    assert "The game has moved on" in ParsedMessage.of(shown.message).text


@pytest.mark.rotates(2)
@pytest.mark.parametrize("command", ["hand", "turn"])
async def test_a_command_is_answered_in_text(drawn: World, command: str) -> None:
    table = await started(drawn)
    refuse_emoji(drawn.env.backend, times=2)
    options = {"table": table.id} | ({"move": "3d 3c"} if command == "turn" else {})
    given = await drawn.ann.slash(drawn.channel, command, **options)
    await drawn.settle()
    assert not emoji_in(given)
    assert len(labels_in(given)) >= 11


async def test_an_open_hand_follows_the_game_in_text(drawn: World) -> None:
    table = await started(drawn, "ben")
    bens = await drawn.open_hand("ben", table)
    refuse_emoji(drawn.env.backend, times=2)
    while drawn.current_player(table) != "ben":
        await drawn.act("ann", table)
    await drawn.settle()
    assert "Your turn" in private_reply(bens).text
    assert not emoji_in(bens)


@pytest.mark.rotates(2)
@pytest.mark.parametrize("notices", [False, True])
async def test_a_hand_by_direct_message_is_sent_in_text(drawn: World, *, notices: bool) -> None:
    wish: dict[str, Any] = {"notices": "direct"} if notices else {"mirror": True}
    await drawn.parts.preferences.change(drawn.people["ben"].id, **wish)
    table = await start_awaiting_ben(drawn, "relaxed 10h")
    refusal = refuse_emoji(drawn.env.backend, times=2)
    await drawn.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(drawn, "ben")
    assert refusal.hits == 2
    assert "bg1_" not in components(message)
    assert "Big Two, table 1" in ParsedMessage.of(message).text
    view = table.scene(drawn.people["ben"].id).view
    assert view
    assert all(f"'{symbol(card)}'" in components(message) for card in view.hand)


async def test_a_hand_by_direct_message_is_changed_in_text(drawn: World) -> None:
    await drawn.parts.preferences.change(drawn.people["ben"].id, notices="direct")
    await start_awaiting_ben(drawn, "relaxed 10h")
    await drawn.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(drawn, "ben")
    assert "bg1_" in components(message)
    refusal = refuse_emoji(drawn.env.backend, f"/channels/{message.channel.id}/messages/*", times=2)
    await start_awaiting_ben(drawn, "relaxed 10h")
    await drawn.advance(seconds=NOTICE_SECONDS)
    (message,) = direct_messages(drawn, "ben")
    assert refusal.hits == 2
    assert "bg1_" not in components(message)


def components(message: discord.Message) -> str:
    """Return the components of a message as Discord writes them down."""
    return str([part.to_dict() for part in message.components])


async def test_a_welcome_is_posted_without_emoji(drawn: World) -> None:
    refuse_emoji(drawn.env.backend, times=2)
    room = drawn.bot.get_channel(drawn.channel.id)
    drawn.bot.dispatch("first_sight", room)
    await drawn.settle()
    (welcome,) = drawn.channel.history()
    assert "bg1_" not in components(welcome)


async def test_a_board_that_is_refused_is_shown_in_text_at_once(drawn: World) -> None:
    table = await started(drawn, "ben")
    await drawn.act("ann", table)
    assert "<:bg1_" in drawn.read_board(table).text
    drawn.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=1)
    await drawn.act("ben", table)
    await drawn.settle()
    assert "<:bg1_" not in drawn.read_board(table).text
    assert "`" in drawn.read_board(table).text
    await drawn.advance(minutes=1)
    await drawn.act("ann", table)
    await drawn.settle()
    assert "<:bg1_" in drawn.read_board(table).text
    await goes_on(drawn, table)


# The breaker


async def test_whom_it_was_refused_twice_reads_text_for_a_minute(drawn: World) -> None:
    table = await started(drawn, "ben")
    refuse_emoji(drawn.env.backend, times=2)
    opened = await drawn.open_hand("ann", table)
    before = answers(drawn)
    await drawn.pick("ann", opened, "3d")
    assert not emoji_in(opened)
    assert emoji_in(await drawn.open_hand("ben", table)), "others are drawn for as ever"
    assert answers(drawn) - before == 2, "one request each"
    await drawn.advance(minutes=1)
    await drawn.pick("ann", opened, "3d", "3c")
    assert {"bg1_3d_four_up", "bg1_3c_four_up"} <= set(emoji_in(opened))


async def test_picks_on_a_hand_in_text_are_read_after_a_restart(drawn: World) -> None:
    table = await started(drawn)
    refuse_emoji(drawn.env.backend, times=2)
    opened = await drawn.open_hand("ann", table)
    await drawn.pick("ann", opened, "3d")
    assert not emoji_in(opened)
    await drawn.restart()
    refusal = refuse_emoji(drawn.env.backend, times=None)
    await drawn.pick("ann", opened, "3d", "3c")
    (play,) = [label for label, (address, _) in private_reply(opened).buttons.items() if ":play:" in address]
    await drawn.press_on("ann", opened, play)
    view = (await drawn.reload(table)).scene(drawn.ann.id).view
    assert view
    assert not {"3d", "3c"} & set(map(str, view.hand)), "both were played"
    assert refusal.hits == 0, "without emoji nothing was refused"


# Whatever else Discord refuses


@pytest.mark.rotates(4)
@pytest.mark.parametrize(("status", "code"), [(400, 50035), (413, 40005), (413, 0), (400, 0)])
async def test_a_hand_that_is_refused_for_anything_is_sent_plainly(drawn: World, status: int, code: int) -> None:
    table = await started(drawn)
    before = answers(drawn)
    drawn.env.inject_error("POST", CALLBACK, status=status, code=code, times=1)
    opened = await drawn.open_hand("ann", table)
    assert not emoji_in(opened)
    assert len(labels_in(opened)) >= 13
    assert answers(drawn) - before == 2
    await drawn.advance(minutes=1)
    assert emoji_in(await drawn.open_hand("ann", table))


@pytest.mark.rotates(2)
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("opened", [False, True])
async def test_whoever_gets_no_screen_gets_a_sentence(
    drawn: World, monkeypatch: pytest.MonkeyPatch, *, late: bool, opened: bool
) -> None:
    table = await started(drawn)
    hand = await drawn.open_hand("ann", table) if opened else None
    with monkeypatch.context() as slow:
        if late:
            delay_handlers(drawn, slow)
        where = ("PATCH", "/webhooks/*/messages/*") if late else ("POST", CALLBACK)
        drawn.env.inject_error(*where, status=400, code=50035, times=2)
        result = await (drawn.press_on("ann", hand, "⋯") if hand else drawn.open_hand("ann", table))
    said = [each.message.content for each in (*result.followups, result.response) if each]
    assert BROKEN in said
    if hand:
        assert emoji_in(hand), "what was clicked on is left as it was"
    assert not emoji_in(await drawn.open_hand("ann", table)), "in text for a minute"


async def test_a_picture_that_is_refused_is_said_in_words(played: World) -> None:
    refusal = refuse_files(played.env.backend, times=None)
    shown = await open_profile(played, "ann")
    assert "won: 5 / 8" in private_reply(shown).text
    assert "As a picture" in private_reply(shown).buttons
    assert refusal.hits == 1
    await open_profile(played, "ann")
    assert refusal.hits == 1, "for a minute no picture is tried"
    given = await played.press_on("ann", shown, "As a picture")
    said = (given.response or given.followups[-1]).message.content
    assert "won: 5 / 8" in said
    assert said.endswith(NO_FILE)
    assert refusal.hits == 2, "what was asked for is"


@pytest.mark.parametrize("done", [False, True])
async def test_an_upload_that_breaks_off_leaves_words_and_no_double(
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


async def test_a_form_that_is_refused_is_a_sentence(here: World) -> None:
    table = await here.open_table()
    book = await here.press_on("ann", await here.press("ann", table, "Rules…"), "Rules")
    here.env.inject_error("POST", CALLBACK, status=400, code=50035, times=1)
    assert private_reply(await here.press_on("ann", book, "Search")).text == BROKEN


async def test_an_emoji_that_was_made_anew_is_used_by_its_new_number(drawn: World) -> None:
    table = await started(drawn)
    delete(drawn, "bg1_3d_four")
    made = drawn.env.backend.create_application_emoji("bg1_3d_four")
    uploads = drawn.requests("POST", LIST)
    await drawn.open_hand("ann", table)
    await drawn.advance(minutes=1)
    opened = await drawn.open_hand("ann", table)
    assert {part.emoji.id for part in _buttons(opened) if part.emoji and part.emoji.name == "bg1_3d_four"} == {made.id}
    assert drawn.requests("POST", LIST) == uploads, "nothing is uploaded that is there"


async def test_a_file_that_is_refused_is_told_of(here: World) -> None:
    refusal = refuse_files(here.env.backend)
    for expected in (True, False):
        shown = await here.people["ann"].slash(here.channel, "my data")
        await here.settle()
        given = private_reply(await here.press_on("ann", shown, "Show me everything"))
        assert "Here's everything I store about you" in given.text
        assert (NO_FILE in given.text) is expected
    assert refusal.hits == 1
