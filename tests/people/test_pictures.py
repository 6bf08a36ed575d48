"""The board with a picture of the table: with and without, its surroundings, and errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest
import pytest_asyncio

from bot.rules.core.cards import cards
from bot.show.kit.layout import DOTS
from bot.show.pictures import lettering
from bot.show.pictures.table import draw, plate_of
from bot.table.table import Table
from tests.support.message_text import private_reply, walk_components
from tests.support.world import SHORT_HANDS, World, world

PNG = b"\x89PNG"
EDIT = "/channels/*/messages/*"


@pytest_asyncio.fixture
async def drawn(tmp_path: Path) -> AsyncIterator[World]:
    """Give a server on which the bot may put pictures into the channel."""
    async with world(tmp_path, pictures=True) as made:
        yield made


def board_picture(here: World, table: Table) -> discord.MediaGalleryItem | None:
    """Return what stands in the place of a board's picture, None where there is none."""
    found = [
        part
        for part in walk_components(here.board(table).components)
        if isinstance(part, discord.MediaGalleryComponent)
    ]
    return found[0].items[0] if found else None


async def picture_bytes(here: World, table: Table) -> bytes:
    """Return the picture of a board as Discord keeps it."""
    (file,) = here.board(table).attachments
    data = here.env.backend.cdn.get(file.url)
    assert data is not None
    return data


async def test_a_board_has_a_picture_and_each_edit_replaces_it(drawn: World) -> None:
    table = await drawn.start_table("ben", "cleo", "dev")
    assert drawn.read_board(table).text.startswith("### ann must lead with `3♢` · ends <t:")
    first, message = await picture_bytes(drawn, table), table.row.message
    (name,) = (file.filename for file in drawn.board(table).attachments)
    assert first.startswith(PNG)
    await drawn.play("ann", table, cards("3d 3c"))
    shown, picture = drawn.read_board(table), board_picture(drawn, table)
    assert shown.text.startswith("### ben's turn · ends <t:")
    assert shown.text.endswith("\n-# Big Two, table 1 · Hand 1"), "the rest is in the picture or behind the dots"
    assert await picture_bytes(drawn, table) != first
    (file,) = drawn.board(table).attachments
    assert (file.filename != name, table.row.message) == (True, message), "a new name for a new picture"
    assert picture is not None
    assert picture.description is not None
    assert picture.description.splitlines() == [
        "On top: a pair of 3s 3♢ 3♣︎, by ann.",
        "ann · 11 cards · on top",
        "ben · 13 cards · to play",
        "cleo · 13 cards",
        "dev · 13 cards",
    ]


async def test_the_buttons_below_the_picture_serve_the_hand_and_the_menu_has_the_rest(drawn: World) -> None:
    table = await drawn.start_table("ben", "cleo", "dev")
    assert list(drawn.read_board(table).buttons) == ["My hand", "Pass", DOTS, "😀"]
    await drawn.play("ann", table, cards("3d 3c"))
    await drawn.press("ben", table, "Pass")
    behind = await drawn.press("ben", table, DOTS)
    assert list(private_reply(behind).buttons) == [
        "Last trick",
        "Rules",
        "Check this deal",
        "Leave",
        "Repost the board",
    ]
    assert "dealt this hand. The cut showed" in private_reply(behind).text
    assert "🔒 sealed" in private_reply(behind).text
    assert "No finished trick in this hand yet" in private_reply(await drawn.press_on("ben", behind, "Last trick")).text
    onlooking = private_reply(await drawn.press("ann", table, DOTS))
    assert "Leave" in onlooking.buttons


async def test_after_a_hand_the_picture_shows_how_it_ended(drawn: World) -> None:
    drawn.deal = SHORT_HANDS
    table = await drawn.start_table("ben", hands=2)
    await drawn.play_hand(table)
    shown = board_picture(drawn, table)
    assert shown is not None
    assert "wins the hand\nBig Two · Hand 1 of 2\n1. " in (shown.description or "")
    assert list(drawn.read_board(table).buttons) == ["Ready", "My hand", "Settle up", DOTS]
    behind = await drawn.press("ann", table, DOTS)
    assert list(private_reply(behind).buttons)[:3] == ["Rules", "Check this deal", "Leave"]
    for name in ("ann", "ben"):
        await drawn.press(name, table, "Ready")
    await drawn.play_hand(table)
    shown = board_picture(drawn, table)
    assert shown is not None
    assert "wins the match\nBig Two\n1. " in (shown.description or "")
    assert list(drawn.read_board(table).buttons) == ["Rematch", "Replay", "Settle up", DOTS]


async def test_a_changed_permission_takes_effect_at_the_next_move(drawn: World) -> None:
    table = await drawn.start_table("ben", "cleo", "dev")
    await drawn.set_bot_permissions(drawn.channel, attach_files=False)
    await drawn.play("ann", table, cards("3d 3c"))
    assert board_picture(drawn, table) is None
    assert not drawn.board(table).attachments
    assert "**ann** played a pair of 3s:\n## `3♢` `3♣︎`" in drawn.read_board(table).text, "the board says all in text"
    await drawn.restart()
    table = await drawn.reload(table)
    await drawn.set_bot_permissions(drawn.channel, attach_files=True)
    await drawn.pass_("ben", table)
    picture = board_picture(drawn, table)
    assert picture is not None
    assert "ben · 13 cards · passed" in (picture.description or "")


async def test_without_pictures_the_board_shows_everything_in_text(
    drawn: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await drawn.parts.servers.change(drawn.guild.id, drawn.owner, "pictures", False)
    table = await drawn.start_table("ben", "cleo", "dev")
    assert board_picture(drawn, table) is None
    assert "New trick." in drawn.read_board(table).text
    await drawn.parts.servers.change(drawn.guild.id, drawn.owner, "pictures", True)
    monkeypatch.setattr(lettering, "FONTS", tmp_path)  # as on a machine where they have been lost
    for known in (lettering._font, draw, plate_of):
        known.cache_clear()
    table = await drawn.start_table("ben", "cleo", "dev", by="ann")
    assert board_picture(drawn, table) is None
    assert "New trick." in drawn.read_board(table).text


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("status", "code"), [(400, 50035), (413, 40005), (403, 50013)])
async def test_a_refused_picture_falls_back_to_text_and_is_retried_in_a_minute(
    drawn: World, status: int, code: int
) -> None:
    table = await drawn.start_table("ben", "cleo", "dev")
    drawn.env.inject_error("PATCH", EDIT, status=status, code=code, times=1)
    await drawn.play("ann", table, cards("3d 3c"))
    assert board_picture(drawn, table) is None
    assert "**ann** played a pair of 3s:" in drawn.read_board(table).text
    await drawn.pass_("ben", table)
    assert board_picture(drawn, table) is None, "a minute has not gone by"
    await drawn.advance(seconds=61)
    assert board_picture(drawn, table) is not None
    assert drawn.read_board(table).text.startswith("### cleo's turn")


async def test_a_repeatedly_refused_picture_is_retried_with_backoff(drawn: World) -> None:
    table = await drawn.start_table("ben", "cleo", "dev", pace="none")
    refuse_next_edit(drawn)
    await drawn.play("ann", table, cards("3d 3c"))
    refuse_next_edit(drawn)
    await drawn.advance(seconds=61)
    assert not drawn.env.backend.faults, "tried again after a minute"
    refuse_next_edit(drawn)
    await drawn.advance(seconds=61)
    assert drawn.env.backend.faults, "not again after another one"
    await drawn.advance(seconds=61)
    assert not drawn.env.backend.faults, "but after two"
    await drawn.advance(seconds=241)
    assert board_picture(drawn, table) is None
    await drawn.advance(seconds=61)
    assert board_picture(drawn, table) is not None


def refuse_next_edit(here: World) -> None:
    """Make Discord refuse the next edit."""
    here.env.inject_error("PATCH", EDIT, status=400, code=50035, times=1)


async def test_the_clock_of_a_house_player_is_not_shown(tmp_path: Path) -> None:
    async with world(tmp_path, pictures=True, house_delay_seconds=8) as here:
        table = await here.start_table()
        await here.play("ann", table, cards("3d 3c"))
        assert here.read_board(table).text.startswith("### Mei 🤖's turn\n")
        assert "<t:" not in private_reply(await here.open_hand("ann", table)).text
        while here.current_player(table) != "ann":  # each of the three takes as long as it likes
            await here.advance(seconds=8.5)
        assert here.current_player(table) == "ann"
        assert "<t:" in here.read_board(table).text
