"""A user without a seat, outside the bot's servers: no request of theirs reaches a person or a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.show.kit.custom_ids import Browse
from bot.show.lobby import options as menus
from bot.show.people import own_data
from tests.interactions.clicks import send_click, send_form
from tests.interactions.test_every_handler import DEAL, FILLED, address, browsed
from tests.support.user_installs import PlaceWithoutBot, group_without_bot, server_without_bot
from tests.support.world import World, world

EPHEMERAL = 64
Place: TypeAlias = Callable[[World], PlaceWithoutBot]


def server(here: World) -> PlaceWithoutBot:
    """A server where the bot is not, whose owner the stranger is."""
    return server_without_bot(here, "dev", administrator=True, manage_guild=True, manage_messages=True)


def group(here: World) -> PlaceWithoutBot:
    """A group message with two who play."""
    return group_without_bot(here, "dev", "ann", "ben")


def written(here: World) -> dict[int, list[str]]:
    """Return what stands in every channel, direct ones too, but for answers that only their reader sees."""
    backend = here.env.backend
    return {
        channel: [f"{each.content} {each.components}" for each in there.values() if not each.flags & EPHEMERAL]
        for channel, there in backend.messages.items()
    }


@pytest.mark.parametrize("place", [server, group])
async def test_2_8_a_stranger_outside_the_bots_servers_reaches_no_table(tmp_path: Path, place: Place) -> None:
    async with world(tmp_path, deal=DEAL) as here:
        table = await here.start_table("ben")
        there = place(here)
        shown = (await there.desk()).response
        assert shown is not None
        before, row = written(here), table.row
        for key in here.parts.dispatcher.handlers:
            if key[1] != own_data.DELETE:
                await send_click(here, there.who, shown.message, *address(key, table, here.ann.id))
                assert (table.row, written(here)) == (row, before), key
            if key[1] == menus.DONE:  # which takes away the message clicked on, one of their own
                shown = (await there.desk()).response
                assert shown is not None
        for verb in here.parts.dispatcher.forms:
            form = str(Browse.to(verb, *browsed(table)[verb][0]))
            await send_form(here, there.who, shown.message, form, FILLED)
            assert (table.row, written(here)) == (row, before), verb
        assert there.trespasses == []
        own = [await here.parts.store.tables.load(number) for number in await here.parts.store.tables.open_tables()]
        assert all(one and (one.id == table.id or one.solo) for one in own), "what one plays alone needs no server"
        assert set(await here.parts.store.servers.settings()) == {here.guild.id}
