"""The reason of a refusal: a sentence at once, and the article on request."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.rules.core.sentences import Illegal
from bot.show.kit import phrases
from bot.show.kit.back_button import back_to_hand
from bot.show.kit.custom_ids import Browse
from bot.show.kit.layout import Accent, Block, PrivateScreen, button, cut, line, private, row
from bot.show.kit.words import Words
from bot.show.rulebook.pages import TURN, dashed, in_force
from bot.show.rulebook.ruleset import BookRules

WHY = "why"  # the verb: game, rules, article
MAX_SENTENCE_LENGTH = 2000  # characters: the sentence may contain all typed cards


def refused(rules: BookRules, illegal: Illegal, w: Words) -> PrivateScreen:
    """Return the reason of a refusal, with a button to its article."""
    why = Browse.to(WHY, rules.game, rules.key, dashed(illegal.article))
    return private(Accent.CLOSED, _said(illegal, w), row(button(w("Why?"), why)))


def because(rules: BookRules, illegal: Illegal, w: Words) -> PrivateScreen:
    """Return the reason of a refusal with the article in full, in place of a hand."""
    way = back_to_hand(rules.table, w) if rules.table is not None and rules.dealt else None
    return private(Accent.BOOK, _said(illegal, w), line(), *_cited(rules, illegal.article, w, way))


def cited(rules: BookRules, number: str, w: Words) -> PrivateScreen:
    """Return an article alone; if out of force, only the button to the rules."""
    return private(Accent.BOOK, *_cited(rules, number, w))


def _cited(rules: BookRules, number: str, w: Words, way: ui.Button[Any] | None = None) -> tuple[Block, ...]:
    article = in_force(rules, w).article(number)
    there = Browse.to(TURN, rules.game, rules.key, dashed(number))
    return article.show(w) if article else None, row(way, button(w("Open the rules"), there))


def _said(illegal: Illegal, w: Words) -> str:
    return cut(phrases.refusal(illegal, w), MAX_SENTENCE_LENGTH)
