"""The forms of the rule book: words to search for, and two plays to compare."""

from __future__ import annotations

from discord import ui

from bot.show.kit.custom_ids import Browse
from bot.show.kit.forms import Field, form
from bot.show.kit.words import Words
from bot.show.rulebook.pages import HIGHER, SEARCH

WORDS, FIRST, SECOND = "words", "first", "second"  # the fields


def search_form(whose: tuple[str, ...], w: Words) -> ui.Modal:
    """Return the form that asks for words or an article's number. whose: game and key of the rules, see BookRules."""
    hint = w("Words such as flush, or the number of an article such as 4.10")
    return form(Browse(SEARCH, whose), w("Search the rules"), Field(WORDS, w("Search for"), hint=hint))


def higher_form(whose: tuple[str, ...], w: Words) -> ui.Modal:
    """Return the form that asks for two plays. whose: as in :func:`search_form`."""
    hint = w("Cards such as 9s 7s 6s 5s 3s")
    fields = Field(FIRST, w("One play"), hint=hint), Field(SECOND, w("The other play"), hint=hint)
    return form(Browse(HIGHER, whose), w("Which is higher?"), *fields)
