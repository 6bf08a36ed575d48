"""Duplicate, at every door: a user who has not finished the deals learns nothing about them anywhere."""

from __future__ import annotations

import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.results import InteractionResult

from bot.ai.plain import timeout_action
from bot.domain.refusals import Refused
from bot.members.presence import CACHE_TIME
from bot.show.matches.moment_codes import MomentCode
from bot.table.table import Table
from tests.people.sealed_entrances import NO_CODE, check_no_command_finds_match, check_no_step_is_shown
from tests.people.test_duplicate import (
    create_duplicate,
    finish_duplicate,
    own_duplicate_table,
    press_invitation,
    read_sheet,
)
from tests.people.test_presence import VIEW
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World

NO_TABLE = "no such table"
AT_TABLE = ("hand", "check", "watch", "menu", "share", "settle")
OVER = "above the average"


@pytest.fixture
async def table(here: World) -> Table:
    """Ann's table, who has played all deals; Ben is still at his, and Cleo has left hers."""
    number = await create_duplicate(here)
    played = await finish_duplicate(here, number, "ann", timeout_action)
    for name in ("ben", "cleo"):
        await press_invitation(here, name, "Deal the cards")
    await here.leave("cleo", await own_duplicate_table(here, number, "cleo"))
    return played


UNPLAYED = ("ben", "cleo", "dev")


async def check_no_table_button_answers(here: World, name: str, table: Table, shown: InteractionResult) -> None:
    """Try what is pressed at a table, with the address of this one. shown: a message with buttons of this person."""
    for verb in AT_TABLE:
        read = private_reply(await here.forge(here.people[name], shown, f"bg:{table.id}:{verb}")).text
        assert NO_TABLE in read, verb
    read = private_reply(await here.forge(here.people[name], shown, f"bv:sheet_of:{table.id}")).text
    assert read == "This table has no scoresheet."


def check_sheet_is_anonymous(read: ParsedMessage, table: Table) -> None:
    """Check the sheet as read by a user with unfinished deals."""
    assert OVER not in read.text
    assert "ann" not in read.text
    assert not read.selects
    assert table.id not in {int(address.split(":")[1]) for address, _ in read.buttons.values() if address[:3] == "bg:"}


async def test_a_user_who_has_not_played_the_deals_cannot_open_any_game_of_them(here: World, table: Table) -> None:
    for name in UNPLAYED:
        check_sheet_is_anonymous(await read_sheet(here, name), table)
        await check_no_step_is_shown(here, name, table, await press_invitation(here, name, "Scoresheet"))
        await check_no_command_finds_match(here, name, table)
        await check_no_table_button_answers(here, name, table, await press_invitation(here, name, "Scoresheet"))
    await check_posting_is_refused(here, table)
    await check_profiles_are_unaffected(here)
    finished = await here.parts.store.results.finished(table.id)
    assert finished is not None
    assert not finished.outcome.counts


async def check_posting_is_refused(here: World, table: Table) -> None:
    """Check that a player of the deals cannot post them in the channel."""
    before = [each.id for each in here.channel.history()]
    playback = await here.press_on("ann", await press_invitation(here, "ann", "Scoresheet"), "Replay")
    shared = private_reply(await here.press_in_menu("ann", playback, "Share…", "Post in this channel")).text
    assert shared == "Others may still play these cards, so you can't show this to everyone yet."
    given = await here.forge(here.people["ann"], playback, f"bg:{table.id}:share")
    assert given.response is not None
    assert given.response.ephemeral
    assert [each.id for each in here.channel.history()] == before


async def check_profiles_are_unaffected(here: World) -> None:
    """Check that profiles, standings and personal data reveal neither results nor the seed."""
    for name in ("ann", "ben"):
        said = (await here.slash(name, "my profile", person=here.people["ann"].user)).text
        assert "haven't finished a rated match here yet" in said
    for command in ("standings", "desk"):
        assert "ann" not in (await here.slash("ben", command)).text, command
    for name in ("ann", "ben", "cleo"):
        kept = await here.parts.store.person_data(here.people[name].id)
        assert kept["parts"]
        assert not any("seed" in row for rows in kept.values() for row in rows), name


async def test_a_user_without_access_to_the_channel_learns_nothing_of_a_duplicate(here: World) -> None:
    number, ben = await create_duplicate(here), here.people["ben"]
    table = await finish_duplicate(here, number, "ann", timeout_action)
    await finish_duplicate(here, number, "ben", timeout_action)
    elsewhere, code = here.guild.create_text_channel("elsewhere"), str(MomentCode(table.id, 9))
    assert "Hand 1" in (await here.slash("ben", "matches list", elsewhere, table=code)).text
    here.env.backend.set_overwrite(here.channel.id, Overwrite(target_id=ben.id, type=OverwriteType.MEMBER, deny=VIEW))
    await here.advance(seconds=CACHE_TIME.total_seconds() + 1)
    assert NO_CODE in (await here.slash("ben", "matches list", elsewhere, table=code)).text
    with pytest.raises(Refused, match="Those deals are gone"):
        await here.parts.duplicates.scoresheet(number, ben.id, here.guild.id)
    with pytest.raises(Refused, match="Those deals are gone"):
        await here.parts.duplicates.begin(number, ben.id, "ben", here.guild.id)
