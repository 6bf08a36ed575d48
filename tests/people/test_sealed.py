"""Deals that others may still have to play: no entrance to a match shows them, nor to the public."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.show.matches.moment_codes import MomentCode
from bot.table.table import Table
from tests.people import test_day_deal as day
from tests.people import test_duplicate as duplicate
from tests.people.test_day_deal import daily  # noqa: F401  # a fixture
from tests.people.test_moments_shared import open_match_directly
from tests.people.test_taking import export_matches
from tests.support.message_text import private_reply
from tests.support.world import World

NOTHING = "There's no such finished match here."
NO_CODE = "Its match was on another server, was deleted"
SEALED = "Others may still play these cards, so you"


async def play_daily_deal(here: World) -> Table:
    """Play the deal of the day as Ann."""
    return await day.finish_try(here, "ann")


async def play_duplicate(here: World) -> Table:
    """Play a duplicate as Ann."""
    return await duplicate.finish_duplicate(here, await duplicate.create_duplicate(here), "ann")


@pytest.mark.parametrize("played", [play_daily_deal, play_duplicate])
async def test_only_users_who_played_the_deals_can_open_their_matches(
    daily: World,  # noqa: F811
    played: Callable[[World], Awaitable[Table]],
) -> None:
    table = await played(daily)
    assert NO_CODE in private_reply(await open_match_directly(daily, "ben", str(MomentCode(table.id, 1)))).text
    typed = str(MomentCode(table.id, 1))
    assert await daily.people["ben"].autocomplete(daily.channel, "matches list", "table", typed) == []
    listing = await daily.slash("ben", "matches list")
    assert "No finished matches here yet." in listing.text
    for verb in (
        "moment",
        "replay",
        "post_moment",
        "share_moment",
        "keep_moment",
        "replay_menu",
        "verify",
        "look_back",
        "look_on",
    ):
        result = await daily.forge(
            daily.people["ben"], await day.open_daily_screen(daily, "ben"), f"bv:{verb}:{table.id}:1"
        )
        assert private_reply(result).text == NOTHING, verb
    number = str(table.row.number)
    for name in ("ann", "ben"):
        assert await daily.people[name].autocomplete(daily.channel, "matches list", "table", "") == []
        assert NOTHING in private_reply(await open_match_directly(daily, name, number)).text
        assert await export_matches(daily, name, table=number) == (NOTHING, {})
        assert await export_matches(daily, name) == (NOTHING, {})
        assert NOTHING in (await daily.slash(name, "matches verify", table=number)).text
    await check_code_opens_without_sharing(daily, "ann", table)


async def check_code_opens_without_sharing(daily: World, name: str, table: Table) -> None:  # noqa: F811
    """Open a match by its code as its player; check that sharing is refused."""
    playback = await open_match_directly(daily, name, str(MomentCode(table.id, 1)))
    assert "move 1 of" in private_reply(playback).text
    before = len(daily.channel.history())
    assert SEALED in private_reply(await daily.press_in_menu(name, playback, "Share…", "Post in this channel")).text
    assert len(daily.channel.history()) == before
