"""Finding articles of the rules by the words in them.

Knows what a reader may mean by a word; refuses to know which rules are in force: it gets a book of those.
"""

from __future__ import annotations

from bot.domain.house_rules import folded
from bot.show.kit.layout import cut
from bot.show.rulebook.articles import Article, Book

SNIPPET = 90  # characters
BEFORE = 30  # of them before the word that was found
_VARIANT = {ord("\ufe0e"): None, ord("\ufe0f"): None}  # says how a suit is drawn, and is never typed


def search(book: Book, wanted: str) -> list[Article]:
    """Return the articles that hold all the words, in any case, or, where none does, as many of them as any does.

    Those come first that have most of them in the title.
    """
    words = _plain(wanted).split()
    held = {article.number: sum(word in _text(article) for word in words) for article in book}
    most = max(held.values(), default=0)
    found = [article for article in book if most and held[article.number] == most]
    return sorted(found, key=lambda article: sum(word not in _plain(article.title) for word in words))


def snippet(article: Article, wanted: str) -> str:
    """Return the part of an article in which the first of the words stands that are in its text."""
    text = " ".join(article.plain().split())
    places = (text.casefold().find(word.casefold()) for word in wanted.split())
    at = next((place for place in places if place >= 0), 0)
    start = text.rfind(" ", 0, max(at - BEFORE, 0)) + 1 if at > BEFORE else 0
    return cut(f"…{text[start:]}" if start else text, SNIPPET)


def _text(article: Article) -> str:
    """Return all that can be found of an article: cards count as notation and as symbols."""
    return _plain(f"{article.number} {article.title} {article.text} {article.plain()}")


def _plain(text: str) -> str:
    return folded(text).translate(_VARIANT)
