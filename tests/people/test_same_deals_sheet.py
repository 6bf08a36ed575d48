"""The sheet of the same deals: deleted users are removed, the sheet returns, and the rest stays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.ai.plain import timeout_action
from tests.people.test_same_deals import ANOTHER, SHEET, begun, both, further, play_out, posted, pressed, shared
from tests.support.message_text import Shown, private
from tests.support.world import World, world


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open private threads, with two people more."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        made.arrive("fay")
        yield made


async def compared(here: World) -> Shown:
    """Let two tables play the same deals, and return the sheet."""
    one, two = await both(here)
    await play_out(here, one)
    await play_out(here, two, timeout_action)
    (sheet,) = posted(here, SHEET)
    return sheet


async def test_a_sheet_loses_the_name_of_whoever_is_deleted_at_once(wide: World) -> None:
    assert "ann" in (await compared(wide)).text
    await wide.parts.retention.forget_person(wide.ann.id)
    await wide.settle()
    (sheet,) = posted(wide, SHEET)
    assert "ann" not in sheet.text
    assert all(name in sheet.text for name in ("ben", "cleo", "dev"))
    assert "2 tables have played." in sheet.text


async def test_a_sheet_that_was_deleted_is_posted_again_when_it_changes(wide: World) -> None:
    await compared(wide)
    message = next(each for each in wide.channel.history() if SHEET in Shown.of(each).text)
    wide.env.backend.delete_message(wide.channel.id, message.id)
    assert posted(wide, SHEET) == []
    await play_out(wide, await begun(wide, await further(wide, "eve"), "eve", "fay"))
    (sheet,) = posted(wide, SHEET)
    assert "3 tables have played." in sheet.text
    await wide.parts.retention.forget_person(wide.ann.id)
    await wide.settle()
    (sheet,) = posted(wide, SHEET)
    assert "ann" not in sheet.text, "from now on it is the new one that changes"


@pytest.mark.parametrize("alike", [False, True])
async def test_a_table_that_stays_where_it_is_advises_nobody_to_take_it_elsewhere(wide: World, *, alike: bool) -> None:
    table = await (shared(wide) if alike else wide.open_table(game="tien_len", seats=2, hands=2))
    await wide.later(seconds=3)
    await wide.press("ben", table, "Join")
    await wide.let_bot(wide.channel, send_messages=False)
    wide.parts.publisher.changed(table)
    await wide.later(seconds=15)
    said = private(await wide.press("ann", table, "Start")).text
    assert "I can't post where this table is" in said
    assert ("/table move" in said) != alike


async def test_whoever_has_their_data_deleted_sits_at_no_other_of_these_tables(wide: World) -> None:
    await compared(wide)
    await wide.parts.retention.forget_person(wide.ann.id)
    await wide.settle()
    refused = "Your data was deleted after these deals were"
    assert refused in private(await pressed(wide, "ann", ANOTHER)).text
    table = await further(wide, "eve")
    await wide.later(seconds=3)
    assert refused in private(await wide.press("ann", table, "Join")).text
    assert [chair.name for chair in table.row.chairs] == ["eve"]


async def test_1_1_a_sheet_whose_answer_was_lost_stands_there_once(wide: World) -> None:
    one, two = await both(wide)
    await play_out(wide, one)
    wide.env.lose_answers("POST", "/channels/{channel_id}/messages", times=99)
    await play_out(wide, two, timeout_action)
    assert len(posted(wide, SHEET)) == 1
    await wide.later(minutes=10)
    assert len(posted(wide, SHEET)) == 1
    assert "sheet 1" in await wide.parts.store.outbox.keys()
    wide.env.lose_answers("POST", "/channels/{channel_id}/messages", times=0)
    await play_out(wide, await begun(wide, await further(wide, "eve"), "eve", "fay"))
    (sheet,) = posted(wide, SHEET)
    assert "3 tables have played." in sheet.text
