"""A game taught in five steps, each with a short text and a question to answer.

The rules being taught decide which lessons are shown; the lessons are in data/options.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.message_ids import N_
from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.variants.lessons import Lesson, LessonAnswer, lessons_in_force
from bot.show.contests.puzzles import PUZZLES
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    EMPTY_LINE,
    Accent,
    Block,
    PrivateScreen,
    back_to_hand,
    button,
    lines,
    private,
    row,
    small,
    text_with_button,
    wrapped,
)
from bot.show.kit.words import MessageText, Words
from bot.show.rulebook.pages import INTRODUCTION, TURN
from bot.show.rulebook.ruleset import BookRules
from bot.show.table.outside import NEW_TABLE

HOW = "how"  # the verb: game, rules, lesson number, and chosen answer
NONE = "-"
REPLY_WIDTH = 29  # columns of text on a phone of 360 pixels
TITLES: Final[Mapping[str, str]] = {
    "aim": N_("The aim"),
    "order": N_("Which card is higher"),
    "plays": N_("What you can play"),
    "trick": N_("Taking turns"),
    "twist": N_("The twist"),
}


def taught(rules: BookRules) -> list[Lesson]:
    """Return the lessons that hold under these rules."""
    return lessons_in_force(GAMES[rules.game].sheet.lessons, rules.options)


def lesson(rules: BookRules, number: int, chosen: int | None, w: Words) -> PrivateScreen:
    """Return a lesson, or after the last one the final page. chosen: the number of the chosen answer.

    Nothing moves on an answer: the reply has as many lines before as after it. Any answer may be tried.
    """
    lessons = taught(rules)
    if number >= len(lessons):
        return _learnt(rules, w)
    now = lessons[number]
    picked = next((answer for at, answer in enumerate(now.answers) if at == chosen), None)
    head = w("{game} · {n} of {count}", game=w(GAMES[rules.game].title), n=number + 1, count=len(lessons))
    return private(
        Accent.BOOK,
        lines(f"### {head}", f"**{w(TITLES[now.topic])}**", _with_cards(now.say, w)),
        lines(w.faces.large(now.top) if now.top else None, f"**{_with_cards(now.ask, w)}**"),
        *(_answer(each, _to(rules, number, str(at)), picked, w) for at, each in enumerate(now.answers)),
        _reply(now, picked, w),
        row(
            button(w("Back"), _to(rules, number - 1), disabled=number == 0),
            button(w("Next"), _to(rules, number + 1), _next_style(picked)),
            _cards(rules, w),
        ),
    )


def begin(rules: BookRules, w: Words) -> ui.Button[Any]:
    """Return the button that starts the lessons on these rules."""
    return button(w("How to play"), _to(rules, 0))


def offer(rules: BookRules, w: Words, *before: Block) -> PrivateScreen:
    """Return the one-time offer of lessons to a player new to a game.

    before: what stands above the offer.
    """
    return private(
        Accent.BOOK,
        *before,
        lines(
            f"**{w('New to {game}?', game=w(GAMES[rules.game].title))}**",
            w("Learn it in one minute: five quick steps."),
            small(w("I only offer this once. You'll find it later under ⋯ in your hand.")),
        ),
        row(begin(rules, w)),
    )


def _with_cards(sentence: str, w: Words) -> MessageText:
    """Return a sentence with its fields, which are named after cards, filled with those cards."""
    names = {name for _, name, *_ in string.Formatter().parse(sentence) if name}
    return w(sentence, **{name: cards(name.replace("_", " ")) for name in names})


def _answer(answer: LessonAnswer, target: Browse, picked: LessonAnswer | None, w: Words) -> Block:
    """Return an answer: its cards with a button beside them, or a button with its words; marked once picked."""
    label, style = w(answer.text) if answer.text else w("This one"), ButtonStyle.secondary
    if answer is picked:
        label = MessageText(f"{_mark(answer)} {label}")
        style = ButtonStyle.success if answer.is_right else ButtonStyle.danger
    choose = button(label, target, style)
    return text_with_button(w.faces.large(answer.cards), choose) if answer.cards else row(choose)


def _reply(now: Lesson, picked: LessonAnswer | None, w: Words) -> str:
    """Return the reply to an answer, or before it an invitation; all have the same number of lines."""
    invitation = wrapped(w("Tap an answer. You can try them all."), REPLY_WIDTH)
    shown: dict[LessonAnswer | None, list[str]] = {None: invitation}
    for each in now.answers:
        shown[each] = wrapped(f"{_mark(each)} {_with_cards(each.why, w)}", REPLY_WIDTH)
    blank = max(map(len, shown.values())) - len(shown[picked])
    return "\n".join((*shown[picked], *[EMPTY_LINE] * blank))


def _mark(answer: LessonAnswer) -> str:
    return "✓" if answer.is_right else "✗"


def _next_style(picked: LessonAnswer | None) -> ButtonStyle:
    return ButtonStyle.primary if picked and picked.is_right else ButtonStyle.secondary


def _cards(rules: BookRules, w: Words) -> ui.Button[Any] | None:
    return back_to_hand(rules.table, w) if rules.table is not None and rules.dealt else None


def _learnt(rules: BookRules, w: Words) -> PrivateScreen:
    """Return the final page, which invites to play: with the hand of the table, or without one at a new table."""
    everything = Browse.to(TURN, rules.game, rules.key, INTRODUCTION)
    new = button(w("Open a new table"), Browse.to(NEW_TABLE, rules.game), ButtonStyle.primary)
    return private(
        Accent.BOOK,
        lines(
            f"### {w(GAMES[rules.game].title)}",
            w("That's all you need. You'll pick up the rest as you play."),
            small(w("Play now fills your table with bots. Hint helps you along.")),
        ),
        row(new if rules.table is None else _cards(rules, w)),
        row(
            button(w("Again"), _to(rules, 0)),
            button(w("All the rules"), everything),
            button(w("🧩 Puzzles of the week"), Browse.to(PUZZLES, rules.game)),
        ),
    )


def _to(rules: BookRules, number: int, chosen: str = NONE) -> Browse:
    return Browse.to(HOW, rules.game, rules.key, max(number, 0), chosen)
