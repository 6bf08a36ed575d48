"""One click on Play walks one way through the house: what is seen is made once for each who sees it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.bench import click
from tests.world import world


@pytest.fixture
async def walks(tmp_path: Path) -> list[click.Walk]:
    """Give what three clicks on Play went through, at a board with a picture.

    All of it is done once before: a sentence is put together when it is said for the first time, and kept.
    """
    for name in ("before", "now"):
        (tmp_path / name).mkdir()
        async with world(tmp_path / name, pictures=True) as here:
            walks = await click.clicks(here, 3)
    return walks


async def test_each_who_sees_a_play_has_it_seen_once(walks: list[click.Walk]) -> None:
    for walk in walks:
        assert walk.built == {"View": 2, "Scene": 1, "PublicScene": 1}  # for whoever plays, and for all


async def test_a_play_is_an_answer_and_a_board(walks: list[click.Walk]) -> None:
    for walk in walks:
        seldom = Counter({"GET message": 1})  # a look for talk
        assert walk.sent - seldom == {"POST answer": 1, "PATCH message": 1}


async def test_the_way_stays_short(walks: list[click.Walk]) -> None:
    assert walks[-1].calls.total() <= click.MOST, walks[-1].rooms()
