"""Games taught in five steps: a text, a question about it, and a sentence on every answer."""

from __future__ import annotations

import pytest
from discord import ButtonStyle, ui

from bot.domain.names import lookalike_keys
from bot.games import GAMES
from bot.rules.variants.lessons import Lesson, parse_lessons
from bot.rules.variants.registration import RegisteredGame
from bot.show.contests.lesson import REPLY_WIDTH, lesson, taught
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import columns
from bot.show.kit.words import Words, words
from bot.show.rulebook.ruleset import BookRules
from bot.show.translation.reserved import reserved
from tests.support.scenes import EMOJI, check_limits, drawn_view, texts, words_of_every_language

EN = words("en-US")
STEPS = range(5)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def first(game: RegisteredGame) -> BookRules:
    """Return a game played without declarations."""
    return BookRules(game, next(iter(game.presets)))


def answers(rules: BookRules, number: int, chosen: int | None = None, w: Words = EN) -> list[ui.Button[ui.LayoutView]]:
    """Return the buttons of the answers, in their order on the screen."""
    there = (
        item for item in drawn_view(lesson(rules, number, chosen, w)).walk_children() if isinstance(item, ui.Button)
    )
    return [item for item in there if is_answer(Browse.read(str(item.custom_id)))]


def is_answer(target: Browse) -> bool:
    """Tell whether a button is an answer, and not a way to another page."""
    return target.verb == "how" and target.args[-1] != "-"


def reply(rules: BookRules, number: int, chosen: int | None, w: Words = EN) -> list[str]:
    """Return the lines below the answers."""
    shown = (item for item in drawn_view(lesson(rules, number, chosen, w)).walk_children())
    return [item.content for item in shown if isinstance(item, ui.TextDisplay)][-1].splitlines()


def right(step: Lesson) -> int:
    """Return the number of the right answer."""
    return next(at for at, answer in enumerate(step.answers) if answer.is_right)


@every_game
def test_a_lesson_has_five_titled_steps_with_a_question(game: RegisteredGame) -> None:
    titles = ("The aim", "Which card is higher", "What you can play", "Taking turns", "The twist")
    for number, title in enumerate(titles):
        said = texts(lesson(first(game), number, None, EN))
        assert f"### {game.title} · {number + 1} of 5\n**{title}**\n" in said
        assert "?**" in said
        assert "\nTap what you think is right." in said


@every_game
def test_every_answer_has_its_own_reply_and_can_be_changed(game: RegisteredGame) -> None:
    rules = first(game)
    for number, step in enumerate(taught(rules)):
        found = []
        for at, answer in enumerate(step.answers):
            said = " ".join(reply(rules, number, at)).rstrip("\u200b ")
            assert said.startswith("✓ " if answer.is_right else "✗ ")
            found.append(said[2:])
            assert not any(item.disabled for item in answers(rules, number, at))
        assert len(set(found)) == len(step.answers)


@every_game
def test_the_picked_answer_is_green_or_red_and_nothing_moves(game: RegisteredGame) -> None:
    rules = first(game)
    for w in (EN, words("zh-TW"), words("en-US", EMOJI)):
        for number, step in enumerate(taught(rules)):
            before = [item.custom_id for item in answers(rules, number, None, w)]
            height = len(reply(rules, number, None, w))
            for at, answer in enumerate(step.answers):
                after = answers(rules, number, at, w)
                assert [item.custom_id for item in after] == before
                style = ButtonStyle.success if answer.is_right else ButtonStyle.danger
                assert [item.style for item in after if item.style is not ButtonStyle.secondary] == [style]
                assert str(after[at].label)[0] == ("✓" if answer.is_right else "✗")
                assert len(reply(rules, number, at, w)) == height


@every_game
def test_a_reply_fits_the_lines_of_a_narrow_phone(game: RegisteredGame) -> None:
    rules = first(game)
    for number, step in enumerate(taught(rules)):
        for at in range(len(step.answers)):
            assert all(columns(line) <= REPLY_WIDTH for line in reply(rules, number, at))


@every_game
def test_next_is_the_main_button_once_the_answer_is_right(game: RegisteredGame) -> None:
    rules = first(game)
    for number, step in enumerate(taught(rules)):
        for at in (None, *range(len(step.answers))):
            screen = drawn_view(lesson(rules, number, at, EN)).walk_children()
            (onward,) = (item for item in screen if isinstance(item, ui.Button) and item.label == "Next")
            assert not onward.disabled
            assert (onward.style is ButtonStyle.primary) is (at == right(step))


@every_game
def test_the_right_answer_is_not_always_at_the_same_position(game: RegisteredGame) -> None:
    assert {right(step) for step in taught(first(game))} == {0, 1, 2}


@every_game
def test_lesson_cards_are_emoji_or_symbols(game: RegisteredGame) -> None:
    rules, pictures = first(game), words("en-US", EMOJI)
    for number, step in enumerate(taught(rules)):
        shown = [
            ("", step.top),
            *((f"{sign} ", answer.cards) for sign, answer in zip("①②③", step.answers, strict=False)),
        ]
        for w in (pictures, EN):
            said = texts(lesson(rules, number, None, w)).splitlines()
            assert all(w.faces.large(held, sign) in said for sign, held in shown if held)


@every_game
def test_lesson_steps_keep_within_limits_in_every_language(game: RegisteredGame) -> None:
    for preset in game.presets:
        rules = BookRules(game, preset)
        for w in words_of_every_language():
            for number in STEPS:
                check_limits(lesson(rules, number, 0, w))
            check_limits(lesson(rules, len(STEPS), None, w))


@pytest.mark.parametrize("name", ["Ann", "Ben", "小安", "阿明"])
def test_names_from_lesson_questions_are_not_reserved(name: str) -> None:
    """An answer that is a bare name would be a phrase that no name may imitate."""
    assert not lookalike_keys(name) & reserved()


def test_the_lesson_uses_the_suit_order_of_the_rules() -> None:
    big_two = GAMES["big_two"]
    assert "`9♠\ufe0e` is highest" in texts(lesson(first(big_two), 1, None, EN))
    assert "`9♢` is highest" in texts(lesson(BookRules(big_two, "pusoy_dos"), 1, None, EN))


@pytest.mark.parametrize("on_server", [True, False])
def test_the_last_lesson_page_offers_a_table_where_possible(*, on_server: bool) -> None:
    last = lesson(first(GAMES["big_two"]), 5, None, EN, on_server=on_server)
    found = {item.label: item.style for item in drawn_view(last).walk_children() if isinstance(item, ui.Button)}
    assert found.get("Open a new table") == (ButtonStyle.primary if on_server else None)


@pytest.mark.parametrize(
    ("topic", "rights", "why"),
    [
        ("aim", [False, False], "not exactly one right answer"),
        ("aim", [True, True], "not exactly one right answer"),
        ("weather", [True, False], "no topic of lessons: weather"),
    ],
    ids=["none right", "two right", "unknown topic"],
)
def test_a_lesson_without_a_topic_or_one_right_answer_is_refused(topic: str, rights: list[bool], why: str) -> None:
    entry = {
        "topic": topic,
        "say": "",
        "ask": "",
        "answers": [{"text": "", "why": "", "right": is_right} for is_right in rights],
    }
    with pytest.raises(ValueError, match=why):
        parse_lessons([entry])


def test_a_lesson_inherits_omitted_fields_except_the_condition() -> None:
    answer = {"text": "Yes", "why": "Because.", "right": True}
    entry = {"topic": "aim", "applies": "players=4", "say": "One", "ask": "?", "top": "Ks", "answers": [answer]}
    one, other = parse_lessons([entry, {"topic": "aim", "say": "Two"}])
    assert (other.say, other.ask, other.top, other.answers) == ("Two", one.ask, one.top, one.answers)
    assert not other.applies.rows
