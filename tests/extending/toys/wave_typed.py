"""The command /wave, as a copy of the project answers it."""

from __future__ import annotations

from tests.support.world import World


async def test_a_new_command_is_answered(here: World) -> None:
    assert "You wave" in (await here.slash("ann", "wave")).text
