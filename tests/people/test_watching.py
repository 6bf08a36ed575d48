"""Watching: spectators are notified of events, rarely, and never about hands."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.domain.ids import UserId
from bot.show.kit.layout import DOTS
from bot.store.repositories.spectators import MAX_SPECTATORS
from bot.store.rows import Watcher
from bot.table.core.chairs import seat_of
from bot.table.core.commands import CallOff, Join
from bot.table.core.state import Moderator
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter

CARD = re.compile("[♠♣♡♢♥♦]|\\d of (spades|hearts|clubs|diamonds)")


def spectator_pings(here: World, table: Table, name: str) -> list[str]:
    """Return the pings of a player in the channel of a table."""
    return [said for said in here.channel_texts(table) if f"<@{here.people[name].id}>" in said]


async def play_hand_quickly(here: World, table: Table, *players: str) -> None:
    """Play a hand to its end, starting with Ready."""
    if table.stage == "between":
        for name in players:
            await here.press(name, table, "Ready")
    await here.play_hand(table)


async def test_spectators_are_pinged_after_hands_at_most_every_ten_minutes_and_at_the_end(
    here: World,
) -> None:
    table = await here.start_table("ben", hands=4, pace="none")
    watching = await here.press("cleo", table, "Watch")
    assert private_reply(watching).text.count("I'll ping you here after a hand (at most") == 1
    await play_hand_quickly(here, table, "ann", "ben")
    (call,) = spectator_pings(here, table, "cleo")
    assert re.search(r">: .+ wins the hand · Hand 1/4 · \[Big Two, table 1\]\(https", call)
    await play_hand_quickly(here, table, "ann", "ben")
    assert spectator_pings(here, table, "cleo") == [call], "that was too soon"
    await here.advance(minutes=11)
    table = await here.reload(table)
    await play_hand_quickly(here, table, "ann", "ben")
    (later,) = spectator_pings(here, table, "cleo")
    assert "Hand 3/4" in later, "the call before has gone"
    await play_hand_quickly(here, table, "ann", "ben")
    (last,) = spectator_pings(here, table, "cleo")
    assert "wins the match · Big Two, table 1 · [to the table](https" in last
    assert not CARD.search(call + later + last)
    assert await here.parts.store.watchers.of_table(table.id) == ()


async def test_two_spectators_are_pinged_in_one_message(here: World) -> None:
    table = await here.start_table("ben", hands=2, pace="none")
    for name in ("cleo", "dev"):
        await here.press(name, table, "Watch")
    await here.restart()
    table = await here.reload(table)
    assert "✓ Watch" in private_reply(await here.press("cleo", table, DOTS)).buttons
    await play_hand_quickly(here, table)
    (call,) = spectator_pings(here, table, "cleo")
    assert spectator_pings(here, table, "dev") == [call]
    await here.restart()
    assert spectator_pings(here, table, "dev") == [call], "it is known still"
    await here.advance(minutes=11)
    await play_hand_quickly(here, await here.reload(table), "ann", "ben")
    assert len(spectator_pings(here, table, "dev")) == 1


async def test_spectators_without_access_or_with_a_seat_are_not_pinged(here: World) -> None:
    table = await here.open_table(hands=1, seats=3)
    for name in ("ben", "cleo", "dev"):
        await here.press(name, table, "Watch")
    await here.press("ben", table, "Join")
    assert "Watch" not in private_reply(await here.press("ben", table, DOTS)).buttons
    here.guild.remove_member(here.people["dev"])
    await here.advance(minutes=6)
    await here.press("ann", table, "Play now")
    await here.play_hand(table)
    assert len(spectator_pings(here, table, "cleo")) == 1
    assert spectator_pings(here, table, "ben") == spectator_pings(here, table, "dev") == []


async def test_spectators_are_notified_once_of_a_free_seat(here: World) -> None:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    watching = private_reply(await here.press("cleo", table, "Watch"))
    assert "I'll ping you here when a seat is free, and" in watching.text
    await here.press("ben", table, "Leave")
    (call,) = spectator_pings(here, table, "cleo")
    assert call.startswith(f"<@{here.people['cleo'].id}>: a seat is free. [Big Two, table 1](")
    for label in ("Join", "Leave", "Join"):
        await here.press("ben", table, label)
    assert spectator_pings(here, table, "cleo") == [call]
    await here.press("ann", table, "Start")
    assert spectator_pings(here, table, "cleo") == []


async def test_a_seat_taken_before_the_notification_is_not_announced(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await here.open_table(seats=2)
    await here.press("ben", table, "Join")
    await here.press("cleo", table, "Watch")
    request = here.bot.http.request

    async def taken_meanwhile(route: Any, **how: Any) -> Any:
        sent = await request(route, **how)
        if "a seat is free" in str(how) and seat_of(table.row.chairs, here.people["dev"].id) is None:
            await table.do(Join(here.people["dev"].id, "dev", table.row.edition))
        return sent

    monkeypatch.setattr(here.bot.http, "request", taken_meanwhile)
    await here.press("ben", table, "Leave")
    assert spectator_pings(here, table, "cleo") == []
    await here.press("dev", table, "Leave")
    assert spectator_pings(here, table, "cleo") == [], "dev takes the seat each time"
    monkeypatch.setattr(here.bot.http, "request", request)
    await here.press("dev", table, "Leave")
    assert len(spectator_pings(here, table, "cleo")) == 1, "who missed it hears of the next one"


async def test_spectators_are_notified_of_unfinished_matches_and_closed_lobbies(here: World) -> None:
    lobby, table = await here.open_table(), await here.start_table("ben")
    for watched in (lobby, table):
        await here.press("cleo", watched, "Watch")
    await here.press("ann", lobby, "Close this table")
    assert spectator_pings(here, lobby, "cleo") == []
    await table.do(CallOff(Moderator(here.people["dev"].id, "dev")))
    await here.settle()
    (call,) = spectator_pings(here, table, "cleo")
    assert "Big Two, table 2 ended before any hand was finished" in call
    for closed in (lobby, table):
        assert await here.parts.store.watchers.of_table(closed.id) == ()


async def test_the_number_of_spectators_is_limited_and_a_finished_table_has_none(here: World) -> None:
    table = await here.start_table("ben", hands=1)
    dots = await here.press("cleo", table, DOTS)
    for user in range(MAX_SPECTATORS):
        await here.parts.store.watchers.watch(Watcher(table.id, UserId(10**17 + user), 0))
    crowded = await here.press_on("cleo", dots, "Watch")
    assert private_reply(crowded).text == "So many people follow this table already that I can't ping anyone else."
    await here.play_hand(table)
    late = private_reply(await here.press_on("cleo", dots, "Watch")).text
    assert late.startswith("This match is over.\n**Big Two, table 1**")


async def test_spectators_who_unsubscribe_or_are_deleted_are_not_pinged(here: World) -> None:
    here.arrive("eve")
    table = await here.start_table("ben", hands=2)
    watching = [await here.press(name, table, "Watch") for name in ("eve", "cleo", "dev")]
    await here.press("eve", table, "✓ Watch")
    assert "You're following" not in private_reply(await here.press("eve", table, DOTS)).text
    again = await here.press_on("eve", watching[0], "✓ Watch")
    assert "Watch" in private_reply(again).buttons, "twice is once"
    cleo = here.people["cleo"].id
    assert [row["table_id"] for row in (await here.parts.store.person_data(cleo))["watchers"]] == [table.id]
    await here.parts.retention.forget_person(cleo)
    await here.play_hand(table)
    assert [len(spectator_pings(here, table, name)) for name in ("eve", "cleo", "dev")] == [0, 0, 1]
    assert len(await here.parts.store.watchers.of_table(table.id)) == 1
    await here.parts.store.deletions.forget_server(here.guild.id)
    assert await here.parts.store.watchers.of_table(table.id) == ()
