"""Nothing is lost: the bot is killed with kill -9, or stopped, at random moments of running matches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.show.translation.extraction import messages
from tests.kill.ledger import OPENED, REFUSALS, SEATED, WHY
from tests.kill.trial import Figures, trials
from tests.standin.realm import SEVERAL_WAITS

STOPS = int(os.environ.get("SOAK_STOPS", "100"))


@pytest.mark.parametrize("words", [*REFUSALS, OPENED, SEATED, WHY])
def test_what_people_are_told_is_read_by_words_that_the_bot_says(words: str) -> None:
    """Else a refusal is taken for an answer, or a seat is held against nothing."""
    assert [found.message for found in messages() if words in found.message]


@pytest.mark.timeout(2 * SEVERAL_WAITS)
async def test_nothing_is_lost_and_nobody_stumbles_when_the_bot_is_killed_and_stopped(tmp_path: Path) -> None:
    figures = await trials(tmp_path, seeds=(1,), kills=2, stops=1, tables=2, hands=1)
    print(f"\n{figures}")
    assert (figures.kills, figures.stops, figures.starts_stopped) == (2, 1, 1)
    assert figures.acknowledged > 0
    assert figures.house_turns > 0
    assert figures.matches > 0


@pytest.mark.soak
async def test_nothing_is_lost_when_the_bot_is_killed_200_times(tmp_path: Path) -> None:
    figures = sum([await trials(tmp_path, seeds=(seed, seed + 1), kills=25) for seed in (10, 20, 30, 40)], Figures())
    print(f"\n{figures}")
    assert figures.kills == 200
    assert figures.acknowledged > 200


@pytest.mark.soak
async def test_nobody_stumbles_when_the_bot_is_stopped_100_times(tmp_path: Path) -> None:
    figures = await trials(tmp_path, seeds=(50, 60), stops=STOPS // 2)
    print(f"\n{figures}")
    assert figures.acknowledged > STOPS
