"""What the lessons of a game say is right by the rules they are taught for, under every preset and any options."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.core.cards import Cards
from bot.rules.core.game import Rules
from bot.rules.variants.lessons import TOPICS, Lesson, lessons_in_force
from bot.rules.variants.registration import RegisteredGame
from tests.laws.matches import PRESETS, compatible
from tests.laws.option_sets import aims, drawn, fitting

TRIES = 400  # sets of options, at most, until one meets the condition of a lesson

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def taught(game: RegisteredGame, options: Any) -> list[Lesson]:
    """Return the lessons of a game under these options."""
    return lessons_in_force(game.sheet.lessons, options)


def is_legal(play: Cards, top: Cards, rules: Rules) -> bool:
    """Tell whether cards are a legal play on the top, or a legal lead."""
    return rules.classify(play) is not None and (not top or rules.compare(play, top) is None)


def check(game: RegisteredGame, rules: Rules) -> None:
    """Fail unless there are five lessons in order, and the rules agree with every answer that is a play."""
    found = taught(game, rules.options)
    assert tuple(lesson.topic for lesson in found) == TOPICS
    for lesson in found:
        answers = lesson.answers
        assert 2 <= len(answers) <= 3
        assert {*lesson.top}.union(*(answer.cards for answer in answers)) <= set(rules.pack), lesson.ask
        assert not lesson.top or rules.classify(lesson.top) or not any(answer.is_play for answer in answers)
        for answer in answers:
            legal = is_legal(answer.cards, lesson.top, rules)
            assert not answer.is_play or legal is answer.is_right, f"{lesson.ask} {answer.why}"


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_the_rules_of_every_preset_agree_with_its_lessons(name: str, preset: str) -> None:
    check(GAMES[name], GAMES[name].rules(preset))


@every_game
def test_the_rules_agree_under_any_options(game: RegisteredGame, rng: random.Random) -> None:
    for aim in (aim for aim in aims() if aim.game == game.name):
        record = fitting(aim, rng)
        check(game, game.rules(record.preset, **record.options))


def leading_to(game: RegisteredGame, lesson: Lesson, rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield presets and options that fulfil the condition of a lesson, the other options at random."""
    options = game.sheet.options
    for row in lesson.applies.rows or ((),):
        wished = {test.name: options[test.name].read(rng.choice(test.values)) for test in row}
        for preset in game.presets:
            yield preset, compatible(game, preset, wished, {})
    for _ in range(TRIES):
        option = rng.choice([each for each in options.values() if not each.length])
        yield drawn(game, option, rng.choice(option.choices).value, rng)


@every_game
def test_every_lesson_is_correct_under_the_options_it_is_taught_for(game: RegisteredGame, rng: random.Random) -> None:
    for lesson in game.sheet.lessons:
        found = (
            game.rules(preset, **changes)
            for preset, changes in leading_to(game, lesson, rng)
            if lesson in taught(game, game.set_up(preset, **changes))
        )
        rules = next(found, None)
        assert rules is not None, f"never taught: {lesson.say}"
        check(game, rules)


@every_game
def test_a_lesson_is_short_and_every_answer_has_its_sentence(game: RegisteredGame) -> None:
    for lesson in game.sheet.lessons:
        assert len(lesson.say) <= 230
        assert len({answer.why for answer in lesson.answers}) == len(lesson.answers)
        assert all(bool(answer.cards) != bool(answer.text) for answer in lesson.answers), lesson.ask
