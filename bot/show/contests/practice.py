"""Practice and lessons: the buttons and menus of a hand that a person plays alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.chairs import Level
from bot.games import LESSONS
from bot.scene import Scene
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.house_levels import next_levels
from bot.show.kit.layout import Block, button, row, small
from bot.show.kit.words import Words

BACK: Final = "↩"  # for a button beside the cards, without room for words
ANOTHER: Final = "another"  # the verb: practise with other cards, under the rules of this table
LESSON: Final = "lesson"  # the verb: begin or resume the lesson of a game


def practising(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Yield the practice buttons and the menu for the next hand; nothing at other tables.

    level: the viewer's preferred level of house players.
    """
    if scene.where.solo == "lesson":
        yield row(button(w("Start again"), Press(scene.where.table, Verb.SAME_CARDS)), undo(scene, w("Take back")))
    if scene.where.solo == "practice":
        yield row(*reversed(once_more(scene, w)))
        yield from next_hand(scene, w, level)


def lesson_button(game: str, w: Words) -> ui.Button[Any] | None:
    """Return the button that begins or resumes the lesson of a game.

    Returns None for a game without a lesson.
    """
    return button(w("Play a lesson"), Browse.to(LESSON, game), ButtonStyle.success) if game in LESSONS else None


def once_more(scene: Scene, w: Words) -> tuple[ui.Button[Any], ...]:
    """Return the buttons for other cards, the same cards, and take back.

    After a hand the usual choice is green.
    """
    table, style = scene.where.table, ButtonStyle.secondary if scene.open else ButtonStyle.success
    return (
        button(w("New cards"), Browse.to(ANOTHER, table), style),
        button(w("Same cards again"), Press(table, Verb.SAME_CARDS)),
        undo(scene, w("Take back")),
    )


def undo(scene: Scene, label: str) -> ui.Button[Any]:
    """Return the button that takes back the viewer's latest action."""
    return button(label, Press(scene.where.table, Verb.UNDO), disabled=not scene.undo)


def next_hand(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Yield the choices for the next hand.

    level: the viewer's preferred level of house players.
    """
    yield small(w("Bot level from the next hand on:"))
    yield next_levels(scene, w, level)
