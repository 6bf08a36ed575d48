"""Moderators: their powers over a table, refusals to non-moderators, and the public notices."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest_asyncio
from simcord.builders import RoleHandle
from simcord.results import InteractionResult

from bot.domain.ids import UserId
from bot.rules.core.cards import cards
from bot.show.kit.card_symbols import symbols
from bot.table.core.commands import OfferSeat, Substitute
from bot.table.table import Table
from tests.people.test_presence import set_roles
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.totals import matches_and_wins
from tests.support.world import NOT_SEATED, SHORT_HANDS, World, world

NO_MODERATOR = "anyone who can manage messages in this"
MODERATOR_IS_SEATED = "You're playing here, so another moderator has to do that."
PAUSED = "This table is paused. Nothing is lost, and all clocks are stopped until it resumes."
NO_REPLY = ""  # where all see what was done, nothing is said of it


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[World]:
    """A server where dev and ann may manage messages."""
    async with world(tmp_path, deal=SHORT_HANDS) as made:
        for name in ("dev", "ann"):
            set_roles(made, name, create_role(made, manage_messages=True))
        yield made


def create_role(here: World, **rights: bool) -> RoleHandle:
    """A role with these rights."""
    return here.guild.create_role("Trusted", permissions=discord.Permissions(**rights))


async def open_menu(here: World, table: Table, name: str = "dev") -> InteractionResult:
    """Open the menu of a table as a player."""
    return await here.press(name, table, "⋯")


async def open_moderator_tools(here: World, table: Table, name: str = "dev") -> InteractionResult:
    """Open the moderator tools of a table."""
    return await here.press_on(name, await open_menu(here, table, name), "Moderator tools…")


async def use_moderator_tools(here: World, table: Table, *labels: str, name: str = "dev") -> ParsedMessage:
    """Press buttons of the moderator tools in turn."""
    shown = await open_moderator_tools(here, table, name)
    for label in labels:
        shown = await here.press_on(name, shown, label)
    return private_reply(shown)


async def remove_player(here: World, table: Table, who: str, name: str = "dev") -> ParsedMessage:
    """Remove a player as a moderator."""
    shown = await open_moderator_tools(here, table, name)
    ((target, values),) = private_reply(shown).selects.items()
    assert shown.response is not None
    chosen = [value for value in values if value.endswith(f":{who}")]
    result = await here.people[name].select(shown.response.message, chosen, custom_id=target)
    await here.settle()
    return private_reply(result)


async def moderation_rows(here: World, table: Table) -> list[tuple[int, str, int | None]]:
    """The stored moderation actions."""
    return [(done.by, done.what, done.seat) for done in await here.parts.store.moderations.of_table(table.id)]


# Who is one


async def test_a_non_moderator_is_refused_even_with_forged_buttons(club: World) -> None:
    table = await club.start_table("ben")
    behind = await open_menu(club, table, "cleo")
    shown = private_reply(behind)
    assert "moderator" not in shown.text.lower(), "who does not moderate reads nothing of it"
    assert (list(shown.buttons), shown.selects) == (
        ["Last trick", "Rules", "Check this deal", "+1", "Watch", "Tell me when a table opens here"],
        {},
    )
    for command in ("pause", "resume", "end", "cancel", "redraw"):
        assert NO_MODERATOR in (await club.slash("cleo", f"table {command}", table=table.id)).text
    assert NO_MODERATOR in (await club.slash("cleo", "table remove", player="ben")).text
    for verb in ("tools", "pause", "resume", "redraw", "end", "end_now", "call_off", "call_off_now"):
        answer = await club.forge(club.people["cleo"], behind, f"bg:{table.id}:{verb}")
        assert NO_MODERATOR in private_reply(answer).text
    assert (table.stage, table.row.paused) == ("playing", False)
    assert await moderation_rows(club, table) == []


async def test_the_moderator_role_of_the_server_moderates_and_sees_no_hand(here: World) -> None:
    role = here.guild.create_role("Wardens")
    await here.parts.servers.change(here.guild.id, here.ann.id, "moderator", role.id)
    table = await here.start_table("ben")
    assert "Moderator tools…" not in private_reply(await open_menu(here, table, "dev")).buttons
    set_roles(here, "dev", role)
    shown = private_reply(await open_moderator_tools(here, table, "dev"))
    assert "Pause" in shown.buttons
    assert shown.text == "**Big Two, table 1**\n-# What you do here is announced in the channel, with your name."
    assert private_reply(await here.press("dev", table, "My hand")).text.startswith(NOT_SEATED)


async def test_a_seated_moderator_has_no_power_over_the_table(club: World) -> None:
    table = await club.start_table("ben")
    shown = private_reply(await open_menu(club, table, "ann"))
    assert "another moderator has to look after this table" in shown.text
    assert list(shown.buttons)[3:] == ["Leave", "Repost the board"]
    assert f"bg:{table.id}:propose" in shown.selects, "what one can ask the other players for"
    for command in ("pause", "cancel"):
        assert (await club.slash("ann", f"table {command}")).text == MODERATOR_IS_SEATED
    assert (await club.slash("ann", "table remove", player="ben")).text == MODERATOR_IS_SEATED
    await club.leave("ann")  # to have left is to have sat there
    assert (await club.slash("ann", "table cancel")).text == MODERATOR_IS_SEATED
    assert table.stage == "playing"


async def test_a_deleted_player_is_recognized_by_a_hash_and_cannot_moderate_the_match(club: World) -> None:
    set_roles(club, "ben", create_role(club, manage_messages=True))
    table = await club.start_table("ben", hands=2)
    await club.parts.retention.forget_person(club.people["ben"].id)
    await club.restart()
    for command in ("cancel", "end", "pause"):
        assert (await club.slash("ben", f"table {command}")).text == MODERATOR_IS_SEATED
    asked = await club.people["dev"].slash(club.channel, "table cancel")
    assert "Cancel Big Two, table 1? Nothing counts, and the table is closed." in private_reply(asked).text
    await club.press_on("dev", asked, "Cancel match")
    assert (await club.reload(table)).stage == "closed"
    assert not any(row.mark for row in await stored_rows(club, "chairs")), "kept no longer than it is of use"


# Pausing


async def test_a_paused_table_resumes_with_the_remaining_time(club: World) -> None:
    table = await club.start_table("ben")
    await club.advance(seconds=50)
    shown = await use_moderator_tools(club, table, "Pause")
    assert "Continue" in shown.buttons
    assert "dev paused Big Two, table 1." in club.channel_texts(table)[-1]
    assert "⏸ Paused by a moderator" in club.read_board(table).text
    await club.advance(days=2)
    table = await club.reload(table)
    assert private_reply(await club.play("ann", table, cards("3d 3c"))).text == PAUSED
    assert "⏸ Paused by a moderator" in private_reply(await club.open_hand("ann", table)).text
    assert table.state.ply == 0
    await club.restart()
    table = await club.reload(table)
    assert table.row.paused
    await use_moderator_tools(club, table, "Continue")
    assert club.channel_texts(table)[-1] == "dev resumed Big Two, table 1."
    await club.advance(seconds=65)
    assert table.state.ply == 0
    await club.advance(seconds=6)
    assert [step.by for step in table.row.steps][:1] == ["clock"]
    assert [what for _, what, _ in await moderation_rows(club, table)] == ["pause", "resume"]


async def test_outdated_moderator_tools_show_the_present_table(club: World) -> None:
    table = await club.start_table("ben", hands=3)
    seen = await open_moderator_tools(club, table)
    await use_moderator_tools(club, table, "Pause")
    shown = await club.press_on("dev", seen, "Pause")
    assert private_reply(shown).text.startswith("This table is already paused.\n**Big Two, table 1**")
    assert "Continue" in private_reply(await club.press_on("dev", shown, "Moderator tools…")).buttons
    await use_moderator_tools(club, table, "Stop match…", "Stop match")
    assert private_reply(await club.press_on("dev", shown, "Continue")).text.startswith("This table is closed.")


async def test_open_hands_show_the_pause_and_the_end(club: World) -> None:
    table = await club.start_table("ben")
    hands = [await club.open_hand(name, table) for name in ("ann", "ben")]
    assert (await club.slash("dev", "table pause")).text == NO_REPLY
    assert all("⏸ Paused by a moderator" in private_reply(opened).text for opened in hands)
    await club.slash("dev", "table resume")
    assert not any("⏸" in private_reply(opened).text for opened in hands)
    asked = await club.people["dev"].slash(club.channel, "table cancel")
    await club.press_on("dev", asked, "Cancel match")
    await club.settle()
    assert not any(private_reply(opened).buttons for opened in hands)


# Ending and calling off


async def test_a_match_ended_by_a_moderator_is_saved_but_does_not_count(club: World) -> None:
    table = await club.start_table("ben", hands=3)
    await club.play_hand(table)
    shown = await use_moderator_tools(club, table, "Stop match…")
    assert "Stop Big Two, table 1 now? The match is saved, but it doesn't count." in shown.text
    await use_moderator_tools(club, table, "Stop match…", "Stop match")
    assert (table.stage, table.row.ended, table.row.counts) == ("over", "moderator", False)
    assert "This match doesn't count: a moderator stopped it." in club.read_board(table).text
    said = "dev stopped Big Two, table 1. The match is saved, but it doesn't count."
    assert club.channel_texts(table)[-1] == said
    (match,) = await club.parts.store.results.history(table.row.guild, 9, 0)
    assert (match.outcome.hands, match.outcome.ended) == (1, "moderator")
    assert await matches_and_wins(club.parts.store, table.row.guild) == {}


async def test_a_match_and_a_lobby_are_canceled(club: World) -> None:
    match = await club.start_table("ben", hands=3)
    await use_moderator_tools(club, match, "Cancel match…", "Cancel match")
    assert club.channel_texts(match)[-1] == "dev canceled Big Two, table 1. Nothing counts."
    lobby = await club.open_table()
    await use_moderator_tools(club, lobby, "Cancel match…", "Cancel match")
    assert club.channel_texts(lobby)[-1] == f"<@{club.ann.id}>: dev closed Big Two, table 2 before it started."
    assert await club.parts.store.results.history(match.row.guild, 9, 0) == ()
    await club.restart()
    for table in (match, lobby):
        assert (await club.reload(table)).stage == "closed"
        assert await moderation_rows(club, table) == [(club.people["dev"].id, "cancel", None)]


# Removing


async def test_a_removed_player_cannot_return_to_the_match_or_the_channel(club: World) -> None:
    table = await club.start_table("ben", "cleo", hands=1)
    await remove_player(club, table, "ben")
    said = "dev removed ben from Big Two, table 1. A bot takes over; ben can sit here again in a day."
    assert said in club.channel_texts(table)
    assert (table.row.chairs[1].house, table.row.chairs[1].away) == (True, "removed")
    back = await club.forge(club.people["ben"], await club.open_hand("ben", table), f"bg:{table.id}:back")
    assert "A moderator removed you from this table" in private_reply(back).text
    other = await club.open_table("cleo")
    for _ in range(2):
        kept_out = private_reply(await club.press("ben", other, "Join")).text
        assert "A moderator removed you from a table here. You can join again <t:" in kept_out
        await club.restart()
        other = await club.reload(other)
    assert "A moderator removed you from a table here" in (await club.slash("ben", "deal")).text
    table = await club.reload(table)
    await club.play_hand(table)
    (match,) = await club.parts.store.results.history(table.row.guild, 9, 0)
    assert [each.left for each in match.outcome.standings] == [False, True, False, False]
    await club.advance(days=1)
    fresh = await club.open_table("cleo")
    await club.press("ben", fresh, "Join")
    assert club.people["ben"].id in {chair.user for chair in fresh.row.chairs}


async def test_a_removed_player_no_longer_sees_the_hand(club: World) -> None:
    table = await club.start_table("ben", "cleo", hands=2)
    opened, view = await club.open_hand("ben", table), table.scene(club.people["ben"].id).view
    assert view is not None
    faces = [symbols((card,)) for card in view.hand]
    assert all(face in private_reply(opened).text for face in faces)
    await remove_player(club, table, "ben")
    for shown in (
        private_reply(opened),
        private_reply(await club.open_hand("ben", table)),
        await club.slash("ben", "hand"),
    ):
        assert "A moderator removed you from this table" in shown.text
        assert not any(face in shown.text for face in faces)
        assert (list(shown.buttons), shown.selects) == ([], {})
    assert (
        "A moderator removed you from this table" in (await club.slash("ben", "turn", move="pass", table=table.id)).text
    )
    assert await club.people["ben"].autocomplete(club.channel, "turn", "move", "") == []
    await club.play_hand(table)
    for name in ("ann", "cleo"):
        await club.slash(name, "turn", move="ready", table=table.id)
    assert "A moderator removed you from this table" in private_reply(await club.open_hand("ben", table)).text


async def test_a_player_name_cannot_imitate_a_moderator(club: World) -> None:
    sly = club.arrive("A moderator", create_role(club, manage_messages=True))
    table = await club.open_table("A moderator")
    assert table.row.chairs[0].name == f"A moderator #{str(sly.id)[-4:]}"
    other = await club.start_table("ben")
    await club.slash("A moderator", "table pause", table=other.id)
    assert club.channel_texts(other)[-1].startswith(f"A moderator #{str(sly.id)[-4:]} paused")


async def test_a_removed_player_is_stored_as_a_hash_only(club: World) -> None:
    table = await club.open_table()
    await club.press("ben", table, "Join")
    await club.press("ann", table, "Add a bot")
    nobody = await club.slash("dev", "table remove", player="Mei")
    assert nobody.text == "There's nobody by that name at this table.", "a house player stays"
    assert (await club.slash("dev", "table remove", player="Ben")).text == NO_REPLY
    assert [chair.name for chair in table.row.chairs] == ["ann", "Mei"]
    assert club.channel_texts(table)[-1] == "dev removed ben from Big Two, table 1. ben can sit here again in a day."
    assert await moderation_rows(club, table) == [(club.people["dev"].id, "remove", 1)]
    ben = str(club.people["ben"].id)
    rows = await stored_rows(club, "bars")
    assert rows
    assert ben not in str(rows)
    await club.advance(days=2)
    assert await stored_rows(club, "bars") == []  # and no longer than it has to be


async def stored_rows(here: World, table: str) -> list[Any]:
    """All rows of a table of the database."""

    async def work(connection: Any) -> list[Any]:
        return list((await connection.exec_driver_sql(f"SELECT * FROM {table}")).all())

    return await here.parts.store._gate.run(work)


# Unsticking


async def test_a_moderator_can_repost_the_board(club: World) -> None:
    table = await club.start_table("ben")
    before = table.row.message
    assert (await club.slash("dev", "table redraw")).text == "This board was only just posted."
    await club.advance(seconds=20)
    await use_moderator_tools(club, table, "Repost the board")
    assert table.row.message not in (before, None)
    assert "dev reposted Big Two, table 1." in club.channel_texts(table)
    assert before not in {each.id for each in club.channel.history()}
    await club.advance(seconds=20)
    assert (await club.slash("ben", "table redraw")).text == NO_REPLY  # who plays may, too


async def test_a_table_moves_with_a_moderator_or_its_host(club: World) -> None:
    table = await club.start_table("ben")
    before, other = table.row.message, club.guild.create_text_channel("more")
    assert NO_MODERATOR in (await club.slash("ben", "table move", channel=other, table=table.id)).text
    assert (await club.slash("dev", "table move", channel=other, table=table.id)).text == NO_REPLY
    assert (table.row.home, table.row.channel) == (other.id, other.id)
    assert before not in {each.id for each in club.channel.history()}
    assert "dev moved Big Two, table 1 here." in club.channel_texts(table)
    await club.act("ann", table)
    assert (await club.slash("ann", "table move", table=table.id)).text == NO_REPLY  # its host
    assert table.row.home == club.channel.id
    assert (await club.slash("ann", "table move", table=table.id)).text == "This table is already here."
    await club.restart()
    assert (await club.reload(table)).row.home == club.channel.id


async def test_2_3_a_deleted_player_is_still_recognized_when_a_substitute_is_deleted_too(club: World) -> None:
    set_roles(club, "ben", create_role(club, manage_messages=True))
    table = await club.start_table("ben", hands=2)
    ben, cleo = UserId(club.people["ben"].id), UserId(club.people["cleo"].id)
    await table.do(OfferSeat(ben))
    await table.do(Substitute(cleo, "cleo", 1))
    for user in (ben, cleo):
        await club.parts.retention.forget_person(user)
    assert table.row.chairs[1].user is None, "a substitute gives the seat back, but not the id of who was deleted"
    await club.restart()
    for command in ("cancel", "end", "pause"):
        assert (await club.slash("ben", f"table {command}", table=table.id)).text == MODERATOR_IS_SEATED


async def test_2_3_removing_the_bot_from_the_server_keeps_finished_hands(club: World) -> None:
    table = await club.start_table("ben", seats=2, hands=2)
    await club.play_hand(table)
    club.bot.dispatch("guild_remove", club.bot.get_guild(club.guild.id))
    await club.settle()
    assert table.stage == "over"
    assert len(await matches_and_wins(club.parts.store, club.guild.id)) == 2
