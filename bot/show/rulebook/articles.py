"""The published rules: numbered articles in each language, and the search in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bot.domain.house_rules import name_key
from bot.domain.languages import ENGLISH
from bot.paths import DATA
from bot.rules.core.cards import Cards, cards
from bot.rules.variants.conditions import ALWAYS, Condition, condition
from bot.show.kit.card_symbols import symbols
from bot.show.kit.layout import cut
from bot.show.kit.words import Words

PAGES = DATA / "rules"
_SECTION = re.compile(r"## (\d+) (.+)")
_ARTICLE = re.compile(r"\*\*([A-Z]?\d+\.\d+) (.+?)[.。]\*\* (.+?)(?: \{when: ([^{}]+)\})?")
_CODE = re.compile(r"`([^`]+)`")


class BadPage(ValueError):
    """A malformed page of rules; the message names the line, or what is missing."""


@dataclass(frozen=True, slots=True)
class Article:
    """One numbered rule. when: the option values for which the article is in force."""

    number: str
    title: str
    text: str
    when: Condition = ALWAYS

    def against(self, options: Any) -> list[str]:
        """Return the names of the options that keep the article out of force, each once."""
        return list(dict.fromkeys(test.name for test in self.when.tests if not test.holds(options)))

    def show(self, w: Words) -> str:
        """Return the article as message text, its cards as faces."""
        text = _CODE.sub(lambda found: w.faces.show(held) if (held := _cards(found[1])) else found[0], self.text)
        return f"**{self.number} {self.title}**\n{text}"

    def plain(self) -> str:
        """Return the text without any markup, its cards as symbols, for labels and for searching."""
        return _CODE.sub(lambda found: symbols(held) if (held := _cards(found[1])) else found[1], self.text)


def _cards(code: str) -> Cards:
    """Return the cards in exact notation; empty for any other code."""
    try:
        return cards(code)
    except KeyError:
        return ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules under one heading."""

    number: str
    title: str
    articles: tuple[Article, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game in one language."""

    title: str
    intro: str
    sections: tuple[Section, ...]

    def __iter__(self) -> Iterator[Article]:
        """Yield every article in order."""
        return (article for part in self.sections for article in part.articles)

    def article(self, number: str) -> Article | None:
        """Return the article with this number, or None."""
        return next((article for article in self if article.number == number), None)

    def under(self, options: Any) -> Book:
        """Return the book without the articles out of force."""
        kept = (
            replace(part, articles=tuple(article for article in part.articles if article.when.holds(options)))
            for part in self.sections
        )
        return replace(self, sections=tuple(part for part in kept if part.articles))

    def instead(self, number: str, options: Any) -> Article | None:
        """Return the article in force instead of one that is not.

        The article is on the same option, or else the nearest. Returns None if the book has no such article, or if no
        article of its section is in force.
        """
        part = next(
            (part for part in self.sections if any(article.number == number for article in part.articles)), None
        )
        if part is None:
            return None
        at = next(place for place, article in enumerate(part.articles) if article.number == number)
        near = sorted(range(len(part.articles)), key=lambda place: (place > at, abs(place - at)))
        there = [part.articles[place] for place in near if part.articles[place].when.holds(options)]
        asked = set(part.articles[at].against(options))
        alike = (article for article in there if asked & {test.name for test in article.when.tests})
        return next(alike, next(iter(there), None))


def numbered(typed: str) -> str:
    """Return the article number of a typed text.

    Examples: "(c10.2)", "A4.10" and "C9-2" are C10.2, 4.10 and C9.2.
    """
    return typed.strip("() .（）。").replace("-", ".").upper().removeprefix("A")


@cache
def book(game: str, locale: str = ENGLISH.code) -> Book:
    """Return the rules of a game in a language, in English without a translation.

    Raises BadPage.
    """
    path = PAGES / (f"{game}.md" if locale == ENGLISH.code else f"{game}.{locale}.md")
    return parse((path if path.exists() else PAGES / f"{game}.md").read_text(encoding="utf-8"))


def parse(text: str) -> Book:
    """Return a page as a book.

    Raises BadPage at the first line that is neither heading, article nor introduction, at a plain number out of
    sequence, and at a repeated number.
    """
    title, *rest = [line for line in text.splitlines() if line.strip()]
    if not title.startswith("# "):
        raise BadPage(title)
    intro = _until_heading(rest)
    sections: list[Section] = []
    known: set[str] = set()
    for line in rest[len(intro) :]:
        if heading := _SECTION.fullmatch(line):
            sections.append(Section(heading[1], heading[2], ()))
        else:
            article = _article(line, sections[-1], known)
            sections[-1] = replace(sections[-1], articles=(*sections[-1].articles, article))
    return Book(title[2:], "\n".join(intro), tuple(sections))


def _until_heading(rest: list[str]) -> list[str]:
    at = next((place for place, line in enumerate(rest) if line.startswith("## ")), len(rest))
    return rest[:at]


def _article(line: str, section: Section, known: set[str]) -> Article:
    """Return the article in a line, and add its number to the known numbers."""
    found = _ARTICLE.fullmatch(line)
    if found is None or found[1] in known:
        raise BadPage(line)
    plain = sum(earlier.number[0].isdigit() for earlier in section.articles)
    if found[1][0].isdigit() and found[1] != f"{section.number}.{plain + 1}":
        raise BadPage(line)
    known.add(found[1])
    try:
        return Article(found[1], found[2], found[3], condition(found[4] or ""))
    except ValueError as unreadable:
        raise BadPage(line) from unreadable


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
