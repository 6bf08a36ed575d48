"""The published rules: pages of numbered articles in data/rules, in each language.

Knows how such a page is written; refuses to know what its articles mean. An article that depends on an option ends in a
marker, ``{when: option=value}``, and is left out where the option has another value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from bot.rules.cards import cards
from bot.show.words import ENGLISH, Words

PAGES = Path(__file__).parents[2] / "data" / "rules"
_SECTION = re.compile(r"## (\d+) (.+)")
_ARTICLE = re.compile(r"\*\*(\d+\.\d+) (.+?)[.。]\*\* (.+?)(?: \{when: (\w+)=(\w+)\})?")
_CARDS = re.compile(r"`([2-9TJQKA][dchs](?: [2-9TJQKA][dchs])*)`")
_SCORING = "Scoring"  # the title under which every English page tells the points


class BadPage(ValueError):
    """A page of rules that is not written as agreed; the message names the line."""


@dataclass(frozen=True, slots=True)
class Article:
    """One numbered rule. when: the option and the value it depends on, or None."""

    number: str
    title: str
    text: str
    when: tuple[str, str] | None = None

    def holds(self, options: Any) -> bool:
        """Tell whether the article is in force under these options."""
        return self.when is None or str(getattr(options, self.when[0])) == self.when[1]

    def show(self, w: Words) -> str:
        """Return the article as message text, its cards as faces."""
        text = _CARDS.sub(lambda found: w.faces.show(cards(found[1])), self.text)
        return f"**{self.number} {self.title}**\n{text}"


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

    def article(self, number: str) -> Article | None:
        """Return the article with this number, or None."""
        return next((each for part in self.sections for each in part.articles if each.number == number), None)

    def under(self, options: Any) -> Book:
        """Return the book without the articles that are not in force."""
        kept = (replace(part, articles=tuple(each for each in part.articles if each.holds(options)))
                for part in self.sections)  # fmt: skip
        return replace(self, sections=tuple(part for part in kept if part.articles))


@cache
def book(game: str, locale: str = ENGLISH) -> Book:
    """Return the rules of a game in a language, in English where there are none. Raises BadPage."""
    path = PAGES / (f"{game}.md" if locale == ENGLISH else f"{game}.{locale}.md")
    return parse((path if path.exists() else PAGES / f"{game}.md").read_text(encoding="utf-8"))


def parse(text: str) -> Book:
    """Return a page as a book. Raises BadPage at the first line that is neither heading, article nor introduction."""
    title, *rest = [each for each in text.splitlines() if each.strip()]
    if not title.startswith("# "):
        raise BadPage(title)
    intro = _until_heading(rest)
    sections: list[Section] = []
    for each in rest[len(intro) :]:
        if heading := _SECTION.fullmatch(each):
            sections.append(Section(heading[1], heading[2], ()))
        else:
            sections[-1] = replace(sections[-1], articles=(*sections[-1].articles, _article(each, sections[-1])))
    return Book(title[2:], "\n".join(intro), tuple(sections))


def _until_heading(rest: list[str]) -> list[str]:
    at = next((place for place, each in enumerate(rest) if each.startswith("## ")), len(rest))
    return rest[:at]


def _article(text: str, section: Section) -> Article:
    found = _ARTICLE.fullmatch(text)
    if found is None or found[1] != f"{section.number}.{len(section.articles) + 1}":
        raise BadPage(text)
    return Article(found[1], found[2], found[3], (found[4], found[5]) if found[4] else None)


@cache
def scoring(game: str) -> str:
    """Return the number of the article that says how a hand is counted; empty where the page has none."""
    found = next((part for part in book(game).sections if part.title == _SCORING), None)
    return found.articles[0].number if found else ""
