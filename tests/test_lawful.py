"""The three sizes of laws: at a glance, quick and long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.law_settings import GLANCE, LONG, QUICK, is_thorough, law_examples, sampled, scaled


@pytest.fixture(params=[GLANCE, QUICK, LONG])
def profile(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each size in turn, then the size of the other tests."""
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


def test_the_number_of_examples_grows_with_the_profile(profile: str) -> None:
    assert law_examples(60).max_examples == scaled(60) == {GLANCE: 12, QUICK: 60, LONG: 600}[profile]
    assert len(sampled(range(60), 3)) == {GLANCE: 4, QUICK: 20, LONG: 60}[profile]
    assert is_thorough() == (profile == LONG)


def test_every_profile_has_at_least_one_example(profile: str) -> None:
    assert law_examples(1).max_examples == {GLANCE: 1, QUICK: 1, LONG: 10}[profile]
    assert law_examples(6).max_examples == {GLANCE: 3, QUICK: 6, LONG: 60}[profile]
    assert scaled(3, 2) == {GLANCE: 2, QUICK: 3, LONG: 30}[profile]
    assert list(sampled([1], 6)) == [1]
