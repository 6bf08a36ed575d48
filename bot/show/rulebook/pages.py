"""The screens of the rules: an introduction, pages of articles, what a search found, and which of two plays is higher.

Knows how much fits on a page; refuses to know the rules themselves. A page is addressed by an article on it, so that
it is found again whatever language and pictures the reader has meanwhile.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from discord import ui

from bot.show.kit.back_button import back
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    button,
    fitted,
    line,
    lines,
    option,
    row,
    screen,
    select,
    small,
)
from bot.show.kit.words import Said, Words, join
from bot.show.rulebook.articles import Article, Book, Section, book, numbered
from bot.show.rulebook.comparison import Verdict
from bot.show.rulebook.deal_check import CHECK
from bot.show.rulebook.ruleset import BookRules
from bot.show.rulebook.search import search, snippet

PAGE = 3000  # characters of articles: what is comfortable to scroll, and safely under Discord's limit
HITS = 10  # articles found that are listed at once
CHANGES, CHANGES_FIRST = 3, 20  # how many points in which rules differ from their preset a page names
CODE, CODE_FIRST = 80, 700  # characters of a rule code that a page shows
SECTIONS = 24  # in the select, beside the introduction
INTRODUCTION = "0"  # in the place of an article's number
ARTICLE = "article"  # the verb by which other screens open the rules at an article: game, table (or 0), article
# The verbs of these screens: turn to a page; to the article chosen; ask for words, for two plays.
TURN, SECTION, SEARCH, HIGHER = "rules", "section", "search", "higher"


@dataclass(frozen=True, slots=True)
class Page:
    """One page: part of a section, or with None the introduction. first: whether the section begins here."""

    section: Section | None
    articles: tuple[Article, ...] = ()
    first: bool = False

    @property
    def address(self) -> str:
        """The number of the article it begins with, as addresses have it."""
        return dashed(self.articles[0].number) if self.articles else INTRODUCTION


def dashed(number: str) -> str:
    """Return the number of an article as an address may have it; ``numbered`` reads it."""
    return number.replace(".", "-")


def in_force(rules: BookRules, w: Words) -> Book:
    """Return the book of the game in the reader's language, without the articles that do not apply."""
    return _under(rules.game, w.locale, rules.options)


@lru_cache(maxsize=64)  # people turn the pages of few books
def _under(game: str, locale: str, options: Hashable) -> Book:
    return book(game, locale).under(options)


def rules_page(rules: BookRules, article: str, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return the page on which an article stands; the introduction where none of this number is in force.

    notice: a sentence to put first, ready for a message.
    """
    return PrivateScreen(fitted(lambda v: _page(rules, article, v, notice), w))


def opened(rules: BookRules, typed: str, w: Words) -> PrivateScreen:
    """Return the page of an article as somebody typed its number.

    Where it is not in force, that is said, it is quoted, and the page is that of what is in its place.
    """
    number, whole = numbered(typed), book(rules.game, w.locale)
    article = whole.article(number)
    if article is None or article.when.holds(rules.options):
        missing = w("These rules have no article {article}. They begin here:", article=typed.strip())
        return rules_page(rules, number, w, None if article else missing)
    other = whole.instead(number, rules.options)
    said = w(
        "{article} ({title}) does not apply here, for here it is: {said}.",
        article=number,
        title=Said(article.title),
        said=rules.say(article.against(rules.options), w),
    )
    way = w("See {article} instead.", article=other.number) if other else None
    quoted = "\n".join(f"> {text}" for text in article.show(w).splitlines())
    return rules_page(rules, other.number if other else "", w, lines(said, quoted, way))


def found(rules: BookRules, wanted: str, w: Words) -> PrivateScreen:
    """Return the articles in which these words stand; for a number its page, and the introduction for nothing."""
    if book(rules.game, w.locale).article(numbered(wanted)):
        return opened(rules, wanted, w)
    hits = search(in_force(rules, w), wanted)
    if not hits:
        said = w("Nothing in these rules has the words {words}. These are the sections:", words=wanted)
        return rules_page(rules, "", w, said)
    return PrivateScreen(fitted(lambda v: _hits(rules, hits, wanted, v), w))


def judged(rules: BookRules, verdict: Verdict, w: Words) -> PrivateScreen:
    """Return which of two plays is higher, with the articles that say so in full."""
    return PrivateScreen(fitted(lambda v: _judged(rules, verdict, v), w))


# Pages


def _page(rules: BookRules, article: str, w: Words, notice: str | None) -> ui.LayoutView:
    pages = _pages(in_force(rules, w), w)
    at = next((at for at, page in enumerate(pages) for known in page.articles if known.number == article), 0)
    return screen(
        Accent.BOOK,
        notice,
        *(_head(rules, pages[at], w) if at else _introduction(rules, w)),
        _turn(rules, pages, at, w),
        _sections(rules, pages, at, w),
        _cards(rules, w),
    )


def _pages(rules: Book, w: Words) -> list[Page]:
    return [Page(None), *(page for section in rules.sections for page in _split(section, w))]


def _split(section: Section, w: Words) -> Iterator[Page]:
    """Yield a section in as many pages as it needs."""
    taken: list[Article] = []
    room, first = PAGE, True
    for article in section.articles:
        size = len(article.show(w)) + 2
        if taken and size > room:
            yield Page(section, tuple(taken), first)
            taken, room, first = [], PAGE, False
        taken.append(article)
        room -= size
    yield Page(section, tuple(taken), first)


def _head(rules: BookRules, page: Page, w: Words) -> list[Block]:
    """Whose rules these are, the section, and its articles."""
    assert page.section is not None
    return [
        small(_whose(rules, CHANGES, CODE, w)),
        f"### {page.section.number} {page.section.title}",
        "\n\n".join(article.show(w) for article in page.articles),
    ]


def _introduction(rules: BookRules, w: Words) -> list[Block]:
    """What the game is, whose rules these are, and the sections there are."""
    here = in_force(rules, w)
    contents = [f"{part.number}\\. {part.title}" for part in here.sections]
    return [
        f"## {here.title}",
        _whose(rules, CHANGES_FIRST, CODE_FIRST, w),
        line(),
        here.intro or None,
        lines(w("**Sections**"), *contents),
        small(w("Only the articles that apply under these rules are shown.")),
    ]


def _whose(rules: BookRules, most: int, room: int, w: Words) -> Said:
    """The table or game, its rules in words, and their code where it is not too long."""
    said = w("**{title}**: {rules}", title=rules.title(w), rules=rules.said(w, most))
    return join((said, Said(f"`{rules.code}`") if len(rules.code) <= room else Said()), "\n")


# Controls


def _to(verb: str, rules: BookRules, *rest: str) -> Browse:
    return Browse.to(verb, rules.game, rules.key, *rest)


def _turn(rules: BookRules, pages: list[Page], at: int, w: Words) -> Row | None:
    last = len(pages) - 1
    before, after = pages[max(at - 1, 0)], pages[min(at + 1, last)]
    return row(
        button(w("Previous"), _to(TURN, rules, before.address), disabled=at == 0),
        button(w("Next"), _to(TURN, rules, after.address), disabled=at == last),
        *_questions(rules, w),
        button(w(CHECK), Press(rules.table, Verb.CHECK)) if rules.table else None,
    )


def _questions(rules: BookRules, w: Words) -> tuple[ui.Button[Any], ui.Button[Any]]:
    search_for, compare_two = _to(SEARCH, rules), _to(HIGHER, rules)
    return button(w("Search"), search_for, emoji="🔎"), button(w("Which is higher?"), compare_two, emoji="⚖️")


def _cards(rules: BookRules, w: Words) -> Row | None:
    return row(back(rules.table, w) if rules.table is not None and rules.dealt else None)


def _sections(rules: BookRules, pages: list[Page], at: int, w: Words) -> Row | None:
    """The select of sections; its values are the articles they begin with."""
    here = pages[at].section
    options = [
        option(f"{page.section.number} {page.section.title}", page.address, default=page.section == here)
        for page in pages
        if page.first and page.section
    ]
    start = option(w("Introduction"), INTRODUCTION, default=here is None)
    return select(_to(SECTION, rules), w("Go to a section"), [start, *options[:SECTIONS]])


# What was found, what was judged


def _hits(rules: BookRules, hits: list[Article], wanted: str, w: Words) -> ui.LayoutView:
    shown = hits[:HITS]
    options = [option(f"{hit.number} {hit.title}", dashed(hit.number), snippet(hit, wanted)) for hit in shown]
    more = w.n(
        "{n} more article has these words. Add a word to find fewer.",
        "{n} more articles have these words. Add a word to find fewer.",
        len(hits) - HITS,
    )
    return screen(
        Accent.BOOK,
        lines(w("## Found: {words}", words=wanted), small(_whose(rules, CHANGES, CODE, w))),
        "\n".join(f"**{hit.number} {hit.title}**\n{small(snippet(hit, wanted))}" for hit in shown),
        small(more) if len(hits) > HITS else None,
        select(_to(SECTION, rules), w("Go to an article"), options),
        _back(rules, INTRODUCTION, w),
        _cards(rules, w),
    )


def _judged(rules: BookRules, verdict: Verdict, w: Words) -> ui.LayoutView:
    here = in_force(rules, w)
    articles = [article for number in verdict.articles if (article := here.article(number))]
    return screen(
        Accent.BOOK,
        lines(w("## Which is higher?"), small(_whose(rules, CHANGES, CODE, w))),
        verdict.said,
        line(),
        "\n\n".join(article.show(w) for article in articles) or None,
        _back(rules, dashed(articles[0].number) if articles else INTRODUCTION, w),
        _cards(rules, w),
    )


def _back(rules: BookRules, article: str, w: Words) -> Row | None:
    return row(button(w("Open the rules"), _to(TURN, rules, article)), *_questions(rules, w))
