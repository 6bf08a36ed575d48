"""Puzzles in the store: what a week has stays, the first answer counts, and those of the next week are made in time."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import ClassVar

import pytest

from bot.club.puzzle_generation import shipped_puzzles
from bot.club.puzzles import Puzzles
from bot.domain.contests import WEEK, PuzzleAnswer
from bot.store.store import Store
from tests.store.sample_tables import ANN, BEN, NOON

MONDAY = date(2026, 11, 23)
TUESDAY = datetime(2026, 11, 24, tzinfo=UTC)


@pytest.mark.both_databases("insert that may find a row")
async def test_puzzles_of_a_week_are_kept_and_old_weeks_deleted(store: Store) -> None:
    assert await store.puzzles.of_week("big_two", MONDAY) == ()
    assert await store.puzzles.keep("big_two", MONDAY, ["a", "b"]) == ("a", "b")
    assert await store.puzzles.keep("big_two", MONDAY, ["c"]) == ("a", "b")
    assert await store.puzzles.keep("tien_len", MONDAY, ["d"]) == ("d",)
    await store.puzzles.keep("big_two", MONDAY + WEEK, ["e"])
    assert await store.puzzles.of_week("big_two", MONDAY) == ("a", "b")
    await store.puzzles.keep("big_two", MONDAY + 2 * WEEK, ["f"])
    assert await store.puzzles.of_week("big_two", MONDAY) == ()
    assert await store.puzzles.of_week("big_two", MONDAY + WEEK) == ("e",)


@pytest.mark.both_databases("insert that may find a row, and order")
async def test_the_first_answer_counts_and_answers_are_sorted(store: Store) -> None:
    first, second = PuzzleAnswer(MONDAY, 3, 1, solved=False), PuzzleAnswer(MONDAY, 0, 2, solved=True)
    assert await store.puzzles.answer(ANN, "big_two", first, NOON)
    assert not await store.puzzles.answer(ANN, "big_two", PuzzleAnswer(MONDAY, 3, 0, solved=True), NOON)
    assert await store.puzzles.answer(ANN, "big_two", second, NOON + WEEK)
    assert await store.puzzles.answers(ANN, "big_two") == (first, second)
    assert await store.puzzles.answers(ANN, "tien_len") == await store.puzzles.answers(BEN, "big_two") == ()
    assert await store.puzzles.games_answered(MONDAY) == {"big_two"}
    assert await store.puzzles.games_answered(MONDAY + WEEK) == frozenset()


class Made:
    """Puzzles that are made at once, or not at all."""

    asked: ClassVar[list[tuple[str, date]]] = []
    going: ClassVar[bool] = False

    def __init__(self, game: str, week: date) -> None:
        self.game, self.week = game, week
        self.asked.append((game, week))

    @property
    def done(self) -> bool:
        return not self.going

    def result(self) -> list[str]:
        return shipped_puzzles(self.game, self.week + WEEK) if len(self.asked) > 1 else []

    def end(self) -> None:
        """Nothing goes on."""


async def test_next_weeks_puzzles_are_made_for_games_with_answers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, coming = list[tuple[str, date]](), MONDAY + WEEK
    monkeypatch.setattr(Made, "asked", asked)
    puzzles = Puzzles(store, lambda: TUESDAY, Made)
    await puzzles.make_next()
    assert asked == []  # nobody has answered any
    await puzzles.answer(ANN, "big_two", MONDAY, 0, choice=0)
    await puzzles.answer(ANN, "tien_len", MONDAY, 0, choice=0)
    await puzzles.make_next()
    await puzzles.make_next()  # it has failed, and the other game comes first
    assert asked == [("big_two", coming), ("tien_len", coming)]
    monkeypatch.setattr(Made, "going", True)
    await puzzles.make_next()
    assert len(asked) == 2
    monkeypatch.setattr(Made, "going", False)
    await puzzles.make_next()
    assert await store.puzzles.of_week("big_two", coming) == ()
    assert list(await store.puzzles.of_week("tien_len", coming)) == shipped_puzzles("tien_len", coming + WEEK)
    await puzzles.make_next()
    await puzzles.make_next()
    assert asked == [("big_two", coming), ("tien_len", coming), ("big_two", coming)]
    assert list(await store.puzzles.of_week("big_two", coming)) == shipped_puzzles("big_two", coming + WEEK)
