"""Reports at every entrance to a user with unplayed deals: nothing."""

from __future__ import annotations

from simcord.results import InteractionResult

from bot.show.matches.moment_codes import MomentCode
from bot.table.table import Table
from tests.support.message_text import private_reply
from tests.support.world import World

NO_MATCH, NO_CODE = "There's no such finished match here.", "Its match was on another server, was deleted"
REPLAYS = (
    "replay:{0}:0",
    "replay:{0}:9:0",
    "verify:{0}:9",
    "post_moment:{0}:9",
    "moment:{0}:9",
    "match_file:{0}",
    "look_back:{0}",
    "look_on:{0}:1",
    "replay_menu:{0}:9",
    "share_moment:{0}:9",
    "keep_moment:{0}:9",
    "play_on:{0}:9:",
    "play_on:{0}:9:1",
)


async def check_no_step_is_shown(here: World, name: str, table: Table, shown: InteractionResult) -> None:
    """Try all that leads into a replay. shown: a message with buttons that this person has."""
    before = len(here.channel.history())
    for address in REPLAYS:
        read = private_reply(await here.forge(here.people[name], shown, f"bv:{address.format(table.id)}")).text
        assert read == NO_MATCH, address
    assert len(here.channel.history()) == before


async def check_no_command_finds_match(here: World, name: str, table: Table) -> None:
    """Try all commands that find finished matches, by number, code and autocompletion."""
    code = str(MomentCode(table.id, 9))
    assert NO_CODE in (await here.slash(name, "matches list", table=code)).text
    for command in ("list", "verify", "export"):
        for typed in (str(table.row.number), str(table.id)):
            assert (await here.slash(name, f"matches {command}", table=typed)).text == NO_MATCH, command
        for typed in ("", code):
            assert await here.people[name].autocomplete(here.channel, f"matches {command}", "table", typed) == []
    assert "No finished matches here yet." in (await here.slash(name, "matches list")).text
