"""The screen of the rules: one page of articles, with buttons to turn it and a select of sections.

Knows how much fits on a page; refuses to know the rules themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from discord import ui

from bot.show.ids import Browse
from bot.show.layout import OPTIONS, Accent, Row, button, option, row, screen, select
from bot.show.rulebook import Article, Section, book
from bot.show.words import Words

PAGE = 3000  # characters of articles: what is comfortable to scroll, and safely under Discord's limit
RULES, SECTION = "rules", "section"  # the verbs: open this page; open the page that was chosen


@dataclass(frozen=True, slots=True)
class Page:
    """One page: part of a section. first: whether the section begins here."""

    section: Section
    articles: tuple[Article, ...]
    first: bool


def rules_page(
    game: str, options: Any, page: int, w: Words, *, table: int = 0, notice: str | None = None
) -> ui.LayoutView:
    """Return a page (from 0; the nearest there is) of the rules in force under these options.

    table: goes into the addresses, so that a click finds the same options again; 0 for the plain game.
    notice: a sentence to put first, ready for a message.
    """
    pages = _pages(game, options, w)
    at = min(max(page, 0), len(pages) - 1)
    rules = book(game, w.locale)
    return screen(
        Accent.BOOK,
        notice,
        f"## {rules.title}",
        rules.intro if at == 0 else None,
        f"### {pages[at].section.number} {pages[at].section.title}",
        "\n\n".join(article.show(w) for article in pages[at].articles),
        _turn(game, table, at, len(pages), w),
        _sections(game, table, at, pages, w),
    )


def page_of(game: str, options: Any, article: str, w: Words) -> int:
    """Return the page on which an article stands; the first page for one that is not in force."""
    pages = _pages(game, options, w)
    found = (at for at, page in enumerate(pages) for each in page.articles if each.number == article)
    return next(found, 0)


def _pages(game: str, options: Any, w: Words) -> list[Page]:
    return [page for section in book(game, w.locale).under(options).sections for page in _split(section, w)]


def _split(section: Section, w: Words) -> Iterator[Page]:
    """Yield a section in as many pages as it needs."""
    taken: list[Article] = []
    first = True
    for article in section.articles:
        if taken and _size((*taken, article), w) > PAGE:
            yield Page(section, tuple(taken), first)
            taken, first = [], False
        taken.append(article)
    yield Page(section, tuple(taken), first)


def _size(articles: Iterable[Article], w: Words) -> int:
    return sum(len(article.show(w)) + 2 for article in articles)


def _turn(game: str, table: int, at: int, count: int, w: Words) -> Row | None:
    return row(
        button(w("Previous"), Browse.to(RULES, game, table, at - 1), disabled=at == 0),
        button(w("Next"), Browse.to(RULES, game, table, at + 1), disabled=at == count - 1),
    )


def _sections(game: str, table: int, at: int, pages: list[Page], w: Words) -> Row | None:
    """The select of sections; its values are pages."""
    here = pages[at].section
    options = [
        option(f"{page.section.number} {page.section.title}", str(number), default=page.section == here)
        for number, page in enumerate(pages)
        if page.first
    ]
    return select(Browse.to(SECTION, game, table), w("Go to a section"), options[:OPTIONS])
