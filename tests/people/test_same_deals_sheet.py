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
    finish_table,
    messages_titled,
    open_further_table,
    open_shared_table,
    play_most_cards,
    press_in_channel,
    start_both_tables,
    start_shared_table,
)
from tests.support.message_text import ParsedMessage, private_reply
from tests.support.world import World, world


@pytest_asyncio.fixture
async def wide(tmp_path: Path) -> AsyncIterator[World]:
    """A server where the bot may open private threads, with two people more."""
    async with world(tmp_path, threads=True) as made:
        made.arrive("eve")
        made.arrive("fay")
        yield made


async def sheet_lines(here: World, number: int | None) -> dict[UserId | None, float | None]:
    """Return what the scoresheet says of each player."""
    assert number is not None
    sheet = await here.parts.duplicates.scoresheet(number, here.people["cleo"].id, here.guild.id)
    return {each.user: each.gain for each in sheet.lines}


async def test_deleting_a_player_removes_them_from_the_sheet_and_keeps_other_scores(wide: World) -> None:
    one, two = await start_both_tables(wide)
    await finish_table(wide, one)
    await finish_table(wide, two, play_most_cards)
    before = await sheet_lines(wide, one.row.duplicate_id)
    assert {"parts", "duplicates"} <= set(await wide.parts.store.person_data(wide.ann.id))
    assert "ann" in messages_titled(wide, SHEET)[0].text
    await delete_user(wide, "ann")
    assert (await wide.parts.store.person_data(wide.ann.id)).keys() <= {"uses"}
    del before[wide.ann.id]
    assert await sheet_lines(wide, one.row.duplicate_id) == before
    (sheet,) = messages_titled(wide, SHEET)
    assert "ann" not in sheet.text
    assert all(name in sheet.text for name in ("ben", "cleo", "dev"))
    assert "2 tables have played." in sheet.text
    refused = "Your data was deleted after these deals were"
    assert refused in private_reply(await press_in_channel(wide, "ann", ANOTHER)).text
    three = await open_further_table(wide, "eve")
    await wide.advance(seconds=3)
    assert refused in private_reply(await wide.press("ann", three, "Join")).text
    assert [chair.name for chair in three.row.chairs] == ["eve"]
    await check_deleted_sheet_is_reposted(wide, three)


async def check_deleted_sheet_is_reposted(here: World, three: Table) -> None:
    """Delete the sheet, and let the third table change it."""
    message = next(each for each in here.channel.history() if SHEET in ParsedMessage.of(each).text)
    here.env.backend.delete_message(here.channel.id, message.id)
    assert messages_titled(here, SHEET) == []
    await finish_table(here, await start_shared_table(here, three, "eve", "fay"))
    (sheet,) = messages_titled(here, SHEET)
    assert "3 tables have played." in sheet.text
    await delete_user(here, "ben")
    (sheet,) = messages_titled(here, SHEET)
    assert "ben" not in sheet.text, "from now on it is the new one that changes"


async def delete_user(here: World, name: str) -> None:
    """Delete the data of a player."""
    await here.parts.retention.forget_person(here.people[name].id)
    await here.settle()


@pytest.mark.rotates(2)
@pytest.mark.parametrize("alike", [False, True])
async def test_a_table_that_cannot_be_posted_suggests_moving_unless_it_is_a_duplicate(
    wide: World, *, alike: bool
) -> None:
    table = await (open_shared_table(wide) if alike else wide.open_table(game="tien_len", seats=2, hands=2))
    await wide.advance(seconds=3)
    await wide.press("ben", table, "Join")
    await wide.set_bot_permissions(wide.channel, send_messages=False)
    wide.parts.delivery.changed(table)
    await wide.advance(seconds=15)
    said = private_reply(await wide.press("ann", table, "Start")).text
    assert "I can't post where this table is" in said
    assert ("/table move" in said) != alike


async def test_1_1_a_sheet_whose_response_was_lost_is_posted_once(wide: World) -> None:
    one, two = await start_both_tables(wide)
    await finish_table(wide, one)
    wide.env.lose_answers("POST", "/channels/{channel_id}/messages", times=99)
    await finish_table(wide, two, play_most_cards)
    assert len(messages_titled(wide, SHEET)) == 1
    await wide.advance(minutes=10)
    assert len(messages_titled(wide, SHEET)) == 1
    assert "sheet 1" in await wide.parts.store.outbox.keys()
    wide.env.lose_answers("POST", "/channels/{channel_id}/messages", times=0)
    await finish_table(wide, await start_shared_table(wide, await open_further_table(wide, "eve"), "eve", "fay"))
    (sheet,) = messages_titled(wide, SHEET)
    assert "3 tables have played." in sheet.text
