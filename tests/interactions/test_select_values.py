"""Values in a select that no menu offers, or none any more: a friendly sentence, no action, no traceback."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.interactions.dispatcher import BROKEN
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.lobby.options import GROUP, OPTION, PRESET, SET
from bot.show.table.paces import GIVE_HINTS, GIVE_REACTIONS, PACE
from bot.table.table import Table
from tests.interactions.clicks import send_click
from tests.interactions.test_every_handler import Door, address, browsed
from tests.support.message_text import private_reply
from tests.support.world import World, world

STRANGE: tuple[list[str], ...] = (
    [],
    ["nonsense"],
    ["-1"],
    ["9" * 30],
    ["1:2:3"],
    ["99:ann"],
    [":"],
    ["=,"],
    ["x" * 100],
    ["１"],
    [""],
    ["3d", "zz"],
    ["3d", "3d"],
    ["2s", "2s", "2s"],
    ["stake=1,stake=x"],
    ["nothing=1"],
    ["1:ben", "ghost"],
)
IN_LOBBY = (Verb.SEATS, Verb.LEVEL, Verb.LENGTH, Verb.PACE)
CHOOSING = (GROUP, OPTION, PRESET, PACE, GIVE_HINTS, GIVE_REACTIONS, SET)


async def select_and_read(here: World, door: Door, where: str, custom_id: str, values: list[str]) -> str:
    """Select values as a user; return the reply."""
    who, message = door.messages[where]
    return private_reply(await send_click(here, who, message, custom_id, values)).text


def logged_errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the messages of log records that are errors or have a traceback."""
    return [each.getMessage() for each in caplog.records if each.exc_info or each.levelno >= logging.ERROR]


@pytest.mark.rotates(2)
@pytest.mark.parametrize("where", ["public", "private"])
async def test_a_match_accepts_only_offered_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    async with world(tmp_path, deal="kept behind the door 4") as here:
        door = await Door.at(here)
        before = door.table.row
        for key in here.parts.dispatcher.handlers:
            custom_id, chosen = address(key, door.table, here.ann.id)
            for values in STRANGE if chosen else ():
                said = await select_and_read(here, door, where, custom_id, values)
                assert said or where == "public", (key, values)
                assert BROKEN not in said, (key, values)
                assert logged_errors(caplog) == [], (key, values)
        assert (door.table.row.chairs, door.table.row.steps) == (before.chairs, before.steps)


async def test_a_lobby_accepts_only_offered_values(here: World, caplog: pytest.LogCaptureFixture) -> None:
    table = await here.open_table("ann", seats=3)
    await here.press("ben", table, "Join")
    before = table.row
    for custom_id in choices(table):
        for values in STRANGE:
            answer = await send_click(here, here.ann, here.board(table), custom_id, values)
            assert BROKEN not in private_reply(answer).text, (custom_id, values)
            assert logged_errors(caplog) == [], (custom_id, values)
    assert (table.row.options, table.row.pace) == (before.options, before.pace)
    assert [chair.name for chair in table.row.chairs] == ["ann", "ben"]


def choices(table: Table) -> list[str]:
    """Return the custom ids of a lobby's menus."""
    menus = [str(Browse.to(verb, *browsed(table)[verb][0])) for verb in CHOOSING]
    return [*menus, *(str(Press(table.id, verb)) for verb in IN_LOBBY)]


async def test_an_expired_selection_says_what_to_do(here: World) -> None:
    table = await here.open_table("ann", seats=3)
    for custom_id in choices(table):
        shown = private_reply(await send_click(here, here.ann, here.board(table), custom_id, ["nonsense"])).text
        assert shown == "That choice has expired. Please open the menu again and choose there."
