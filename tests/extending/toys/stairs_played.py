"""Stairs in Discord, as a copy of the project plays it."""

from __future__ import annotations

from tests.support.message_text import private_reply
from tests.support.world import World


async def test_a_hand_of_a_new_game_is_played_to_its_end(here: World) -> None:
    table = await here.start_table("ben", game="stairs", seats=2)
    shown = private_reply(await here.open_hand("ann", table))
    assert "Stairs, table 1" in shown.text
    await here.play_hand(table)
    assert table.match is not None
    assert len(table.match.results) == 1
