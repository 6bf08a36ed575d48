"""The line for a seat: +1 holds a place, the first is asked for two minutes, and the table serves the line in turn."""

from __future__ import annotations

from bot.table.table import Table
from tests.support.reading import Shown, private
from tests.support.world import SHORT_HANDS, World

DEAL = SHORT_HANDS  # whose cards do not matter
FIRST = "You're first in line. I'll ask you here when a seat is free, for an hour at most."


def calls(here: World, table: Table, name: str) -> list[str]:
    """Return what calls somebody in the channel of a table."""
    return [said for said in here.talk(table) if f"<@{here.people[name].id}>" in said]


async def line(here: World, table: Table) -> list[str]:
    """Return who is in line, the first in front."""
    return [here.name_of(waiter.user) for waiter in await here.parts.store.seat_queue.of_table(table.id)]


async def plus_one(here: World, name: str, table: Table, button: str = "My hand") -> Shown:
    """Let a person without a seat press a button of the players, then +1."""
    offered = await here.press(name, table, button)
    return private(await here.press_on(name, offered, "+1"))


async def test_a_player_button_offers_the_ways_in_to_a_person_without_a_seat(here: World) -> None:
    table = await here.start_table("ben")
    shown = private(await here.press("cleo", table, "My hand"))
    assert shown.text.startswith("You don't sit at **Big Two, table 1**, and the match is on.")
    assert list(shown.buttons) == ["+1", "Watch", "Tell me when a table opens here"]
    waits = await plus_one(here, "cleo", table)
    assert FIRST in waits.text
    assert "The bots' seats come free with the next match." in waits.text
    again = private(await here.press("cleo", table, "My hand"))
    assert list(again.buttons) == ["✓ In line", "Watch", "Tell me when a table opens here"]


async def test_the_first_in_line_gets_the_seat_of_who_leaves(here: World) -> None:
    table = await here.start_table("ben")
    await plus_one(here, "cleo", table)
    second = await plus_one(here, "dev", table)
    assert "You're number 2 in line." in second.text
    assert await line(here, table) == ["cleo", "dev"]
    await here.leave("ben", table)
    (call,) = calls(here, table, "cleo")
    assert "a seat is free at [Big Two, table 1]" in call
    assert calls(here, table, "dev") == []
