"""One click on Play walks one way through the house: each view is built once for its viewer."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from bot.domain.ids import TableId, UserId
from tests.bench import click
from tests.bench.discord import FourPlayers
from tests.support.message_text import ParsedMessage
from tests.support.world import world

DELIVERY = f"{click.TOP / 'bot' / 'delivery'}/"


async def test_a_play_takes_few_function_calls(tmp_path: Path) -> None:
    """At a board with a picture; a sentence is put together when it is said for the first time, and kept."""
    async with world(tmp_path, pictures=True) as here:
        profiles = await click.measure_clicks(here, 3)
    for profile in profiles:
        assert profile.built == {"View": 2, "Scene": 1, "PublicScene": 1}  # for the player, and for the public
        seldom = Counter({"GET message": 1})  # a look for talk
        assert profile.sent - seldom == {"POST answer": 1, "PATCH message": 1}
    assert profiles[-1].calls.total() <= click.MAX_CALLS, profiles[-1].calls_by_package()


async def test_the_cost_of_a_click_is_independent_of_other_tables(tmp_path: Path) -> None:
    """Issue 39, 1.6: each click went through all open hands of the bot, and through all who had just clicked."""
    async with world(tmp_path) as here:
        players = FourPlayers(here, await here.start_table("ben", "cleo", "dev", hands=100))
        for _ in range(2):
            await tapped(players)
        alone = await tapped(players)
        assert alone, "the way of a tap leads through the delivery"
        crowd(players, 200)
        assert await tapped(players) < alone + 100


async def tapped(players: FourPlayers) -> int:
    """Tap a card as the awaited player; return the number of executed delivery lines."""
    name, play = await players.select_play(await players.advance_to_turn())
    await play()
    name = await players.advance_to_turn()
    card, gone_through = ParsedMessage.of(players.hands[name]).cards[0], 0

    def line(_frame: FrameType, event: str, _: Any) -> Any:
        nonlocal gone_through
        gone_through += event == "line"  # in a comprehension each turn is one
        return line

    def call(frame: FrameType, _event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(DELIVERY) else None

    sys.settrace(call)
    try:
        await players.here.people[name].click(players.hands[name], custom_id=card)
    finally:
        sys.settrace(None)
    return gone_through


def crowd(players: FourPlayers, people: int) -> None:
    """Simulate recent clicks of other users, each at their own table with an open hand."""
    delivery, scene = players.here.parts.delivery, players.table.scene(UserId(players.here.people["ann"].id))
    message = delivery.hands.editable(players.table.id)[scene.viewer].message
    for number in range(1000, 1000 + people):
        delivery.clicked(TableId(number), UserId(number))
        where = replace(scene.where, table=TableId(number))
        delivery.hands.opened(replace(scene, where=where, viewer=UserId(number)), message)
