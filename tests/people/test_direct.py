"""Hands by direct message: asked for in the private hand, sent when it is one's turn, gone when one has acted."""

from __future__ import annotations

import discord
from simcord import UserHandle

from bot.house.plain import choose
from bot.rules.actions import Play
from bot.table.table import Table
from tests.reading import Shown
from tests.world import World

WISH = "Send me my hand by direct message"


async def ask(here: World, table: Table) -> Shown:
    """Let Ann ask for her hands by direct message; return what her hand says to it."""
    opened = await here.open_hand("ann", table)
    answer = await here.press_on("ann", opened, WISH)
    assert answer.response is not None
    return Shown.of(answer.response.message)


def ann(here: World) -> UserHandle:
    """Return Ann outside of any server."""
    return UserHandle(here.env, here.env.backend.users[here.ann.id])


def direct(here: World) -> list[discord.Message]:
    """Return the direct messages Ann has from the bot."""
    return ann(here).dm_channel.history()


async def anns_turn(here: World, table: Table) -> None:
    """Let time go by and the others play until it is Ann's turn again."""
    await here.later(minutes=3)
    while here.turn(table) != "ann":
        name = here.turn(table)
        assert name is not None
        await here.act(name, table)
    await here.later(seconds=9)


async def test_a_hand_comes_when_it_is_ones_turn_and_goes_when_one_has_played(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="slow")
    assert "comes by direct message" in (await ask(here, table)).text
    await here.later(minutes=5)
    await anns_turn(here, table)
    if not direct(here):  # it was her turn when she asked, so it comes the next time
        await here.act("ann", table)
        await anns_turn(here, table)
    (message,) = direct(here)
    assert "The Deck" in Shown.of(message).text
    view = table.scene(here.ann.id).view
    assert view is not None
    if isinstance(choose(view), Play):
        await ann(here).click(message, label="Hint")
        (message,) = direct(here)
        play = next(label for label in Shown.of(message).buttons if label.startswith("Play"))
        await ann(here).click(message, label=play)
    else:
        await ann(here).click(message, label="Pass")
    await here.settle()
    assert here.turn(table) != "ann"
    assert direct(here) == []


async def test_where_direct_messages_are_closed_the_table_pings(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", pace="slow")
    await ask(here, table)
    here.env.inject_error("POST", f"/channels/{ann(here).dm_channel.id}/messages", status=403, code=50007, times=1)
    while here.turn(table) != "ann" or not any(
        here.ann.mention in each.content for each in here.where(table).history()
    ):
        await here.later(minutes=5)
        name = here.turn(table)
        assert name is not None
        await here.act(name, table)
        await here.later(seconds=9)
    assert direct(here) == []
    assert not (await here.bot.habits.of(here.ann.id)).mirror
