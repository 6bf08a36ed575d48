"""Three bots share six shards: whichever ends, in whatever way, nothing is lost and the others go on in time."""

from __future__ import annotations

import asyncio

import pytest

from tests.shards.trial import trial


@pytest.mark.timeout(120)
async def test_bots_are_killed_and_stopped_and_every_table_goes_on() -> None:
    async with trial(tables=30) as here:
        for bot in here.bots:
            await bot.begin()
        await here.everywhere()
        here.play()
        for kill in (True, True, False, True):
            await asyncio.sleep(here.rng.uniform(0.5, 1.5))
            await here.ended(kill=kill)
        await here.stop()
        print(f"\n{here}")
        assert here.scene.ledger.acknowledged > 30
        here.check()
