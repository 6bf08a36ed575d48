"""The reply to a player who joins turns into the first hand; players who do not see theirs are pinged at the deal."""

from __future__ import annotations

from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import World, world

HAND = "Your 13 cards"


async def join_lobby(here: World, table: Table, *names: str) -> list[InteractionResult]:
    """Press Join for these players; return the replies."""
    return [await here.press(name, table, "Join") for name in names]


def pings(here: World, table: Table) -> list[str]:
    """Return the pings about the deal."""
    return [said for said in here.channel_texts(table) if "your cards are dealt" in said]


async def test_the_reply_to_join_turns_into_the_hand_at_the_deal(here: World) -> None:
    table = await here.open_table()
    bens, cleos, _ = await join_lobby(here, table, "ben", "cleo", "dev")
    assert private_reply(bens).text.startswith("-# [Big Two, table 1](https://discord.com/channels/")
    assert "You're in: seat 2 of 4.\nYour cards appear here when they're dealt." in private_reply(bens).text
    anns = await here.press("ann", table, "Start")
    for name, shown in (("ann", anns), ("ben", bens), ("cleo", cleos)):
        assert HAND in private_reply(shown).text or "Your turn" in private_reply(shown).text, name
    await here.act("ann", table)
    assert "Your turn" in private_reply(bens).text, "it follows the match"
    assert pings(here, table) == []
    await here.advance(minutes=14)
    assert list(private_reply(bens).buttons) == ["Show my cards"], "and sleeps as any hand"


async def test_replies_with_terms_or_a_lesson_turn_into_the_hand_unless_the_player_left(
    here: World,
) -> None:
    table = await here.open_table()
    asked = await here.press("ann", table, "Invite")
    assert asked.response is not None
    await here.ann.select(asked.response.message, [here.people["ben"]], custom_id=f"bg:{table.id}:call")
    await here.settle()
    (call,) = (each for each in here.channel.history() if "invites you" in each.content)
    terms = await here.people["ben"].click(call, label="Join")
    await here.press_on("ben", terms, "Agree and join")
    assert "You're in: seat 2 of 4." in private_reply(terms).text
    cleos, devs = await join_lobby(here, table, "cleo", "dev")
    await here.press_on("cleo", cleos, "How to play")
    assert "1 of 5" in private_reply(cleos).text
    await here.press("dev", table, "Leave")
    assert "You're in" not in private_reply(devs).text
    await here.press("ann", table, "Play now")
    assert HAND in private_reply(terms).text
    assert HAND in private_reply(cleos).text
    assert HAND not in private_reply(devs).text


async def test_the_reply_to_join_changes_only_when_the_lobby_ends(here: World) -> None:
    table = await here.open_table()
    (bens,) = await join_lobby(here, table, "ben")
    said = private_reply(bens).text
    await join_lobby(here, table, "cleo")
    await here.press("cleo", table, "Leave")
    await here.advance(minutes=13)
    await here.press("ann", table, "Add a bot")
    assert private_reply(bens).text == said
    await here.advance(minutes=2)
    assert private_reply(bens).text == said, "it does not sleep before it has followed anything"
    (cleos,) = await join_lobby(here, table, "cleo")
    asked = await here.press("ann", table, "Close this table")
    await here.press_on("ann", asked, "Close this table")
    assert "This table is closed." in private_reply(cleos).text


@pytest.mark.parametrize("threads", [False, True], ids=["channel", "thread"])
async def test_a_player_who_joined_long_ago_is_pinged_at_the_deal_until_they_open_the_hand(
    tmp_path: Path, *, threads: bool
) -> None:
    async with world(tmp_path, threads=threads) as here:
        table = await here.open_table()
        _, cleos = await join_lobby(here, table, "ben", "cleo")
        await here.advance(minutes=15)
        devs = (await join_lobby(here, table, "dev"))[0]
        await here.press("ann", table, "Start")
        assert HAND in private_reply(devs).text
        assert HAND not in private_reply(cleos).text
        table = await here.reload(table)
        (said,) = pings(here, table)
        assert all(f"<@{here.people[name].id}>" in said for name in ("ben", "cleo"))
        assert f"<@{here.people['dev'].id}>" not in said
        (ping,) = (each for each in here.channel_of(table).history() if each.content == said)
        assert {user.id for user in ping.mentions} == {here.people[name].id for name in ("ben", "cleo")}
        seen = await here.people["ben"].click(ping, label="My hand")
        await here.settle()
        assert HAND in private_reply(seen).text
        await here.act("ann", table)
        assert pings(here, table) == [said], "Cleo has not looked"
        await here.open_hand("cleo", table)
        await here.act("ben", table)
        assert pings(here, table) == []


async def test_the_first_player_and_players_with_hands_by_dm_get_no_ping_at_the_deal(here: World) -> None:
    here.deal = "1"  # Ben, on the second seat, leads
    table = await here.open_table()
    await join_lobby(here, table, "ben", "cleo", "dev")
    await here.parts.preferences.change(here.people["dev"].id, mirror=True)
    await here.advance(minutes=15)
    await here.press("ann", table, "Start")
    table = await here.reload(table)
    assert here.current_player(table) == "ben"
    (said,) = pings(here, table)
    assert said.startswith(f"<@{here.people['cleo'].id}>, your cards are dealt: ")


async def test_a_rematch_shows_the_hand_to_the_first_who_agreed(here: World) -> None:
    table = await here.finish_instantly("ben")
    waits = await here.press("ann", table, "Rematch")
    assert "You're in: seat 1 of 4." in private_reply(waits).text
    bens = await here.press("ben", table, "Rematch")
    for shown in (waits, bens):
        assert HAND in private_reply(shown).text or "Your turn" in private_reply(shown).text


async def test_the_hand_links_to_the_board_posted_last_with_its_next_edit(here: World) -> None:
    table = await here.start_table("ben")
    anns = await here.open_hand("ann", table)
    before = table.row.message
    here.parts.delivery.boards.repost(table)
    await here.settle()
    assert table.row.message != before
    assert f"/{before})" in private_reply(anns).text, "no edit for the link alone"
    await here.act("ann", table)
    assert f"/{table.row.message})" in private_reply(anns).text
