"""Matches that several files of laws look at, played out once: all laws of a preset run one after another."""

from __future__ import annotations

import random

import pytest

from tests.laws.matches import PRESETS, PlayedMatch, lives

MATCHES = 3  # of a preset


@pytest.fixture(scope="session", params=PRESETS, ids="-".join)
def matches(request: pytest.FixtureRequest) -> list[PlayedMatch]:
    """Matches of each preset in turn; in all but the first some options are changed."""
    name, preset = request.param
    return lives(MATCHES, name, preset)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Dice of a law, for what it looks at and tries."""
    return random.Random(request.node.name)
