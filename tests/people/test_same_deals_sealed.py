"""The same deals at several tables, at every door: users with unfinished deals see no hand anywhere.

Three look: another player of these deals, a user without a seat, and a thread manager who can see private threads on
Discord.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
import pytest_asyncio
from simcord.results import InteractionResult

from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Press, Verb
from bot.table.table import Table
from tests.people.sealed_entrances import NO_MATCH, check_no_command_finds_match, check_no_step_is_shown
from tests.people.test_presence import set_roles
from tests.people.test_same_deals import (
    ANOTHER,
    INVITED,
    SHEET,
    finish_table,
    messages_titled,
    play_most_cards,
    press_in_channel,
    start_both_tables,
)
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world

SPECTATOR_VERBS = (Verb.CHECK, Verb.SHARE, Verb.SETTLE, Verb.LAST, Verb.HAND, Verb.WATCH, Verb.FOLLOW, Verb.RULES)
REFUSALS = ("There's no such table here.", "You can still play these deals yourself, so")


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """Ann and Ben have played to the end, Cleo and Dev are at it; Eve looks on, and Fay, who may manage threads."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        made.arrive("fay")
        mods = made.guild.create_role("mods", permissions=discord.Permissions(manage_threads=True))
        for name in ("cleo", "fay"):
            set_roles(made, name, mods)
        one, _ = await start_both_tables(made)
        await finish_table(made, one)
        yield made


async def finished_and_running_tables(here: World) -> tuple[Table, Table]:
    """Return the finished table and the running one."""
    (running,) = await here.parts.store.tables.open_tables()
    return await here.parts.tables.get(type(running)(1)), await here.parts.tables.get(running)


VIEWERS = ("cleo", "dev", "eve", "fay")


async def test_a_user_who_may_still_play_the_deals_sees_no_hand_of_them(wide: World) -> None:
    over, running = await finished_and_running_tables(wide)
    for name in VIEWERS:
        shown = await press_in_channel(wide, name, "Scoresheet")
        await check_no_step_is_shown(wide, name, over, shown)
        await check_no_command_finds_match(wide, name, over)
        for which in ("mine", "everywhere"):
            assert (
                "There's no finished match like that yet"
                in (await wide.slash(name, "matches export", which=which)).text
            )
        for table in (over, running):
            await check_no_table_answers(wide, name, table, await press_in_channel(wide, name, "Scoresheet"))
        for read in (
            private_reply(await press_in_channel(wide, name, "Scoresheet")),
            await wide.slash(name, "matches sheet"),
        ):
            assert "above the average" not in read.text
            assert "ann" not in read.text
            assert not read.selects
    await check_hidden_without_access(wide, over)
    await check_moderator_opens_menu(wide, running)
    await check_leaver_sees_finished_table(wide, over, running)


async def check_no_table_answers(here: World, name: str, table: Table, shown: InteractionResult) -> None:
    """Press what a table answers to who looks on, unless this person sits there."""
    for verb in SPECTATOR_VERBS if table.scene(here.people[name].id).seat is None else ():
        read = private_reply(await here.forge(here.people[name], shown, str(Press(table.id, verb)))).text
        assert read.startswith(REFUSALS), (verb, read)


async def check_moderator_opens_menu(here: World, running: Table) -> None:
    """Check that Fay can open the menu of a table."""
    shown = await press_in_channel(here, "fay", "Scoresheet")
    menu = private_reply(await here.forge(here.people["fay"], shown, str(Press(running.id, Verb.MENU))))
    assert "table 2" in menu.text


async def check_leaver_sees_finished_table(here: World, over: Table, running: Table) -> None:
    """Check the finished table as Dev, who left before the end."""
    await here.leave("dev", running)
    shown = await press_in_channel(here, "dev", "Scoresheet")
    assert private_reply(await here.forge(here.people["dev"], shown, f"bv:replay:{over.id}:0")).text == NO_MATCH
    assert (
        "You have or had a seat at another table with"
        in private_reply(await press_in_channel(here, "dev", ANOTHER)).text
    )


async def check_hidden_without_access(here: World, over: Table) -> None:
    """Ask on no server."""
    number = over.row.duplicate_id
    assert number is not None
    with pytest.raises(Exception, match="Those deals are gone"):
        await here.parts.duplicates.scoresheet(number, here.ann.id, None)
    with pytest.raises(Exception, match="Those deals are gone"):
        await here.parts.duplicates.request_table(number, here.people["eve"].id, None)


async def test_a_user_who_played_the_deals_sees_all_tables_but_cannot_post_them(wide: World) -> None:
    over, running = await finished_and_running_tables(wide)
    await finish_table(wide, running, play_most_cards)
    held = {symbols((card,)) for card in over.ruleset.rules.pack}
    for each in wide.channel.history():
        read_by_all = ParsedMessage.of(each).text
        assert not [face for face in held if face in read_by_all], read_by_all
    assert len(messages_titled(wide, SHEET)) == len(messages_titled(wide, INVITED)) == 1
    for name, other in (("cleo", over), ("ann", running)):
        read = private_reply(await press_in_channel(wide, name, "Scoresheet"))
        assert "above the average" in read.text
        assert str(other.id) in next(iter(read.selects.values()))
        playback = await wide.forge(
            wide.people[name], await press_in_channel(wide, name, "Scoresheet"), f"bv:replay:{other.id}:0"
        )
        assert "Hand 1" in private_reply(playback).text
        before = len(wide.channel.history())
        shared = private_reply(await wide.press_in_menu(name, playback, "Share…", "Post in this channel")).text
        assert shared == "Others may still play these cards, so you can't show this to everyone yet."
        assert len(wide.channel.history()) == before
    assert "Hand 1" in private_reply(await wide.forge(wide.people["ann"], playback, f"bv:replay:{over.id}:0")).text
    for name in ("eve", "fay"):
        for table in (over, running):
            shown = await press_in_channel(wide, name, "Scoresheet")
            told = private_reply(await wide.forge(wide.people[name], shown, f"bv:replay:{table.id}:0")).text
            assert told == NO_MATCH
