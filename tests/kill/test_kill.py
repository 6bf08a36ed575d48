"""Nothing is lost: the bot is killed with kill -9 at random moments of running matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kill.trial import Figures, trials


@pytest.mark.timeout(150)  # ten starts of a real process, and people who play in real time between them
async def test_nothing_is_lost_when_the_bot_is_killed_10_times(tmp_path: Path) -> None:
    figures = await trials(tmp_path, seeds=(1,), kills=10)
    print(f"\n{figures}")
    assert figures.kills == 10
    assert figures.acknowledged > 25
    assert figures.house_turns > 0
    assert figures.matches > 0


@pytest.mark.soak
async def test_nothing_is_lost_when_the_bot_is_killed_200_times(tmp_path: Path) -> None:
    figures = sum([await trials(tmp_path, seeds=(seed, seed + 1), kills=25) for seed in (10, 20, 30, 40)], Figures())
    print(f"\n{figures}")
    assert figures.kills == 200
