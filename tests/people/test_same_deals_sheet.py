"""The sheet of the same deals: deleted users are removed, the sheet returns, and the rest stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.domain.ids import UserId
from bot.table.table import Table
from tests.people.test_same_deals import (
    ANOTHER,
    SHEET,
    begun,
    both,
    further,
    hastily,
    play_out,
    posted,
    pressed,
    shared,
)
from tests.support.message_text import Shown, private
from tests.support.world import World, world


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open private threads, with two people more."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        made.arrive("fay")
        yield made


async def gains(here: World, number: int | None) -> dict[UserId | None, float | None]:
    """Return what the scoresheet says of each player."""
    assert number is not None
    sheet = await here.parts.duplicates.scoresheet(number, here.people["cleo"].id, here.guild.id)
    return {each.user: each.gain for each in sheet.lines}


async def test_deleting_a_player_removes_them_from_the_sheet_and_keeps_other_scores(wide: World) -> None:
    one, two = await both(wide)
    await play_out(wide, one)
    await play_out(wide, two, hastily)
    before = await gains(wide, one.row.duplicate_id)
    assert {"parts", "duplicates"} <= set(await wide.parts.store.person_data(wide.ann.id))
    assert "ann" in posted(wide, SHEET)[0].text
    await forgets(wide, "ann")
    assert (await wide.parts.store.person_data(wide.ann.id)).keys() <= {"uses"}
    del before[wide.ann.id]
    assert await gains(wide, one.row.duplicate_id) == before
    (sheet,) = posted(wide, SHEET)
    assert "ann" not in sheet.text
    assert all(name in sheet.text for name in ("ben", "cleo", "dev"))
    assert "2 tables have played." in sheet.text
    refused = "Your data was deleted after these deals were"
    assert refused in private(await pressed(wide, "ann", ANOTHER)).text
    three = await further(wide, "eve")
    await wide.later(seconds=3)
    assert refused in private(await wide.press("ann", three, "Join")).text
    assert [chair.name for chair in three.row.chairs] == ["eve"]
    await a_sheet_that_was_deleted_is_posted_again(wide, three)


async def a_sheet_that_was_deleted_is_posted_again(here: World, three: Table) -> None:
    """Delete the sheet, and let the third table change it."""
    message = next(each for each in here.channel.history() if SHEET in Shown.of(each).text)
    here.env.backend.delete_message(here.channel.id, message.id)
    assert posted(here, SHEET) == []
    await play_out(here, await begun(here, three, "eve", "fay"))
    (sheet,) = posted(here, SHEET)
    assert "3 tables have played." in sheet.text
    await forgets(here, "ben")
    (sheet,) = posted(here, SHEET)
    assert "ben" not in sheet.text, "from now on it is the new one that changes"


async def forgets(here: World, name: str) -> None:
    """Delete the data of a player."""
    await here.parts.retention.forget_person(here.people[name].id)
    await here.settle()


@pytest.mark.rotates(2)
@pytest.mark.parametrize("alike", [False, True])
async def test_a_table_that_cannot_be_posted_suggests_moving_unless_it_is_a_duplicate(
    wide: World, *, alike: bool
) -> None:
    table = await (shared(wide) if alike else wide.open_table(game="tien_len", seats=2, hands=2))
    await wide.later(seconds=3)
    await wide.press("ben", table, "Join")
    await wide.let_bot(wide.channel, send_messages=False)
    wide.parts.delivery.changed(table)
    await wide.later(seconds=15)
    said = private(await wide.press("ann", table, "Start")).text
    assert "I can't post where this table is" in said
    assert ("/table move" in said) != alike


async def test_1_1_a_sheet_whose_response_was_lost_is_posted_once(wide: World) -> None:
    one, two = await both(wide)
    await play_out(wide, one)
    wide.env.lose_answers("POST", "/channels/{channel_id}/messages", times=99)
    await play_out(wide, two, hastily)
    assert len(posted(wide, SHEET)) == 1
    await wide.later(minutes=10)
    assert len(posted(wide, SHEET)) == 1
    assert "sheet 1" in await wide.parts.store.outbox.keys()
    wide.env.lose_answers("POST", "/channels/{channel_id}/messages", times=0)
    await play_out(wide, await begun(wide, await further(wide, "eve"), "eve", "fay"))
    (sheet,) = posted(wide, SHEET)
    assert "3 tables have played." in sheet.text
