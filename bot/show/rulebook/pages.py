"""The screens of the rules: articles, search, comparisons, and reasons of refusals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from discord import ui

from bot.rules.core.sentences import Illegal
from bot.show.kit import phrases
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.forms import Field, form
from bot.show.kit.layout import (
    Accent,
    Block,
    PrivateScreen,
    Row,
    back_to_hand,
    button,
    cut,
    fitted,
    line,
    lines,
    option,
    private,
    row,
    screen,
    select,
    small,
)
from bot.show.kit.words import MessageText, Words, join
from bot.show.rulebook.articles import Article, Book, Section, book, numbered, search, snippet
from bot.show.rulebook.comparison import Verdict
from bot.show.rulebook.deal_check import CHECK
from bot.show.rulebook.ruleset import BookRules

PAGE = 3000  # characters of articles: comfortable to scroll, and safely under Discord's limit
HITS = 10  # the most search results listed
CHANGES, CHANGES_FIRST = 3, 20  # the most changed rules listed on a page, and on the introduction
CODE, CODE_FIRST = 80, 700  # characters of the longest rule code shown on a page, and on the introduction
SECTIONS = 24  # in the select, beside the introduction
INTRODUCTION = "0"  # in place of an article's number
ARTICLE = "article"  # the verb that opens the rules at an article: game, table (or 0), article
# The verbs of these screens: show a page; show the chosen article; ask for search words; ask for two plays.
TURN, SECTION, SEARCH, HIGHER = "rules", "section", "search", "higher"


@dataclass(frozen=True, slots=True)
class RulebookPage:
    """A page: part of a section, or the introduction (None).

    first: whether the section begins here.
    """

    section: Section | None
    articles: tuple[Article, ...] = ()
    first: bool = False

    @property
    def address(self) -> str:
        """The number of the page's first article, as in custom ids."""
        return dashed(self.articles[0].number) if self.articles else INTRODUCTION


def dashed(number: str) -> str:
    """Return the number of an article as in custom ids; ``numbered`` reads it."""
    return number.replace(".", "-")


def in_force(rules: BookRules, w: Words) -> Book:
    """Return the book of the game in the viewer's language, without the articles out of force."""
    return _under(rules.game, w.locale, rules.options)


@lru_cache(maxsize=64)  # few books are open at the same time
def _under(game: str, locale: str, options: Hashable) -> Book:
    return book(game, locale).under(options)


def rules_page(rules: BookRules, article: str, w: Words, notice: str | None = None) -> PrivateScreen:
    """Return the page of an article; the introduction if no such article is in force.

    notice: a sentence to put first, ready for a message.
    """
    return PrivateScreen(fitted(lambda v: _page(rules, article, v, notice), w))


def opened(rules: BookRules, typed: str, w: Words) -> PrivateScreen:
    """Return the page of an article with a typed number.

    An article out of force is quoted with the reason, above the page of the article in its place.
    """
    number, whole = numbered(typed), book(rules.game, w.locale)
    article = whole.article(number)
    if article is None or article.when.holds(rules.options):
        missing = w("These rules have no article {article}. They start here:", article=typed.strip())
        return rules_page(rules, number, w, None if article else missing)
    other = whole.instead(number, rules.options)
    sentence = w(
        "{article} ({title}) doesn't apply here, because here it's: {said}.",
        article=number,
        title=MessageText(article.title),
        said=rules.say(article.against(rules.options), w),
    )
    way = w("See {article} instead.", article=other.number) if other else None
    quoted = "\n".join(f"> {text}" for text in article.show(w).splitlines())
    return rules_page(rules, other.number if other else "", w, lines(sentence, quoted, way))


def found(rules: BookRules, wanted: str, w: Words) -> PrivateScreen:
    """Return the articles with these words, or the page of an article number.

    Without results, return the introduction.
    """
    if book(rules.game, w.locale).article(numbered(wanted)):
        return opened(rules, wanted, w)
    hits = search(in_force(rules, w), wanted)
    if not hits:
        text = w("No article has the words {words}. These are the sections:", words=wanted)
        return rules_page(rules, "", w, text)
    return PrivateScreen(fitted(lambda v: _hits(rules, hits, wanted, v), w))


def judged(rules: BookRules, verdict: Verdict, w: Words) -> PrivateScreen:
    """Return the comparison of two plays, with the deciding articles in full."""
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


def _pages(rules: Book, w: Words) -> list[RulebookPage]:
    return [RulebookPage(None), *(page for section in rules.sections for page in _split(section, w))]


def _split(section: Section, w: Words) -> Iterator[RulebookPage]:
    """Yield the pages of a section."""
    taken: list[Article] = []
    room, first = PAGE, True
    for article in section.articles:
        size = len(article.show(w)) + 2
        if taken and size > room:
            yield RulebookPage(section, tuple(taken), first)
            taken, room, first = [], PAGE, False
        taken.append(article)
        room -= size
    yield RulebookPage(section, tuple(taken), first)


def _head(rules: BookRules, page: RulebookPage, w: Words) -> list[Block]:
    """Return the rules in short, the section, and its articles."""
    assert page.section is not None
    return [
        small(_whose(rules, CHANGES, CODE, w)),
        f"### {page.section.number} {page.section.title}",
        "\n\n".join(article.show(w) for article in page.articles),
    ]


def _introduction(rules: BookRules, w: Words) -> list[Block]:
    """Return what the game is, the rules in short, and the list of sections."""
    here = in_force(rules, w)
    contents = [f"{part.number}\\. {part.title}" for part in here.sections]
    return [
        f"## {here.title}",
        _whose(rules, CHANGES_FIRST, CODE_FIRST, w),
        line(),
        here.intro or None,
        lines(w("**Sections**"), *contents),
        small(w("Only articles that apply under these rules are shown.")),
    ]


def _whose(rules: BookRules, most: int, room: int, w: Words) -> MessageText:
    """Return the table or game, its rules in words, and their code unless too long."""
    text = w("**{title}**: {rules}", title=rules.title(w), rules=rules.said(w, most))
    return join((text, MessageText(f"`{rules.code}`") if len(rules.code) <= room else MessageText()), "\n")


# Controls


def _to(verb: str, rules: BookRules, *rest: str) -> Browse:
    return Browse.to(verb, rules.game, rules.key, *rest)


def _turn(rules: BookRules, pages: list[RulebookPage], at: int, w: Words) -> Row | None:
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
    return row(back_to_hand(rules.table, w) if rules.table is not None and rules.dealt else None)


def _sections(rules: BookRules, pages: list[RulebookPage], at: int, w: Words) -> Row | None:
    """Return the select of sections; each value is the first article of a section."""
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


WORDS, FIRST, SECOND = "words", "first", "second"  # the fields


def search_form(whose: tuple[str, ...], w: Words) -> ui.Modal:
    """Return the form that asks for words or an article's number.

    whose: game and key of the rules, see BookRules.
    """
    hint = w("Words such as flush, or the number of an article such as 4.10")
    return form(Browse(SEARCH, whose), w("Search the rules"), Field(WORDS, w("Search for"), hint=hint))


def higher_form(whose: tuple[str, ...], w: Words) -> ui.Modal:
    """Return the form that asks for two plays. whose: as in :func:`search_form`."""
    hint = w("Cards such as 9s 7s 6s 5s 3s")
    fields = Field(FIRST, w("One play"), hint=hint), Field(SECOND, w("The other play"), hint=hint)
    return form(Browse(HIGHER, whose), w("Which is higher?"), *fields)


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
