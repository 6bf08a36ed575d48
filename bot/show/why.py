"""Why the rules forbid something: in a sentence at once, by their article for whoever asks.

Knows the number of the article; refuses to know what was tried.
"""

from __future__ import annotations

from bot.rules.sentences import Illegal
from bot.show import phrases
from bot.show.back import back
from bot.show.ids import Browse
from bot.show.layout import Accent, PrivateScreen, button, cut, line, private, row
from bot.show.rules_page import TURN, dashed, in_force
from bot.show.ruleset import BookRules
from bot.show.words import Words

LONGEST = 2000  # characters: it may name all the cards that somebody has typed


def refused(rules: BookRules, illegal: Illegal, w: Words) -> PrivateScreen:
    """Return why something cannot be done, with the way to the article that says so."""
    return private(Accent.CLOSED, _said(illegal, w), row(button(w("Why?"), _article(rules, illegal))))


def because(rules: BookRules, illegal: Illegal, w: Words) -> PrivateScreen:
    """Return the same with the article in full, to stand in the place of a hand."""
    article = in_force(rules, w).article(illegal.article)
    way = back(rules.table, w) if rules.table is not None and rules.dealt else None
    return private(
        Accent.BOOK,
        _said(illegal, w),
        line(),
        article.show(w) if article else None,
        row(way, button(w("Open the rules"), _article(rules, illegal))),
    )


def _said(illegal: Illegal, w: Words) -> str:
    return cut(phrases.refusal(illegal, w), LONGEST)


def _article(rules: BookRules, illegal: Illegal) -> Browse:
    return Browse.to(TURN, rules.game, rules.key, dashed(illegal.article))
