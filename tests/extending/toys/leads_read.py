"""A statistic of the profile, as a copy of the project counts and shows it."""

from __future__ import annotations

from tests.support.world import World


async def test_a_new_statistic_is_counted_and_shown(here: World) -> None:
    table = await here.start_table("ben", "cleo", "dev", hands=1)
    await here.play_hand(table)
    assert "tricks led" in (await here.slash("ann", "my profile")).text
