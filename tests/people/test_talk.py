"""A board that talk has taken out of sight follows it, and a call carries the button that is asked for."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from bot.ai.plain import plain_action, timeout_action
from bot.domain.ids import UserId
from bot.rules.core.asks import Pass, Play
from bot.show.table.notices import ping_row
from bot.table.core.commands import Act
from bot.table.table import Table
from tests.people.test_votes import ask_for_vote, start_vote
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_DUEL, SHORT_HANDS, World, world

LATEST = "/channels/*/messages"


async def send_messages(here: World, times: int, seconds: float = 7) -> None:
    """Send messages in the channel. seconds: between two of them."""
    for at in range(times):
        await here.people["ben"].send(here.channel, f"and another thing, number {at}")
    await here.advance(seconds=seconds)


async def play_awaited(here: World, table: Table) -> None:
    """Play for the awaited player."""
    await here.act(str(here.current_player(table)), table)


async def start_below_talk(here: World, times: int, **options: Any) -> tuple[Table, int | None]:
    """Start a table, send messages, and play once; return the table and its former board."""
    table = await here.start_table("ben", "cleo", "dev", **options)
    before = table.row.message
    await send_messages(here, times)
    await play_awaited(here, table)
    return table, before


def ping_messages(here: World, table: Table) -> list[discord.Message]:
    """Return the messages with mentions, oldest first."""
    return [message for message in here.channel_of(table).history() if "<@" in message.content]


async def single_ping(here: World, table: Table) -> discord.Message:
    """Return the single ping, once due."""
    await here.advance(seconds=10)
    (called,) = ping_messages(here, table)
    return called


# The board follows the talk


async def test_1_7_a_board_is_reposted_after_twelve_messages(here: World) -> None:
    table, before = await start_below_talk(here, 12)
    assert table.row.message != before
    assert before not in [message.id for message in here.channel.history()], "the old one is gone"
    assert str(here.current_player(table)) in here.read_board(table).text
    assert here.board(table).flags.suppress_notifications


async def test_a_quiet_channel_is_polled_less_often(here: World) -> None:
    """Issue 39, 1.6: at a live table a look for talk was sent with every second play."""
    table, before = await start_below_talk(here, 0)
    earlier = here.requests("GET", LATEST)
    for _ in range(10):
        await here.advance(seconds=7)
        await play_awaited(here, table)
    assert here.requests("GET", LATEST) - earlier <= 4
    await send_messages(here, 12, 25)
    await play_awaited(here, table)
    assert table.row.message != before, "it follows all the same"


async def test_1_7_only_messages_of_people_count_as_talk(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    before, home = table.row.message, here.bot.get_partial_messageable(here.channel.id)
    for at in range(13):
        await home.send(f"the bot says {at}")
    await play_awaited(here, table)
    assert table.row.message == before
    await send_messages(here, 11)
    await here.advance(seconds=16)
    await play_awaited(here, table)
    assert table.row.message == before
    await send_messages(here, 1)
    await here.advance(seconds=16)
    await play_awaited(here, table)
    assert table.row.message != before


async def test_1_7_a_ping_reposts_the_board(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="live")
    before = table.row.message
    await send_messages(here, 12)
    await single_ping(here, table)
    assert table.row.message != before


async def test_1_7_a_table_is_posted_again_once_a_minute_at_most(here: World) -> None:
    table, _ = await start_below_talk(here, 12)
    posted = table.row.message
    await send_messages(here, 20)
    await here.advance(seconds=20)
    await play_awaited(here, table)
    assert table.row.message == posted
    await here.advance(seconds=41)
    await play_awaited(here, table)
    assert table.row.message != posted


async def test_1_7_one_poll_serves_all_tables_of_a_channel(
    here: World,
) -> None:
    first = await here.start_table("ben", pace="none")
    second = await here.start_table("dev", by="cleo", pace="none")
    before, looks = (first.row.message, second.row.message), here.requests("GET", "/channels/*/messages")
    await send_messages(here, 12)
    await play_awaited(here, first)
    await play_awaited(here, second)
    assert first.row.message != before[0]
    assert second.row.message == before[1]
    assert here.requests("GET", "/channels/*/messages") == looks + 1
    await here.advance(seconds=16)
    await play_awaited(here, second)
    assert second.row.message != before[1]


async def test_1_7_the_board_of_a_slow_table_is_not_reposted(here: World) -> None:
    table, before = await start_below_talk(here, 12, pace="slow")
    assert table.row.message == before


async def test_1_7_a_lobby_is_reposted_at_any_pace(here: World) -> None:
    table = await here.open_table(pace="daily")
    before = table.row.message
    await send_messages(here, 12)
    await here.press("ben", table, "Join")
    assert table.row.message != before
    assert "ben" in here.read_board(table).text


async def test_1_7_the_end_card_is_reposted(here: World) -> None:
    here.deal = SHORT_DUEL
    table = await here.start_table("ben", seats=2, hands=1, pace="live asked")
    for _ in range(plays_left(table) - 1):
        await here._act(here.people[str(here.current_player(table))].id, table, plain_action)
    before = table.row.message
    await send_messages(here, 12)
    await here.advance(minutes=1)
    await play_awaited(here, table)
    assert table.stage == "over"
    assert table.row.message != before
    assert "Rematch" in here.read_board(table).buttons


def plays_left(table: Table) -> int:
    """Return how often players will have acted at the end of the match."""
    match, number = table.match, 0
    assert match is not None
    while not match.over:
        seat = min(match.to_act)
        action = plain_action(match.view(seat))
        match, number = match.act(seat, action if isinstance(action, Play) else Pass()), number + 1
    return number


async def test_1_7_no_repost_without_permission_to_read_messages(here: World) -> None:
    await here.set_bot_permissions(here.channel, read_message_history=False)
    table, before = await start_below_talk(here, 12)
    assert table.row.message == before


async def test_1_7_a_suspended_table_below_talk_says_so(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev")
    await send_messages(here, 12)
    await here.set_bot_permissions(here.channel, send_messages=False)
    assert "💤 This table is suspended because I can't post" in here.read_board(table).text


async def test_1_7_play_now_on_a_just_reposted_lobby_opens_the_thread(tmp_path: Any) -> None:
    async with world(tmp_path, threads=True) as here:
        table = await here.open_table()
        seen = here.board(table)
        here.env.inject_error("DELETE", "/channels/*/messages/*", status=500, times=None)  # it is still in sight
        await send_messages(here, 12)
        await here.press("ben", table, "Join")
        board = table.row.message
        assert seen.id != board
        await here.click_stale("ann", seen, "Play now")
        await here.settle()
        assert table.row.home != here.channel.id
        assert int(table.row.home) == board, "the thread is under the board that stands there"
        (lobby,) = [message for message in here.channel.history() if message.id == board]
        assert f"<#{table.row.home}>" in ParsedMessage.of(lobby).text


@pytest.mark.rotates(2)
@pytest.mark.parametrize("gone", [False, True], ids=["there", "gone"])
async def test_1_7_a_lobby_reposted_while_its_thread_opens_links_to_it(tmp_path: Any, *, gone: bool) -> None:
    async with world(tmp_path, threads=True) as here:
        table = await here.open_table()
        await here.fill_up("ann", table)
        lobby, request = here.board(table), here.bot.http.request

        async def slow(route: Any, **how: Any) -> Any:
            if route.path.endswith("/threads"):
                here.bot.http.request = request  # type: ignore[method-assign]
                here.parts.delivery.boards.repost(table)
                for _ in range(1000):
                    if table.row.message == lobby.id or gone:
                        await asyncio.sleep(0)
                assert table.row.message != lobby.id
            return await request(route, **how)

        here.bot.http.request = slow  # type: ignore[method-assign]
        await here.press("ann", table, "Start")
        (left,) = [message for message in here.channel.history() if message.components]
        assert table.row.home != here.channel.id
        assert f"<#{table.row.home}>" in ParsedMessage.of(left).text
        assert not ParsedMessage.of(left).buttons


# A call carries its button


async def test_1_7_a_ping_and_its_reminder_have_the_hand_button(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="live")
    called = await single_ping(here, table)
    name = str(here.current_player(table))
    assert here.people[name].mention in called.content
    assert "My hand" in ParsedMessage.of(called).buttons
    await here.advance(seconds=90)
    (reminder,) = ping_messages(here, table)
    assert "your time runs out" in reminder.content
    shown = await here.people[name].click(reminder, label="My hand")
    assert "Your turn" in private_reply(shown).text


async def test_1_7_a_player_whose_ping_was_deleted_is_reminded(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="live")
    called = await single_ping(here, table)
    here.env.backend.delete_message(here.channel.id, called.id)
    await here.advance(seconds=90)
    (reminder,) = ping_messages(here, table)
    assert "your time runs out" in reminder.content
    assert "My hand" in ParsedMessage.of(reminder).buttons


async def test_1_7_an_invitation_has_a_join_button_and_the_terms(here: World) -> None:
    table = await here.open_table()
    shown = await here.press("ann", table, "Invite")
    assert shown.response is not None
    await here.ann.select(shown.response.message, [here.people["ben"]], custom_id=f"bg:{table.id}:call")
    await here.settle()
    (called,) = ping_messages(here, table)
    terms = await here.people["ben"].click(called, label="Join")
    await here.settle()
    assert "Agree and join" in private_reply(terms).buttons
    await here.press_on("ben", terms, "Agree and join")
    assert here.people["ben"].id in [chair.user for chair in table.row.chairs]


def vote_pings(here: World, table: Table) -> dict[str, discord.Message]:
    """Return the latest vote pings by the pinged player."""
    found = sorted(ping_messages(here, table), key=lambda each: each.id)
    asked = [each for each in found if "I agree" in ParsedMessage.of(each).buttons]
    return {name: each for each in asked for name, who in here.people.items() if who.mention in each.content}


async def test_1_7_a_vote_ping_names_the_asker_and_the_effect(here: World) -> None:
    table, _ = await start_vote(here, "ann", "again", "ben", "cleo", pace="live")
    await here.advance(seconds=10)
    called, dealt = vote_pings(here, table), table.scene(None).tally.deal
    assert called.keys() == {"ben", "cleo"}
    assert "ann would like this hand dealt again: it wouldn't count." in called["ben"].content
    for name, ballot in called.items():
        await here.people[name].click(ballot, label="I agree")
        await here.settle()
    assert table.scene(None).tally.deal > dealt
    assert not vote_pings(here, table)


async def test_1_7_a_second_vote_pings_again_and_ignores_old_agreements(here: World) -> None:
    table, _ = await start_vote(here, "ann", "pause", "ben", "cleo", pace="live")
    await here.advance(seconds=10)
    first = vote_pings(here, table)["cleo"]
    here.env.inject_error("DELETE", "/channels/*/messages/*", status=500, times=None)  # it is still in sight
    await here.people["ben"].click(first, label="No")
    await here.settle()
    nobody = await here.people["ben"].click(first, label="I agree")
    assert "Nobody's asking for that any more" in private_reply(nobody).text
    await here.press_on("ben", await ask_for_vote(here, table, "ben", "pause"), "Ask everyone")
    await here.advance(seconds=10)
    second = vote_pings(here, table)["cleo"]
    assert "ben would like a break" in second.content
    late = await here.people["cleo"].click(first, label="I agree")
    assert "The game has moved on" in private_reply(late).text
    assert table.scene(None).wait.agreeing == {1}
    await here.people["cleo"].click(second, label="I agree")
    await here.settle()
    assert table.scene(None).wait.agreeing == {1, 2}


async def test_1_7_a_vote_between_hands_pings_with_buttons_only_while_it_is_open(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", "cleo", "dev", hands=2, pace="live")
    await here.play_hand(table)
    assert table.stage == "between"
    scene = table.scene(None)
    row = ping_row(scene, here.parts.localization.words_for_table(scene), [here.people["ben"].id])
    assert "I agree" not in str(row.drawn.to_components()), "as if it was drawn after its vote was refused"
    await here.press_on("ann", await ask_for_vote(here, table, "ann", "pause"), "Ask everyone")
    await here.advance(seconds=10)
    assert "ann would like a break" in vote_pings(here, table)["ben"].content


async def test_1_7_the_end_card_has_the_rematch_button(here: World) -> None:
    here.deal = SHORT_HANDS
    table = await here.start_table("ben", hands=1)
    await here.people["cleo"].click(here.board(table), label="⋯")
    await here.play_hand(table)
    await here.press("ann", table, "Rematch")
    (news,) = [each for each in here.channel.history() if "Rematch" in ParsedMessage.of(each).buttons and each.content]
    await here.people["ben"].click(news, label="Rematch")
    await here.settle()
    again = max(await here.parts.store.tables.open_tables())
    assert (await here.parts.tables.get(again)).row.phase == "playing"


async def test_1_7_a_secret_answer_reposts_no_board(here: World) -> None:
    here.arrive("eve")
    table = await here.start_table("ben", "cleo", "dev", "eve", rules="BA:std", pace="none")
    assert table.scene(None).together
    await send_messages(here, 12)
    before, looks = table.row.message, here.requests("GET", "/channels/*/messages")
    user = UserId(min(table.state.missing))
    view = table.scene(user).view
    assert view is not None
    await table.do(Act(user, timeout_action(view)))
    await here.settle()
    assert (table.row.message, here.requests("GET", "/channels/*/messages")) == (before, looks)
