"""The lessons of a game: a text, a question and answers on each of five topics.

They are loaded from the game's option sheet. A topic may have several lessons with conditions; the first whose
condition holds is taught. In the sheet, a lesson takes over what it leaves out, except its condition, from the one
before it on the same topic. A field of a sentence that is named after cards, such as ``{9s}`` or ``{10n_JK}``, stands
for those cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.rules.core.cards import Cards, cards
from bot.rules.variants.conditions import Condition, condition

TOPICS: Final = ("aim", "order", "plays", "trick", "twist")


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonAnswer:
    """An answer in cards or, without cards, in words.

    text, why: message ids; why says why the answer is right or wrong. is_play: whether the answer is a play, so that
    the rules decide whether it is right.
    """

    cards: Cards
    text: str
    why: str
    is_right: bool
    is_play: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson on a topic.

    say, ask: message ids, a text and a question about it. top: the cards on the table.
    """

    topic: str
    applies: Condition
    say: str
    ask: str
    top: Cards
    answers: tuple[LessonAnswer, ...]


def lessons_in_force(lessons: Iterable[Lesson], options: Any) -> list[Lesson]:
    """Return the lesson taught under these options on each topic, in the order of topics."""
    held = [lesson for lesson in lessons if lesson.applies.holds(options)]
    first = {lesson.topic: lesson for lesson in reversed(held)}
    return [first[topic] for topic in TOPICS if topic in first]


def parse_lessons(entries: Iterable[Mapping[str, Any]]) -> tuple[Lesson, ...]:
    """Return the lessons of an option sheet.

    Raises ValueError for an unknown topic or a question without exactly one right answer, KeyError for a missing part.
    """
    whole: dict[str, dict[str, Any]] = {}
    lessons = list[Lesson]()
    for entry in entries:
        topic = entry["topic"]
        whole[topic] = {**whole.get(topic, {}), "applies": "", **entry}
        lessons.append(_lesson(whole[topic]))
    return tuple(lessons)


def _lesson(raw: Mapping[str, Any]) -> Lesson:
    answers = tuple(map(_answer, raw["answers"]))
    if raw["topic"] not in TOPICS:
        raise ValueError(f"no topic of lessons: {raw['topic']}")
    if sum(answer.is_right for answer in answers) != 1:
        raise ValueError(f"not exactly one right answer: {raw['ask']}")
    return Lesson(
        topic=raw["topic"],
        applies=condition(raw["applies"]),
        say=raw["say"],
        ask=raw["ask"],
        top=cards(raw.get("top", "")),
        answers=answers,
    )


def _answer(raw: Mapping[str, Any]) -> LessonAnswer:
    return LessonAnswer(
        cards=cards(raw.get("play", raw.get("cards", ""))),
        text=raw.get("text", ""),
        why=raw["why"],
        is_right=raw.get("right", False),
        is_play="play" in raw,
    )
