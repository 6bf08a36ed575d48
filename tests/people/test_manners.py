# ruff: noqa: ASYNC240 - a test may wait for its own small files
"""How long house players take at a live table: it tells nothing of what they hold, do, or how well they play."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from bot.ground.level import Level
from bot.table import manners
from bot.table.manners import Manners
from tests.world import World, world

DELAY = 1.9
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_they_take_between_one_and_a_third_and_two_and_a_half_seconds() -> None:
    known = Manners()
    waits = [known.wait(moment, NOON, DELAY) for moment in range(2000)]
    assert 1.3 <= min(waits) < 1.35
    assert 2.45 < max(waits) <= 2.5
    assert 1.85 < sum(waits) / len(waits) < 1.95
    assert known.wait(2001, NOON, 0) == 0


def test_what_nobody_sees_makes_nobody_wait_longer_or_shorter() -> None:
    """An answer in secret is an action as well, but no moment."""
    known = Manners()
    first = known.wait(7, NOON, DELAY)
    later = NOON + timedelta(seconds=1)
    assert known.wait(7, later, DELAY) == pytest.approx(first - 1)
    assert known.wait(7, NOON + timedelta(minutes=1), DELAY) == 0


async def gaps(folder: Path, level: Level, monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, str]]:
    """How long house players of a level took for what they did, and what that was."""
    folder.mkdir()
    async with world(folder, house_delay_seconds=DELAY) as here:
        await here.bot.habits.change(here.ann.id, level=level)
        monkeypatch.setattr(manners, "DICE", random.Random(1))
        table = await here.start_table("ben", "cleo")
        return await _gaps(here, table.id)


async def _gaps(here: World, number: int) -> list[tuple[float, str]]:
    table, found = await here.bot.tables.get(number), list[tuple[float, str]]()  # type: ignore[arg-type]
    while len(found) < 5:
        if name := here.turn(table):
            await here.act(name, table)
        await here.later(seconds=0.1)
        steps = table.row.steps
        found = [
            ((one.at - before.at).total_seconds(), one.action) for before, one in pairwise(steps) if one.by == "house"
        ]
    return found[:5]


async def test_it_takes_as_long_whatever_they_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, strong = [await gaps(tmp_path / level, level, monkeypatch) for level in (Level.KIND, Level.STRONG)]
    assert [wait for wait, _ in kind] == [wait for wait, _ in strong]
    assert [done for _, done in kind] != [done for _, done in strong], "and they do not do the same"
    assert {done == "pass" for _, done in kind} == {True, False}
