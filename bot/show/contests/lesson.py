"""A game taught in five steps, each with a short text and a question to answer.

The rules being taught decide which lessons are shown; the lessons are in data/options.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.message_ids import N_
from bot.games import GAMES, LESSONS
from bot.rules.core.cards import cards
from bot.rules.variants.lessons import Lesson, LessonAnswer, lessons_in_force
from bot.show.contests.practice import lesson_button
from bot.show.contests.puzzles import PUZZLES
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import (
    EMPTY_LINE,
    Accent,
    Block,
    PrivateScreen,
    back_to_hand,
    button,
    line,
    lines,
    private,
    row,
    small,
    wrapped,
)
from bot.show.kit.words import MessageText, Words
from bot.show.rulebook.pages import INTRODUCTION, TURN
from bot.show.rulebook.ruleset import BookRules
from bot.show.table.outside import NEW_TABLE

HOW = "how"  # the verb: game, rules, lesson number, and chosen answer
NONE = "-"
SIGNS = "①②③"  # of answers in cards; letters and digits could be taken for cards
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


def lesson(rules: BookRules, number: int, chosen: int | None, w: Words, *, on_server: bool = True) -> PrivateScreen:
    """Return a lesson, or after the last one the final page.

    chosen: the number of the chosen answer. on_server: whether the viewer is on a server, where tables can be opened.
    Nothing moves on an answer: the reply has as many lines before as after it. Any answer may be tried.
    """
    lessons = taught(rules)
    if number >= len(lessons):
        return _learnt(rules, w, on_server=on_server)
    now = lessons[number]
    picked = next((answer for at, answer in enumerate(now.answers) if at == chosen), None)
    head = w("{game} · {n} of {count}", game=w(GAMES[rules.game].title), n=number + 1, count=len(lessons))
    return private(
        Accent.BOOK,
        lines(f"### {head}", f"**{w(TITLES[now.topic])}**", _with_cards(now.say, w)),
        line(),
        lines(w.faces.large(now.top) if now.top else None, f"**{_with_cards(now.ask, w)}**"),
        *_answers(now, [_to(rules, number, str(at)) for at in range(len(now.answers))], picked, w),
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
            w("Play a first hand with a coach, or learn it in one minute: five quick steps.")
            if rules.game in LESSONS
            else w("Learn it in one minute: five quick steps."),
            small(w("I only offer this once. You'll find it later under ⋯ in your hand.")),
        ),
        row(lesson_button(rules.game, w), begin(rules, w)),
    )


def _with_cards(sentence: str, w: Words) -> MessageText:
    """Return a sentence with its fields, which are named after cards, filled with those cards."""
    names = {name for _, name, *_ in string.Formatter().parse(sentence) if name}
    return w(sentence, **{name: cards(name.replace("_", " ")) for name in names})


def _answers(now: Lesson, targets: Iterable[Browse], picked: LessonAnswer | None, w: Words) -> Iterator[Block]:
    """Yield the answers.

    Cards by number with one row of buttons below, or only words with a row for each button.

    targets: of the buttons, one for each answer.
    """
    pairs = list(zip(SIGNS, now.answers, strict=False))
    buttons = [
        button(_label(each, sign, picked, w), target, _style(each, picked))
        for (sign, each), target in zip(pairs, targets, strict=True)
    ]
    in_cards = [w.faces.large(each.cards, f"{sign} ") for sign, each in pairs if each.cards]
    yield lines(*in_cards)
    yield from [row(*buttons)] if in_cards else map(row, buttons)


def _label(answer: LessonAnswer, sign: str, picked: LessonAnswer | None, w: Words) -> str:
    """Return the label of an answer, marked once picked.

    A sign gives way to the mark, to keep the row as wide.
    """
    mark = _mark(answer) if answer is picked else ""
    return f"{mark} {w(answer.text)}".strip() if answer.text else mark or sign


def _style(answer: LessonAnswer, picked: LessonAnswer | None) -> ButtonStyle:
    if answer is not picked:
        return ButtonStyle.secondary
    return ButtonStyle.success if answer.is_right else ButtonStyle.danger


def _reply(now: Lesson, picked: LessonAnswer | None, w: Words) -> str:
    """Return the reply to an answer, or before it an invitation.

    All have the same number of lines.
    """
    invitation = wrapped(w("Tap what you think is right."), REPLY_WIDTH)
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


def _learnt(rules: BookRules, w: Words, *, on_server: bool) -> PrivateScreen:
    """Return the final page, which invites to play.

    At the reader's table if there is one, else at a new table.
    """
    everything = Browse.to(TURN, rules.game, rules.key, INTRODUCTION)
    new = button(w("Open a new table"), Browse.to(NEW_TABLE, rules.game), ButtonStyle.primary)
    return private(
        Accent.BOOK,
        lines(
            f"### {w(GAMES[rules.game].title)}",
            w("That's all you need. You'll pick up the rest as you play."),
            small(w("Play now fills your table with bots. Hint helps you along.")),
        ),
        row(lesson_button(rules.game, w), new if rules.table is None and on_server else _cards(rules, w)),
        row(
            button(w("Again"), _to(rules, 0)),
            button(w("All the rules"), everything),
            button(w("🧩 Puzzles of the week"), Browse.to(PUZZLES, rules.game)),
        ),
    )


def _to(rules: BookRules, number: int, chosen: str = NONE) -> Browse:
    return Browse.to(HOW, rules.game, rules.key, max(number, 0), chosen)
