"""The search for articles of the rules by their words."""

from __future__ import annotations

from bot.domain.house_rules import name_key
from bot.show.kit.layout import cut
from bot.show.rulebook.articles import Article, Book

SNIPPET = 90  # characters
SNIPPET_LEAD = 30  # of them before the found word
_VARIANT = {ord("\ufe0e"): None, ord("\ufe0f"): None}  # variation selectors, which are never typed


def search(book: Book, wanted: str) -> list[Article]:
    """Return the articles with all words, in any case; if none has all, those with the most.

    Articles with more of the words in the title come first.
    """
    words = _plain(wanted).split()
    held = {article.number: sum(word in _text(article) for word in words) for article in book}
    most = max(held.values(), default=0)
    found = [article for article in book if most and held[article.number] == most]
    return sorted(found, key=lambda article: sum(word not in _plain(article.title) for word in words))


def snippet(article: Article, wanted: str) -> str:
    """Return the part of an article around the first of the words found in its text."""
    text = " ".join(article.plain().split())
    places = (text.casefold().find(word.casefold()) for word in wanted.split())
    at = next((place for place in places if place >= 0), 0)
    start = text.rfind(" ", 0, max(at - SNIPPET_LEAD, 0)) + 1 if at > SNIPPET_LEAD else 0
    return cut(f"…{text[start:]}" if start else text, SNIPPET)


def _text(article: Article) -> str:
    """Return the searchable text of an article: cards as notation and as symbols."""
    return _plain(f"{article.number} {article.title} {article.text} {article.plain()}")


def _plain(text: str) -> str:
    return name_key(text).translate(_VARIANT)
