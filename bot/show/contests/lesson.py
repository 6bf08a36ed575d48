"""A game taught in a minute.

Lessons of a sentence, the cards on the table, and plays of which one is legal.

The rules being taught decide which play is legal. A lesson without exactly one legal play under a preset is left out.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.games import GAMES
from bot.rules.core.cards import Cards
from bot.rules.variants.option_sheet import Lesson
from bot.show.contests.puzzles import PUZZLES
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbols
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, Block, PrivateScreen, back_to_hand, button, lines, private, row, small
from bot.show.kit.words import MessageText, Words
from bot.show.rulebook.pages import INTRODUCTION, TURN
from bot.show.rulebook.ruleset import BookRules

HOW = "how"  # the verb: game, rules, lesson number, and chosen play
NONE = "-"


def taught(rules: BookRules) -> list[Lesson]:
    """Return the lessons that hold under these rules."""
    return [lesson for lesson in GAMES[rules.game].sheet.lessons if len(_right(rules, lesson)) == 1]


def lesson(rules: BookRules, number: int, chosen: int | None, w: Words) -> PrivateScreen:
    """Return a lesson, or after the last one the final page.

    chosen: the number of the play chosen as legal.
    """
    w, lessons = w.for_players((), rules.rules), taught(rules)
    if number >= len(lessons):
        return _learnt(rules, w)
    now = lessons[number]
    chosen = chosen if chosen in range(len(now.plays)) else None
    head = w("{game} · {n} of {count}", game=w(GAMES[rules.game].title), n=number + 1, count=len(lessons))
    return private(
        Accent.BOOK,
        lines(f"### {head}", w(now.say)),
        lines(f"## {w.faces.show(now.top)}" if now.top else None, _asked(rules, now, chosen, w)),
        row(*(_play(rules, now, number, at, chosen=chosen) for at in _mixed(len(now.plays), number))),
        row(
            button(w("Back"), _to(rules, number - 1), disabled=number == 0),
            button(w("Next"), _to(rules, number + 1), ButtonStyle.primary),
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


def _cards(rules: BookRules, w: Words) -> ui.Button[Any] | None:
    return back_to_hand(rules.table, w) if rules.table is not None and rules.dealt else None


def _mixed(plays: int, number: int) -> list[int]:
    """Return the plays of a lesson in an order that moves the legal one around."""
    return [(at + 2 * number + 1) % plays for at in range(plays)]


def _right(rules: BookRules, now: Lesson) -> list[int]:
    return [at for at in range(len(now.plays)) if _does(rules, now, at)]


def _does(rules: BookRules, now: Lesson, at: int) -> bool:
    """Tell whether a play is legal under these rules."""
    play, asked = now.plays[at], rules.rules
    if not {*now.top, *play} <= set(asked.pack) or asked.classify(play) is None:
        return False
    return not now.top or (asked.classify(now.top) is not None and asked.compare(play, now.top) is None)


def _asked(rules: BookRules, now: Lesson, chosen: int | None, w: Words) -> str:
    """Return the question, or the reply to an answer."""
    if chosen is None:
        return w("**Which of these beats it?**") if now.top else w("**Which of these can you lead?**")
    play = now.plays[chosen]
    if chosen not in _right(rules, now):
        return f"✗ {_why_not(rules, play, now.top or play, w)}"
    combo, top = rules.rules.classify(play), rules.rules.classify(now.top) if now.top else None
    return f"✓ {w('{combo} beats {top}.', combo=combo, top=top) if top else w('You can lead {combo}.', combo=combo)}"


def _why_not(rules: BookRules, play: Cards, top: Cards, w: Words) -> MessageText:
    refused = rules.rules.compare(play, top)
    return phrases.refusal(refused, w) if refused else MessageText()


def _play(rules: BookRules, now: Lesson, number: int, at: int, *, chosen: int | None) -> ui.Button[Any]:
    """Return the button of a play: green or red once chosen."""
    right = at in _right(rules, now)
    styles = {True: ButtonStyle.success, False: ButtonStyle.danger}
    style = styles[right] if at == chosen else ButtonStyle.secondary
    return button(symbols(now.plays[at]), _to(rules, number, str(at)), style)


def _learnt(rules: BookRules, w: Words) -> PrivateScreen:
    everything = Browse.to(TURN, rules.game, rules.key, INTRODUCTION)
    return private(
        Accent.BOOK,
        lines(
            f"### {w(GAMES[rules.game].title)}",
            w("That's all you need. You'll pick up the rest as you play."),
            small(w("Play now fills your table with bots. Hint helps you along.")),
        ),
        row(button(w("Again"), _to(rules, 0)), button(w("All the rules"), everything), _cards(rules, w)),
        row(button(w("🧩 Puzzles of the week"), Browse.to(PUZZLES, rules.game))),
    )


def _to(rules: BookRules, number: int, chosen: str = NONE) -> Browse:
    return Browse.to(HOW, rules.game, rules.key, max(number, 0), chosen)
