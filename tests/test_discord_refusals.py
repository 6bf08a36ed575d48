"""That the simulated Discord refuses what Discord refuses: unknown emoji on components, and files on demand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import ui

from bot.interactions.answers import DONE, Reply
from bot.interactions.visit import Handler, Visit
from bot.show.kit.custom_ids import Press, Verb
from tests.support import refusals
from tests.support.world import World, world

UNKNOWN = discord.PartialEmoji(name="bg1_3d", id=4711)
Sending = Callable[[discord.Interaction[Any], ui.LayoutView], Awaitable[object]]


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[World]:
    """Give a server with an open lobby."""
    async with world(tmp_path) as made:
        yield made


def screens(emoji: discord.PartialEmoji) -> dict[str, ui.LayoutView]:
    """Return screens with an emoji on each kind of component, by the way to it."""
    select = ui.Select[Any](options=[discord.SelectOption(label="x"), discord.SelectOption(label="y", emoji=emoji)])
    beside = ui.Section[Any]("text", accessory=ui.Button(emoji=emoji))
    return {
        "components.0.components.0.emoji.id": _screen(ui.ActionRow(ui.Button(emoji=emoji))),
        "components.0.components.0.components.1.emoji.id": _screen(
            ui.Container(ui.ActionRow(ui.Button(label="x"), ui.Button(emoji=emoji)))
        ),
        "components.0.components.0.components.0.options.1.emoji.id": _screen(ui.Container(ui.ActionRow(select))),
        "components.0.components.0.accessory.emoji.id": _screen(ui.Container(beside)),
    }


def _screen(*items: ui.Item[Any]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


async def test_an_unknown_emoji_on_a_component_is_refused_in_discords_words(here: World) -> None:
    channel = here.bot.get_partial_messageable(here.channel.id)
    there = await channel.send("hello")
    for place, view in screens(UNKNOWN).items():
        for sending in (channel.send, there.edit):
            with pytest.raises(discord.HTTPException) as caught:
                await sending(view=view)
            assert (caught.value.status, caught.value.code) == (400, 50035)
            assert f"In {place}: Invalid emoji" in caught.value.text
            assert "BUTTON_COMPONENT_INVALID_EMOJI" in str(caught.value._errors)
    assert there.content == "hello"


async def test_unknown_emoji_in_text_and_unicode_emoji_on_buttons_are_accepted(here: World) -> None:
    channel = here.bot.get_partial_messageable(here.channel.id)
    await channel.send(view=_screen(ui.TextDisplay(str(UNKNOWN)), ui.ActionRow(ui.Button(emoji="🔎"))))


async def test_a_known_emoji_is_refused_only_on_demand_and_then_may_take_effect(here: World) -> None:
    known = await here.bot.create_application_emoji(name="bg1_3d", image=b"\x89PNG\r\n\x1a\n")
    channel = here.bot.get_partial_messageable(here.channel.id)
    for view in screens(discord.PartialEmoji(name=known.name, id=known.id)).values():
        await channel.send(view=view)
        for done in (False, True):
            before = len(here.channel.history())
            refusal = refusals.refuse_emoji(here.env.backend, done=done)
            with pytest.raises(discord.HTTPException, match="Invalid emoji"):
                await channel.send(view=view)
            assert refusal.hits == 1
            assert len(here.channel.history()) == before + done
            await channel.send("without any")
            await channel.send(view=view)


async def test_files_are_too_large_on_demand(here: World) -> None:
    channel = here.bot.get_partial_messageable(here.channel.id)
    refusals.refuse_files(here.env.backend)
    await channel.send("without any")
    with pytest.raises(discord.HTTPException) as caught:
        await channel.send(file=discord.File(BytesIO(b"x"), "x.txt"))
    assert (caught.value.status, caught.value.code) == (413, 40005)
    await channel.send(file=discord.File(BytesIO(b"x"), "x.txt"))


async def _answering(click: discord.Interaction[Any], view: ui.LayoutView) -> None:
    await click.response.send_message(view=view, ephemeral=True)


async def _filling(click: discord.Interaction[Any], view: ui.LayoutView) -> None:
    await click.response.defer(ephemeral=True, thinking=True)
    await click.edit_original_response(view=view)


async def _following(click: discord.Interaction[Any], view: ui.LayoutView) -> None:
    await click.response.defer()
    await click.followup.send(view=view, ephemeral=True)


async def _editing(click: discord.Interaction[Any], view: ui.LayoutView) -> None:
    await click.response.defer()
    sent = await click.followup.send("hello", ephemeral=True, wait=True)
    await click.followup.edit_message(sent.id, view=view)


@pytest.mark.parametrize("sending", [_answering, _filling, _following, _editing])
async def test_every_kind_of_response_is_refused(here: World, sending: Sending) -> None:
    table = await here.open_table()
    for place, view in screens(UNKNOWN).items():
        refused: list[str] = []

        async def work(visit: Visit, view: ui.LayoutView = view, refused: list[str] = refused) -> Reply:
            try:
                await sending(visit.interaction, view)
            except discord.HTTPException as error:
                refused.append(error.text)
            return DONE

        here.parts.dispatcher.handlers[Press, Verb.CHANGE] = Handler(work)
        await here.press("ann", table, "Rules…")
        assert f"{place}: Invalid emoji" in "".join(refused)
