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
from tests.people.sealed_entrances import NO_MATCH, no_command_finds_it, no_step_is_shown
from tests.people.test_presence import give
from tests.people.test_same_deals import ANOTHER, INVITED, SHEET, both, hastily, play_out, posted, pressed
from tests.support.message_text import Shown, private
from tests.support.world import World, world

OF_AN_ONLOOKER = (Verb.CHECK, Verb.SHARE, Verb.SETTLE, Verb.LAST, Verb.HAND, Verb.WATCH, Verb.FOLLOW, Verb.RULES)
TOLD_NOTHING = ("There's no such table here.", "You can still play these deals yourself, so")


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """Ann and Ben have played to the end, Cleo and Dev are at it; Eve looks on, and Fay, who may manage threads."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        made.arrive("fay")
        mods = made.guild.create_role("mods", permissions=discord.Permissions(manage_threads=True))
        for name in ("cleo", "fay"):
            give(made, name, mods)
        one, _ = await both(made)
        await play_out(made, one)
        yield made


async def tables(here: World) -> tuple[Table, Table]:
    """Return the finished table and the running one."""
    (running,) = await here.parts.store.tables.open_tables()
    return await here.parts.tables.get(type(running)(1)), await here.parts.tables.get(running)


LOOKING = ("cleo", "dev", "eve", "fay")


async def test_a_user_who_may_still_play_the_deals_sees_no_hand_of_them(wide: World) -> None:
    over, running = await tables(wide)
    for name in LOOKING:
        shown = await pressed(wide, name, "Scoresheet")
        await no_step_is_shown(wide, name, over, shown)
        await no_command_finds_it(wide, name, over)
        for which in ("mine", "everywhere"):
            assert (
                "There's no finished match like that yet"
                in (await wide.slash(name, "matches export", which=which)).text
            )
        for table in (over, running):
            await nothing_answers(wide, name, table, await pressed(wide, name, "Scoresheet"))
        for read in (private(await pressed(wide, name, "Scoresheet")), await wide.slash(name, "matches sheet")):
            assert "above the average" not in read.text
            assert "ann" not in read.text
            assert not read.selects
    await who_does_not_see_the_channel_is_told_of_none_of_it(wide, over)
    await who_looks_after_a_table_may_still_do_so(wide, running)
    await who_left_their_table_knows_them_once_it_is_over(wide, over, running)


async def nothing_answers(here: World, name: str, table: Table, shown: InteractionResult) -> None:
    """Press what a table answers to who looks on, unless this person sits there."""
    for verb in OF_AN_ONLOOKER if table.scene(here.people[name].id).seat is None else ():
        read = private(await here.forge(here.people[name], shown, str(Press(table.id, verb)))).text
        assert read.startswith(TOLD_NOTHING), (verb, read)


async def who_looks_after_a_table_may_still_do_so(here: World, running: Table) -> None:
    """Let Fay open the menu of a table."""
    shown = await pressed(here, "fay", "Scoresheet")
    menu = private(await here.forge(here.people["fay"], shown, str(Press(running.id, Verb.MENU))))
    assert "table 2" in menu.text


async def who_left_their_table_knows_them_once_it_is_over(here: World, over: Table, running: Table) -> None:
    """Let Dev leave before the end."""
    await here.leave("dev", running)
    shown = await pressed(here, "dev", "Scoresheet")
    assert private(await here.forge(here.people["dev"], shown, f"bv:replay:{over.id}:0")).text == NO_MATCH
    assert "You have or had a seat at another table with" in private(await pressed(here, "dev", ANOTHER)).text


async def who_does_not_see_the_channel_is_told_of_none_of_it(here: World, over: Table) -> None:
    """Ask on no server."""
    number = over.row.duplicate_id
    assert number is not None
    with pytest.raises(Exception, match="Those deals are gone"):
        await here.parts.duplicates.scoresheet(number, here.ann.id, None)
    with pytest.raises(Exception, match="Those deals are gone"):
        await here.parts.duplicates.request_table(number, here.people["eve"].id, None)


async def test_a_user_who_played_the_deals_sees_all_tables_but_cannot_post_them(wide: World) -> None:
    over, running = await tables(wide)
    await play_out(wide, running, hastily)
    held = {symbols((card,)) for card in over.ruleset.rules.pack}
    for each in wide.channel.history():
        read_by_all = Shown.of(each).text
        assert not [face for face in held if face in read_by_all], read_by_all
    assert len(posted(wide, SHEET)) == len(posted(wide, INVITED)) == 1
    for name, other in (("cleo", over), ("ann", running)):
        read = private(await pressed(wide, name, "Scoresheet"))
        assert "above the average" in read.text
        assert str(other.id) in next(iter(read.selects.values()))
        playback = await wide.forge(
            wide.people[name], await pressed(wide, name, "Scoresheet"), f"bv:replay:{other.id}:0"
        )
        assert "Hand 1" in private(playback).text
        before = len(wide.channel.history())
        shared = private(await wide.press_behind(name, playback, "Share…", "Post in this channel")).text
        assert shared == "Others may still play these cards, so you can't show this to everyone yet."
        assert len(wide.channel.history()) == before
    assert "Hand 1" in private(await wide.forge(wide.people["ann"], playback, f"bv:replay:{over.id}:0")).text
    for name in ("eve", "fay"):
        for table in (over, running):
            shown = await pressed(wide, name, "Scoresheet")
            told = private(await wide.forge(wide.people[name], shown, f"bv:replay:{table.id}:0")).text
            assert told == NO_MATCH
