"""Games taught in a minute: every lesson has one right answer, by the very rules that are taught."""

from __future__ import annotations

import pytest
from discord import ButtonStyle, ui

from bot.games import GAMES
from bot.rules.variants.registration import RegisteredGame
from bot.show.contests.lesson import lesson, taught
from bot.show.kit.custom_ids import Browse
from bot.show.kit.words import words
from bot.show.rulebook.ruleset import BookRules
from tests.support.scenes import check_limits, drawn, every_voice, texts

EN = words("en-US")
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def first(game: RegisteredGame) -> BookRules:
    """Return a game played without declarations."""
    return BookRules(game, next(iter(game.presets)))


def buttons(rules: BookRules, number: int, chosen: int | None = None) -> list[ui.Button[ui.LayoutView]]:
    """Return the plays that can be chosen."""
    there = (item for item in drawn(lesson(rules, number, chosen, EN)).walk_children() if isinstance(item, ui.Button))
    return [item for item in there if Browse.read(str(item.custom_id)).args[-1] != "-"]


@every_game
def test_every_lesson_has_one_right_answer(game: RegisteredGame) -> None:
    rules = first(game)
    assert len(taught(rules)) == len(game.sheet.lessons) == 5
    for number in range(5):
        styles = [
            next(item.style for item in buttons(rules, number, at) if item.style is not ButtonStyle.secondary)
            for at in range(3)
        ]
        assert sorted(style is ButtonStyle.success for style in styles) == [False, False, True]


@every_game
def test_an_answer_is_praised_or_told_why_not(game: RegisteredGame) -> None:
    rules = first(game)
    for number in range(5):
        said = [texts(lesson(rules, number, at, EN)) for at in range(3)]
        assert sum("✓" in each for each in said) == 1
        assert all(each.split("✗ ", 1)[1].strip() for each in said if "✗" in each)


@every_game
def test_the_right_one_is_not_always_at_the_same_place(game: RegisteredGame) -> None:
    rules = first(game)
    places = set()
    for number in range(5):
        for place, item in enumerate(buttons(rules, number)):
            at = int(Browse.read(str(item.custom_id)).args[-1])
            if "✓" in texts(lesson(rules, number, at, EN)):
                places.add(place)
    assert len(places) == 3


@every_game
def test_lessons_keep_to_the_limits_in_every_language(game: RegisteredGame) -> None:
    for preset in game.presets:
        rules = BookRules(game, preset)
        for w in every_voice():
            for number in range(len(taught(rules)) + 1):
                check_limits(lesson(rules, number, 0 if number < len(taught(rules)) else None, w))


def test_what_does_not_hold_under_some_rules_is_not_taught_there() -> None:
    big_two = GAMES["big_two"]
    assert len(taught(BookRules(big_two, "pusoy_dos"))) < 5, "there diamonds are the highest suit"
