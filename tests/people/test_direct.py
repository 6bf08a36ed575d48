"""Hands by direct message: asked for in the private hand, sent when it is one's turn, gone when one has acted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import discord
import pytest
from simcord import UserHandle

from bot.ai.plain import plain_action
from bot.delivery.notifications import direct_messages, notice_policy
from bot.rules.core.asks import Play
from bot.table.table import Table
from tests.support.message_text import ParsedMessage
from tests.support.world import World

WISH = "☐ Hand by DM"


async def request_hands_by_dm(here: World, table: Table) -> ParsedMessage:
    """Enable hands by direct message for Ann; return the reply."""
    opened = await here.open_hand("ann", table)
    answer = await here.press_in_menu("ann", opened, "Settings", WISH)
    assert answer.response is not None
    return ParsedMessage.of(answer.response.message)


def ann_by_dm(here: World) -> UserHandle:
    """Return Ann outside of any server."""
    return UserHandle(here.env, here.env.backend.users[here.ann.id])


def anns_direct_messages(here: World) -> list[discord.Message]:
    """Return the direct messages Ann has from the bot."""
    return ann_by_dm(here).dm_channel.history()


async def advance_to_anns_turn(here: World, table: Table) -> None:
    """Advance time and play for the others until Ann's turn."""
    await here.advance(minutes=3)
    while here.current_player(table) != "ann":
        name = here.current_player(table)
        assert name is not None
        await here.act(name, table)
    await here.advance(seconds=9)


async def test_a_hand_by_dm_is_sent_at_the_players_turn_and_deleted_after_the_play(here: World) -> None:
    table = await here.start_table("ben", pace="relaxed hints")
    assert "☑\ufe0e Hand by DM" in (await request_hands_by_dm(here, table)).buttons
    await here.advance(minutes=5)
    await advance_to_anns_turn(here, table)
    if not anns_direct_messages(here):  # it was her turn when she asked, so it comes the next time
        await here.act("ann", table)
        await advance_to_anns_turn(here, table)
    (message,) = anns_direct_messages(here)
    assert "The Deck" in ParsedMessage.of(message).text
    view = table.scene(here.ann.id).view
    assert view is not None
    if isinstance(plain_action(view), Play):
        for label in ("Hint", "Hint"):
            await ann_by_dm(here).click(message, label=label)
            (message,) = anns_direct_messages(here)
        play = next(label for label in ParsedMessage.of(message).buttons if label.startswith("Play"))
        await ann_by_dm(here).click(message, label=play)
    else:
        passing = next(label for label in ParsedMessage.of(message).buttons if label.startswith("Pass"))
        await ann_by_dm(here).click(message, label=passing)
    await here.settle()
    assert here.current_player(table) != "ann"
    assert anns_direct_messages(here) == []


async def test_closed_direct_messages_fall_back_to_a_ping_at_the_table(here: World) -> None:
    table = await here.start_table("ben", pace="slow")
    await request_hands_by_dm(here, table)
    here.env.inject_error(
        "POST", f"/channels/{ann_by_dm(here).dm_channel.id}/messages", status=403, code=50007, times=1
    )
    while here.current_player(table) != "ann" or not any(
        here.ann.mention in each.content for each in here.channel_of(table).history()
    ):
        await here.advance(minutes=5)
        name = here.current_player(table)
        assert name is not None
        await here.act(name, table)
        await here.advance(seconds=9)
    assert anns_direct_messages(here) == []
    assert not (await here.parts.preferences.of(here.ann.id)).mirror


async def test_in_quiet_hours_a_hand_by_dm_is_sent_silently(here: World) -> None:
    table, hour = await start_hands_by_dm(here), here.env.now().hour
    await here.parts.servers.change(here.guild.id, here.ann.id, "quiet", (hour, (hour + 2) % 24))
    for name, zone, quiet in (("ann", "UTC", True), ("ben", "Etc/GMT+12", False)):
        await here.parts.servers.change(here.guild.id, here.ann.id, "zone", zone)
        await here.advance(seconds=9)
        assert here.current_player(table) == name
        (hand,) = UserHandle(here.env, here.env.backend.users[here.people[name].id]).dm_channel.history()
        assert hand.flags.silent is quiet
        await here.act(name, table)


OPENED = ("POST", "/users/@me/channels")


async def start_hands_by_dm(here: World) -> Table:
    """Start a slow table at which Ann and Ben get their hands by direct message."""
    table = await here.start_table("ben", pace="slow")
    for name in ("ann", "ben"):
        await here.parts.preferences.change(here.people[name].id, mirror=True)
    return table


async def play_a_turn_each(here: World, table: Table) -> list[bool]:
    """Play a turn each for Ann and Ben; return whether each was pinged at the table."""
    called = []
    for _ in range(2):
        await here.advance(seconds=9)
        called.append(bool(here.channel_texts(table)))
        await here.act(here.current_player(table) or "", table)
    return called


async def test_dm_channels_are_opened_once_a_user_and_beyond_the_limit_players_are_pinged_at_the_table(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct_messages, "NEW_CHANNELS", replace(direct_messages.NEW_CHANNELS, most=1))
    monkeypatch.setattr(notice_policy, "JUST_ACTED", timedelta())
    monkeypatch.setattr(notice_policy, "MIN_NOTICE_INTERVAL", timedelta())
    table = await start_hands_by_dm(here)
    assert await play_a_turn_each(here, table) == [False, True]
    await here.restart()
    table = await here.reload(table)
    assert await play_a_turn_each(here, table) == [False, True]
    assert here.requests(*OPENED) == 1
    await here.advance(minutes=10)
    table = await here.reload(table)
    await here.act(here.current_player(table) or "", table)
    await here.act(here.current_player(table) or "", table)
    assert (await play_a_turn_each(here, table))[0] is False
    assert here.requests(*OPENED) == 2


async def test_no_dm_channels_are_opened_for_an_hour_after_a_refusal_by_discord(here: World) -> None:
    table = await start_hands_by_dm(here)
    here.env.inject_error("POST", OPENED[1], status=403, code=40003, times=1)
    assert await play_a_turn_each(here, table) == [True, True]
    await here.restart()
    table = await here.reload(table)
    await here.advance(minutes=50)
    assert (await play_a_turn_each(here, await here.reload(table)))[1] is True
    assert here.requests(*OPENED) == 1
    await here.advance(minutes=10)
    assert (await play_a_turn_each(here, await here.reload(table)))[1] is False
    assert here.requests(*OPENED) == 2
