"""Deals that others may still have to play: no entrance to a match shows them, nor to the public."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.show.matches.moment_codes import MomentCode
from bot.table.table import Table
from tests.people import test_day_deal as day
from tests.people import test_duplicate as duplicate
from tests.people.test_day_deal import daily  # noqa: F401  # a fixture
from tests.people.test_moments_shared import straight
from tests.people.test_taking import taken
from tests.support.message_text import private
from tests.support.world import World

NOTHING = "There's no such finished match here."
NO_CODE = "Its match was on another server, was deleted"
SEALED = "Others may still play these cards, so you"


async def a_day(here: World) -> Table:
    """Let Ann play the deal of the day."""
    return await day.play_out(here, "ann")


async def a_duplicate(here: World) -> Table:
    """Let Ann play the same deals as others will."""
    return await duplicate.play_out(here, await duplicate.open_one(here), "ann")


@pytest.mark.parametrize("played", [a_day, a_duplicate])
async def test_only_users_who_played_the_deals_can_open_their_matches(
    daily: World,  # noqa: F811
    played: Callable[[World], Awaitable[Table]],
) -> None:
    table = await played(daily)
    assert NO_CODE in private(await straight(daily, "ben", str(MomentCode(table.id, 1)))).text
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
        result = await daily.forge(daily.people["ben"], await day.ask(daily, "ben"), f"bv:{verb}:{table.id}:1")
        assert private(result).text == NOTHING, verb
    number = str(table.row.number)
    for name in ("ann", "ben"):
        assert await daily.people[name].autocomplete(daily.channel, "matches list", "table", "") == []
        assert NOTHING in private(await straight(daily, name, number)).text
        assert await taken(daily, name, table=number) == (NOTHING, {})
        assert await taken(daily, name) == (NOTHING, {})
        assert NOTHING in (await daily.slash(name, "matches verify", table=number)).text
    await comes_back_by_the_code_and_shares_nothing(daily, "ann", table)


async def comes_back_by_the_code_and_shares_nothing(daily: World, name: str, table: Table) -> None:  # noqa: F811
    """View a match as a user who played it."""
    playback = await straight(daily, name, str(MomentCode(table.id, 1)))
    assert "move 1 of" in private(playback).text
    before = len(daily.channel.history())
    assert SEALED in private(await daily.press_behind(name, playback, "Share…", "Post in this channel")).text
    assert len(daily.channel.history()) == before
