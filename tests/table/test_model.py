"""Random walks over pure states: every preset of every game, people who come, go and err, and a clock.

Each walk begins in a lobby, takes some steps in a match, and continues to its end. After each step, and for
commands that are only tried beside it, the invariants hold, and the time of each seat is accounted for a second time.
"""

from __future__ import annotations

import pytest

from tests.support.law_settings import scaled
from tests.table.walk import Walk
from tests.table.world import PRESETS

STEPS = 110  # of a match, before its players see to its end
WALKS = 3  # of a preset
LONG_WALKS = 300


@pytest.mark.rotates(3)
@pytest.mark.parametrize(("game", "preset"), PRESETS, ids=map("-".join, PRESETS))
def test_every_invariant_holds_on_a_random_walk(game: str, preset: str) -> None:
    for number in range(scaled(WALKS, 1)):
        Walk.of(game, preset, f"walk {number}").go(STEPS)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "preset"), PRESETS, ids=map("-".join, PRESETS))
def test_every_invariant_holds_on_long_random_walks(game: str, preset: str) -> None:
    for number in range(LONG_WALKS):
        Walk.of(game, preset, f"long {number}").go(2 * STEPS)
