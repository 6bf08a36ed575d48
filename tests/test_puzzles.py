"""Puzzles: each has one best answer, confirmed by a second look, and reveals nothing in advance."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta
from functools import cache
from itertools import islice, product
from math import sqrt
from statistics import fmean, pstdev
from typing import Any

import pytest

from bot.ai.levels import evaluate
from bot.ai.puzzle import MOST_CARDS, MOST_CHOICES, Puzzle, choices, puzzle, trials
from bot.ai.reasons import claims
from bot.club.puzzle_generation import MAX_SAME_REASON, PuzzleProcess, generate_puzzles, shipped_puzzles
from bot.club.puzzles import puzzle_scene_of, solution_of
from bot.domain.contests import PUZZLES_PER_WEEK, WEEK, PuzzleAnswer, PuzzleWeek, Streak, monday
from bot.games import GAMES
from bot.rules.core.asks import PlayAsk
from bot.rules.matches.review import is_equivalent
from bot.show.contests.puzzles import solved, unsolved_puzzle
from bot.show.kit.layout import PrivateScreen
from bot.show.kit.words import words
from tests.support.law_settings import sampled
from tests.support.scenes import check_limits, drawn_view, texts, words_of_every_language

MONDAY = date(2026, 11, 23)
WORLDS = 60  # in which an answer is looked at again
every_game = pytest.mark.parametrize("game", GAMES)


@cache
def there(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game that come with the bot, of all weeks."""
    weeks = [shipped_puzzles(game, MONDAY + WEEK * at) for at in range(60)]
    return tuple(Puzzle.from_json(each, GAMES) for each in dict.fromkeys(one for week in weeks for one in week))


def sheet(game: str) -> PuzzleWeek:
    """Return the progress of a player without answers."""
    return PuzzleWeek(game, MONDAY, (None,) * PUZZLES_PER_WEEK, Streak(0, 0, 0))


@every_game
def test_each_week_has_six_puzzles_different_from_the_next(game: str) -> None:
    assert len(shipped_puzzles(game, MONDAY)) == PUZZLES_PER_WEEK
    assert len(there(game)) % PUZZLES_PER_WEEK == 0
    if len(there(game)) > PUZZLES_PER_WEEK:
        assert set(shipped_puzzles(game, MONDAY)).isdisjoint(shipped_puzzles(game, MONDAY + WEEK))


@every_game
def test_puzzle_answers_are_exactly_the_legal_actions(game: str) -> None:
    for each in sampled(there(game), 3):
        view = each.view
        assert isinstance(view.ask, PlayAsk)
        assert each.choices == choices(view)
        assert 3 <= len(each.choices) <= MOST_CHOICES
        assert len(view.hand) <= MOST_CARDS
        for choice in each.choices:
            each.record.replay().act(each.seat, choice)
        kinds = {view.rules.alike(combo.cards) for combo in view.plays}
        assert len(kinds) == len(each.choices) - view.ask.may_pass


@every_game
def test_the_best_answer_leads_clearly_and_has_its_own_reason(game: str) -> None:
    told = 0
    for each in there(game):
        assert each.margin >= GAMES[game].puzzle_margin
        assert each.behind(each.right) == 0
        told += each.why is not None
        if each.why:
            others = [
                claim.name for choice in each.choices if choice != each.best for claim in claims(each.view, choice)
            ]
            assert each.why in list(claims(each.view, each.best))
            assert each.why.name not in others
    assert told == len(there(game)) or not GAMES[game].puzzles_explained


def agrees(each: Puzzle, dice: str, worlds: int = WORLDS, count: int = MOST_CHOICES) -> bool:
    """Tell whether the answer is still the best in other worlds, within their noise. count: of the best, how many."""
    left = sorted(each.choices, key=lambda choice: -each.worths[choice])[:count]
    tried = list(islice(trials(each.view, left, random.Random(dice)), worlds))
    differences = [[world[each.best] - world[other] for world in tried] for other in left[1:]]
    return all(fmean(more) >= -2 * pstdev(more) / sqrt(worlds) for more in differences)


@every_game
def test_the_best_answer_is_stable_across_seeds(game: str) -> None:
    few = 4 if game == "big_two" else 1
    assert all(agrees(each, "others", 12, 3) for each in there(game)[:few])


@pytest.mark.soak
@every_game
def test_every_best_answer_is_stable_across_seeds(game: str) -> None:
    assert all(agrees(each, dice) for each in there(game) for dice in ("one", "two"))


def recommended(each: Puzzle) -> bool:
    """Tell whether a hint would say the same as the answer."""
    best = evaluate(each.view).best
    return best is not None and is_equivalent(each.view, best, each.best)


@every_game
def test_a_hint_recommends_the_best_answer(game: str) -> None:
    assert recommended(there(game)[0])


@pytest.mark.soak
@every_game
def test_a_hint_recommends_every_best_answer(game: str) -> None:
    assert all(recommended(each) for each in there(game))


def test_puzzles_are_reproducible_per_week_and_hand() -> None:
    """The second hand of this week gives one."""
    found = [puzzle(GAMES["big_two"], week, 1) for week in ("a", "a", "b")]
    one, again, other = [each.to_json() if each else "" for each in found]
    assert one
    assert one == again != other


@pytest.mark.soak
def test_puzzles_of_a_week_are_made_in_a_separate_process() -> None:
    making = PuzzleProcess("big_two", MONDAY)
    week = making.result()
    assert making.done
    assert week == list(generate_puzzles("big_two", str(MONDAY)))
    assert len(set(week)) == PUZZLES_PER_WEEK
    found = [Puzzle.from_json(each, GAMES) for each in week]
    assert all(agrees(each, "others") for each in found)
    assert max(Counter(each.why.name for each in found if each.why).values()) <= MAX_SAME_REASON


def test_a_puzzle_process_ends_at_once_and_a_failing_one_yields_none() -> None:
    making = PuzzleProcess("big_a", MONDAY)
    making.end()
    assert making.done
    assert PuzzleProcess("no_game", MONDAY).result() == []


def test_42_1_6_a_puzzle_process_ends_with_the_bot() -> None:
    making = PuzzleProcess("big_a", MONDAY)
    assert making._process.stdin is not None
    assert not making.done
    making._process.stdin.close()  # as the system does when the bot is killed
    try:
        assert making._process.wait(60) == 1
    finally:
        making.end()


@every_game
def test_a_puzzle_screen_does_not_depend_on_its_answer(game: str) -> None:
    """Neither the answer nor a card of another hand can be read of it: the same screen for others of them."""
    for number, each in enumerate(there(game)[:PUZZLES_PER_WEEK]):
        other = Puzzle(each.record, each.seat, dict(zip(each.worths, reversed([*each.worths.values()]), strict=True)))
        assert puzzle_scene_of(other, number, "Ann") == puzzle_scene_of(each, number, "Ann")
        imagined = each.view.rules.imagine(each.view, random.Random(number))
        assert imagined.view(each.seat) == each.view
        shown, again = (
            sent(unsolved_puzzle(sheet(game), number, puzzle_scene_of(one, number, "Ann"), words("en-US")))
            for one in (each, other)
        )
        assert shown == again
        assert each.record.seed not in shown


def sent(screen: PrivateScreen) -> str:
    """Return all of a screen that is sent to Discord."""
    parts: list[Any] = [item.to_component_dict() for item in drawn_view(screen).children]
    return str(parts)


@every_game
def test_every_puzzle_fits_into_a_message_in_every_language(game: str) -> None:
    for w, (number, each) in sampled([*product(words_of_every_language(), enumerate(there(game)))], 9):
        asked = puzzle_scene_of(each, number % PUZZLES_PER_WEEK, "陈小姐")
        check_limits(unsolved_puzzle(sheet(game), number % PUZZLES_PER_WEEK, asked, w))
        for choice in range(len(each.choices)):
            check_limits(solved(sheet(game), number % PUZZLES_PER_WEEK, asked, solution_of(each, choice), w=w))


def test_right_answers_are_explained_and_wrong_ones_show_the_best() -> None:
    each = there("big_two")[0]
    asked, w = puzzle_scene_of(each, 0, "Ann"), words("en-US")
    assert each.why
    right = texts(solved(sheet("big_two"), 0, asked, solution_of(each, each.right), w=w))
    assert "Yes!" in right
    assert w(each.why.note.sentence, **each.why.values) in right
    wrong = texts(solved(sheet("big_two"), 0, asked, solution_of(each, each.right - 1), w=w))
    assert "Not quite" in wrong
    assert "Best: " in wrong
    assert w(each.why.note.sentence, **each.why.values) in wrong


# How many in a row


def answers(week: date, *right: bool) -> list[PuzzleAnswer]:
    """Return answers to the first puzzles of a week."""
    return [PuzzleAnswer(week, number, 0, solved) for number, solved in enumerate(right)]


def test_streaks_count_right_answers_and_complete_weeks() -> None:
    before, two, now = MONDAY - WEEK, MONDAY - 2 * WEEK, MONDAY
    yes, no = (True,), (False,)
    assert Streak.of([], now) == Streak(0, 0, 0)
    assert Streak.of(answers(now, *yes * 3), now) == Streak(3, 3, 0)
    assert Streak.of(answers(now, *yes * 3, *no, *yes * 2), now) == Streak(2, 3, 1)
    both = [*answers(before, *yes * 6), *answers(now, *yes)]
    assert Streak.of(both, now) == Streak(7, 7, 1)
    assert Streak.of([*answers(two, *yes * 6), *both[6:]], now).weeks == 0
    assert Streak.of([*answers(two, *no * 6), *answers(before, *yes * 6)], now) == Streak(6, 6, 2)


def test_a_week_begins_on_monday() -> None:
    assert {monday(MONDAY + timedelta(days=at)) for at in range(7)} == {MONDAY}
    assert monday(MONDAY - timedelta(days=1)) == MONDAY - WEEK
