"""The line for a seat: +1 holds a place, the first is asked for two minutes, and the table serves the line in turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.results import InteractionResult

from bot.table.core.commands import TakeBack
from bot.table.table import Table
from cogs.lobby.seat_queue import PLACES
from tests.people.test_my_data import delete
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter
FIRST_IN_LINE = "You're first in line. I'll ask you here when a seat is free, for an hour at most."


def channel_pings(here: World, table: Table, name: str) -> list[str]:
    """Return the pings of a player in the channel of a table."""
    return [said for said in here.channel_texts(table) if f"<@{here.people[name].id}>" in said]


async def queued_names(here: World, table: Table) -> list[str]:
    """Return the names in line, first to last."""
    return [here.name_of(waiter.user) for waiter in await here.parts.store.seat_queue.of_table(table.id)]


async def join_line(here: World, name: str, table: Table, button: str = "My hand") -> ParsedMessage:
    """Press a player button without a seat, then +1."""
    offered = await here.press(name, table, button)
    return private_reply(await here.press_on(name, offered, "+1"))


async def test_a_player_button_tells_a_spectator_how_to_join(here: World) -> None:
    table = await here.start_table("ben")
    offered = await here.press("cleo", table, "My hand")
    shown = private_reply(offered)
    assert shown.text.startswith("You're not at **Big Two, table 1**, and the match has started.")
    assert list(shown.buttons) == ["+1", "Watch", "Tell me when a table opens here"]
    waits = await here.press_on("cleo", offered, "+1")
    assert FIRST_IN_LINE in private_reply(waits).text
    assert "The bots' seats come free with the next match." in private_reply(waits).text
    again = private_reply(await here.press("cleo", table, "My hand"))
    assert list(again.buttons) == ["✓ In line", "Watch", "Tell me when a table opens here"]
    second = await join_line(here, "dev", table)
    assert "You're number 2 in line." in second.text
    assert await queued_names(here, table) == ["cleo", "dev"]
    left = private_reply(await here.press_on("cleo", waits, "Don't wait"))
    assert left.text == "OK, you're not in line any more."
    await here.parts.store.social.toggle_block(here.people["ben"].id, here.people["cleo"].id)
    assert (await join_line(here, "cleo", table)).text.startswith("There's no seat for you at this table.")
    assert await queued_names(here, table) == ["dev"]


def seat_question(here: World, table: Table) -> discord.Message:
    """Return the latest seat question."""
    messages = [each for each in here.channel_of(table).history() if "a seat is free at" in each.content]
    return messages[-1]


async def ask_first_in_line(here: World) -> Table:
    """Start a match that Ben left, with Cleo asked for the seat and Dev behind her."""
    table = await here.start_table("ben", pace="none")
    await join_line(here, "cleo", table)
    await join_line(here, "dev", table)
    await here.leave("ben", table)
    return table


async def answer_question(here: World, name: str, table: Table, label: str) -> InteractionResult:
    """Press a button below the seat question."""
    result = await here.people[name].click(seat_question(here, table), label=label)
    await here.settle()
    return result


async def test_the_first_in_line_takes_the_seat_and_the_line_moves_up(here: World) -> None:
    table = await ask_first_in_line(here)
    with_line = "A bot takes over. The next in line can have the seat unless ben is back first."
    assert f"ben left. {with_line}" in here.channel_texts(table)
    (call,) = channel_pings(here, table, "cleo")
    assert "a seat is free at [Big Two, table 1]" in call
    assert channel_pings(here, table, "dev") == []
    assert list(ParsedMessage.of(seat_question(here, table)).buttons) == ["Take the seat", "Not now"]
    others = private_reply(await answer_question(here, "dev", table, "Take the seat"))
    assert others.text.startswith("You're not at **Big Two, table 1**")
    hand = private_reply(await answer_question(here, "cleo", table, "Take the seat"))
    assert "Your 13 cards" in hand.text
    assert [chair.name for chair in table.row.chairs[:2]] == ["ann", "cleo"]
    assert here.channel_texts(table)[-1].startswith("cleo takes over for ben.")
    assert await queued_names(here, table) == ["dev"]
    assert not any("a seat is free" in said for said in here.channel_texts(table)), "the question goes with its answer"
    await here.leave("cleo", table)
    assert here.channel_texts(table)[-2:][0] == f"cleo isn't playing for ben any more. {with_line}"


async def test_a_refusal_or_no_answer_asks_the_next_in_line_and_the_owner_may_return(here: World) -> None:
    table = await ask_first_in_line(here)
    await table.do(TakeBack(here.people["ben"].id))
    await here.settle()
    assert await queued_names(here, table) == ["cleo", "dev"], "who was asked keeps the place"
    assert not any("a seat is free" in said for said in here.channel_texts(table))
    await here.leave("ben", table)
    assert len(channel_pings(here, table, "cleo")) == 1
    await answer_question(here, "cleo", table, "Not now")
    assert await queued_names(here, table) == ["dev"]
    assert len(channel_pings(here, table, "dev")) == 1
    await here.advance(minutes=2, seconds=30)
    table = await here.reload(table)
    assert await queued_names(here, table) == []
    assert not any("a seat is free" in said for said in here.channel_texts(table))
    assert table.row.chairs[1].house, "the house player keeps the seat"


async def test_a_lobby_seat_goes_to_the_line_first(here: World) -> None:
    table = await here.open_table(seats=2)
    await here.sit_down("ben", table)
    await join_line(here, "cleo", table, "Join")
    await here.leave("ben", table)
    assert len(channel_pings(here, table, "cleo")) == 1
    late = private_reply(await here.press("dev", table, "Join"))
    assert late.text.startswith("Someone else is first in line and has been asked.")
    terms = await answer_question(here, "cleo", table, "Take the seat")
    await here.press_on("cleo", terms, "Agree and join")
    assert [chair.name for chair in table.row.chairs] == ["ann", "cleo"]
    assert await queued_names(here, table) == []


async def test_places_and_questions_survive_a_stop_and_expire_on_time(here: World) -> None:
    table = await ask_first_in_line(here)
    await here.stop()
    await here.pass_time_without_bot(minutes=10)
    await here.start()
    table = await here.reload(table)
    assert await queued_names(here, table) == ["cleo", "dev"]
    assert "Your 13 cards" in private_reply(await answer_question(here, "cleo", table, "Take the seat")).text
    await here.restart()
    table = await here.reload(table)
    await here.advance(minutes=58)
    assert await queued_names(here, table) == ["dev"]
    await here.advance(minutes=4)
    assert await queued_names(here, table) == []


async def test_the_question_is_deleted_with_the_data_of_the_asked_user(here: World) -> None:
    table = await ask_first_in_line(here)
    assert len(channel_pings(here, table, "cleo")) == 1
    await delete(here, "cleo")
    await here.settle()
    assert channel_pings(here, table, "cleo") == []
    assert await queued_names(here, table) == ["dev"]


async def test_an_end_card_offers_the_rematch_while_seats_are_free(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await here.play_hand(table)
    shown = private_reply(await here.press("cleo", table, "Rematch"))
    assert shown.text == "You didn't play at **Big Two, table 1**."
    assert list(shown.buttons) == ["Tell me when a table opens here"]
    await here.press("ann", table, "Rematch")
    offered = await here.press("cleo", table, "Rematch")
    assert list(private_reply(offered).buttons) == ["Join the rematch", "Tell me when a table opens here"]
    terms = await here.press_on("cleo", offered, "Join the rematch")
    assert "Agree and join" in private_reply(terms).buttons


async def test_the_line_moves_to_the_rematch_and_takes_the_seat_of_a_house_player(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await join_line(here, "cleo", table)
    await here.play_hand(table)
    await here.press("ann", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert [chair.house for chair in again.row.chairs] == [False, True], "one house player has made room"
    assert len(channel_pings(here, again, "cleo")) == 1
    await here.press("ben", table, "Rematch")
    assert again.row.phase == "lobby", "who is asked has time to answer"
    terms = await answer_question(here, "cleo", again, "Take the seat")
    await here.press_on("cleo", terms, "Agree and join")
    assert (await here.reload(again)).stage == "playing"
    assert sorted(chair.name for chair in again.row.chairs if chair.user) == ["ann", "ben", "cleo"]


async def test_a_rematch_waits_two_minutes_for_the_asked_user(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    await join_line(here, "cleo", table)
    await here.play_hand(table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert again.row.phase == "lobby"
    await here.advance(minutes=2, seconds=30)
    again = await here.reload(again)
    assert (again.row.phase, await queued_names(here, again)) == ("playing", [])


async def test_the_line_does_not_overtake_the_former_players_at_a_rematch(here: World) -> None:
    table = await here.start_table("ben", "dev", hands=1, seats=3)
    await join_line(here, "cleo", table)
    await here.play_hand(table)
    await here.press("ann", table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    again = await here.parts.tables.get(number)
    assert channel_pings(here, again, "cleo") == []
    (call,) = (each for each in here.channel_of(table).history() if "wants a rematch" in each.content)
    await here.people["ben"].click(call, label="Not this time")
    await here.settle()
    assert len(channel_pings(here, again, "cleo")) == 1
    await here.press("dev", table, "Rematch")
    assert again.row.phase == "lobby"
    await answer_question(here, "cleo", again, "Not now")
    assert (await here.reload(again)).stage == "playing"


async def test_the_next_in_line_is_asked_if_the_first_waits_elsewhere(here: World) -> None:
    table = await ask_first_in_line(here)
    other = await here.start_table(by="ben", channel=here.guild.create_text_channel("cards"))
    await join_line(here, "cleo", other)
    await here.advance(minutes=1)
    table = await here.reload(table)
    assert (await queued_names(here, table), len(channel_pings(here, table, "dev"))) == (["dev"], 1)


async def test_the_line_moves_to_the_rematch_after_a_stop_in_between(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.start_table("ben", hands=1)
    await join_line(here, "cleo", table)
    await here.play_hand(table)

    async def stopped(*_: object) -> None:
        """Do nothing, like a bot killed before it moves the queue."""

    monkeypatch.setattr(here.parts.delivery.seat_queue, "move", stopped)
    await here.press("ann", table, "Rematch")
    await here.restart()
    await here.press("ben", await here.reload(table), "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    assert await queued_names(here, await here.parts.tables.get(number)) == ["cleo"]


async def start_rematch(here: World, *players: str, seats: int = 4) -> Table:
    """Start a rematch of Ann and Ben, with Cleo in line."""
    table = await here.start_table(*players, hands=1, seats=seats)
    await join_line(here, "cleo", table)
    await here.play_hand(table)
    for name in ("ann", "ben"):
        await here.press(name, table, "Rematch")
    (number,) = await here.parts.store.tables.open_tables()
    return await here.parts.tables.get(number)


async def test_a_rematch_begins_when_the_bot_is_back_if_the_last_answer_came_just_before(here: World) -> None:
    again = await start_rematch(here, "ben")
    assert len(channel_pings(here, again, "cleo")) == 1
    await here.parts.store.seat_queue.leave(again.id, here.people["cleo"].id)  # saved, and then the bot is killed
    await here.restart()
    again = await here.reload(again)
    assert again.stage == "playing"
    assert channel_pings(here, again, "cleo") == [], "the question goes with its answer"


async def test_a_rematch_begins_when_the_bot_is_back_if_the_last_player_declined_just_before(here: World) -> None:
    again = await start_rematch(here, "ben", "dev", seats=3)
    await here.parts.store.seat_queue.leave(again.id, here.people["cleo"].id)
    await here.restart()
    assert (await here.reload(again)).stage == "lobby", "dev is waited for"
    await here.parts.store.social.decline(again.id, here.people["dev"].id, here.clock())
    await here.restart()
    assert (await here.reload(again)).stage == "playing"


async def test_a_question_answered_in_flight_is_deleted_at_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await here.start_table("ben", pace="none")
    await join_line(here, "cleo", table)
    await join_line(here, "dev", table)
    cleo, request = here.people["cleo"].id, here.bot.http.request

    async def answered_meanwhile(route: Any, **how: Any) -> Any:
        sent = await request(route, **how)
        if f"<@{cleo}>, a seat is free" in str(how):
            await here.parts.delivery.seat_queue.leave(table, cleo)
        return sent

    monkeypatch.setattr(here.bot.http, "request", answered_meanwhile)
    await here.leave("ben", table)
    assert (channel_pings(here, table, "cleo"), len(channel_pings(here, table, "dev"))) == ([], 1)


async def test_a_spectator_in_line_is_asked_in_one_message(here: World) -> None:
    table = await here.open_table(seats=3)
    for name in ("ben", "dev"):
        await here.sit_down(name, table)
    await join_line(here, "cleo", table, "Join")
    await here.press("cleo", table, "Watch")
    await here.leave("ben", table)
    await here.leave("dev", table)
    (call,) = channel_pings(here, table, "cleo")
    assert "It's yours for 2 minutes." in call


@pytest.mark.rotates(2)
@pytest.mark.parametrize("answered", [True, False])
async def test_spectators_are_notified_of_a_seat_the_line_declined(here: World, *, answered: bool) -> None:
    """Also who watches only once the seat is promised to the first in line."""
    table = await here.open_table(seats=2)
    await here.sit_down("ben", table)
    await join_line(here, "cleo", table, "Join")
    if not answered:
        await here.press("dev", table, "Watch")
    await here.leave("ben", table)
    assert (len(channel_pings(here, table, "cleo")), channel_pings(here, table, "dev")) == (1, [])
    if answered:
        await here.press("dev", table, "Watch")
        await answer_question(here, "cleo", table, "Not now")
    else:
        await here.advance(minutes=2, seconds=30)
    assert (channel_pings(here, table, "cleo"), len(channel_pings(here, table, "dev"))) == ([], 1)


async def test_the_new_owner_of_a_shard_serves_its_lines_and_questions(here: World) -> None:
    table = await here.start_table("ben", pace="none")
    await release_shard(here)
    for name in ("cleo", "dev"):
        await here.parts.store.seat_queue.join(table.id, here.people[name].id, here.clock())
        await here.advance(seconds=1)
    await acquire_shard(here)
    await here.leave("ben", table)
    assert len(channel_pings(here, table, "cleo")) == 1
    await release_shard(here)
    await here.parts.store.seat_queue.leave(table.id, here.people["cleo"].id)
    await here.advance(minutes=1)
    assert channel_pings(here, table, "dev") == [], "this is for another process to do"
    await acquire_shard(here)
    assert len(channel_pings(here, table, "dev")) == 1


async def release_shard(here: World) -> None:
    """Hand the shard to another process."""
    async with here.parts.lifecycle.leaving(0):
        pass


async def acquire_shard(here: World) -> None:
    """Hand the shard back to this process."""
    await here.parts.lifecycle.resume_shard(0, timedelta())
    await here.settle()


async def test_joining_a_line_is_limited_to_five_times_in_ten_minutes(here: World) -> None:
    """Each time a channel message is possible, so the cost is counted instead of clicks."""
    table = await here.start_table("ben")
    for _ in range(PLACES.most - 1):
        await here.parts.store.limits.take(PLACES, here.people["cleo"].id)
    joined = await here.press_on("cleo", await here.press("cleo", table, "My hand"), "+1")
    assert await queued_names(here, table) == ["cleo"]
    await here.press_on("cleo", joined, "Don't wait")
    assert PLACES.most == 5
    assert "That's enough for now." in (await join_line(here, "cleo", table)).text
    assert await queued_names(here, table) == []
