"""No confirmed action is lost when the bot is killed with kill -9, or stopped, at random moments of running matches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.show.translation.extraction import messages
from tests.kill.ledger import FIRST_TABLE_TEXT, REFUSALS, SEATED_TEXT, WHY_BUTTON
from tests.kill.trial import TrialResult, run_trials
from tests.standin.realm import SEVERAL_WAITS

STOPS = int(os.environ.get("SOAK_STOPS", "100"))


@pytest.mark.parametrize("words", [*REFUSALS, FIRST_TABLE_TEXT, SEATED_TEXT, WHY_BUTTON])
def test_the_texts_by_which_the_ledger_reads_answers_are_messages_of_the_bot(words: str) -> None:
    """Otherwise a refusal would count as a confirmation, or no seat as confirmed."""
    assert [found.message for found in messages() if words in found.message]


@pytest.mark.timeout(2 * SEVERAL_WAITS)
async def test_no_action_is_lost_and_every_click_is_answered_when_the_bot_is_killed_and_stopped(tmp_path: Path) -> None:
    result = await run_trials(tmp_path, seeds=(1,), kills=2, stops=1, tables=2, hands=1)
    print(f"\n{result}")
    assert (result.kills, result.stops, result.starts_stopped) == (2, 1, 1)
    assert result.acknowledged > 0
    assert result.house_turns > 0
    assert result.matches > 0


@pytest.mark.soak
async def test_no_action_is_lost_when_the_bot_is_killed_200_times(tmp_path: Path) -> None:
    results = [await run_trials(tmp_path, seeds=(seed, seed + 1), kills=25) for seed in (10, 20, 30, 40)]
    result = sum(results, TrialResult())
    print(f"\n{result}")
    assert result.kills == 200
    assert result.acknowledged > 200


@pytest.mark.soak
async def test_every_click_is_answered_when_the_bot_is_stopped_100_times(tmp_path: Path) -> None:
    result = await run_trials(tmp_path, seeds=(50, 60), stops=STOPS // 2)
    print(f"\n{result}")
    assert result.acknowledged > STOPS
