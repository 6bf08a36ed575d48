"""The pages of rules: both languages say the same, and what is not in force is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from bot.rules.big_two import Options
from bot.rules.registry import GAMES
from bot.show.rulebook import PAGES, BadPage, book, parse, scoring
from bot.show.rules_page import page_of, rules_page
from bot.show.words import words
from tests.scenes import check_limits, every_voice, selects, texts

EVERY = pytest.mark.parametrize("game", GAMES)


@EVERY
def test_both_languages_have_the_same_sections_articles_and_conditions(game: str) -> None:
    english, chinese = book(game), book(game, "zh_CN")
    assert english.title != chinese.title
    for ours, theirs in zip(english.sections, chinese.sections, strict=True):
        assert ours.number == theirs.number
        assert [(each.number, each.when) for each in ours.articles] == [
            (each.number, each.when) for each in theirs.articles
        ]


@EVERY
def test_no_line_of_a_page_is_lost(game: str) -> None:
    for path in PAGES.glob(f"{game}*.md"):
        source = path.read_text(encoding="utf-8")
        found = parse(source)
        assert len(re.findall(r"^\*\*", source, re.MULTILINE)) == sum(len(part.articles) for part in found.sections)
        assert not any("{when" in each.text for part in found.sections for each in part.articles)


@EVERY
def test_conditions_name_options_that_exist(game: str) -> None:
    options = GAMES[game].defaults()
    for part in book(game).sections:
        assert all(hasattr(options, each.when[0]) for each in part.articles if each.when)


@dataclass
class Plain:
    lamp: str = "on"


def test_an_article_with_a_condition_is_in_force_only_where_it_holds() -> None:
    one = "## 1 One\n**1.1 A.** x {when: lamp=on}\n**1.2 B.** y\n"
    page = parse(f"# G\n\nIntro.\n\n{one}\n## 2 Two\n\n**2.1 C.** z {{when: lamp=off}}\n")
    assert [part.number for part in page.under(Plain()).sections] == ["1"]
    assert [part.number for part in page.under(Plain("off")).sections] == ["1", "2"]
    assert page.under(Plain("off")).article("1.1") is None
    assert page.intro == "Intro."


def test_the_precaution_rule_is_left_out_where_it_is_not_played() -> None:
    assert book("big_two").under(Options()).article("8.4")
    assert book("big_two").under(Options(one_card_rule="none")).article("8.4") is None


@pytest.mark.parametrize(
    "bad", ["no title", "# G\n\n## 1 One\n\nloose text", "# G\n\n## 1 One\n\n**1.2 A.** wrong number"]
)
def test_a_page_that_is_not_written_as_agreed_is_refused(bad: str) -> None:
    with pytest.raises(BadPage):
        parse(bad)


def test_an_article_is_found_by_its_number() -> None:
    found = book("big_two").article("4.10")
    assert found is not None
    assert found.title == "Flush"
    assert book("big_two", "zh_CN").article("4.10").title == "同花"  # type: ignore[union-attr]  # it is there
    assert book("big_two").article("99.1") is None


def test_the_article_on_scoring_is_found() -> None:
    assert scoring("big_two") == "7.1"


# The screen


@EVERY
def test_every_page_keeps_to_the_limits_and_together_they_hold_every_article(game: str) -> None:
    options = GAMES[game].defaults()
    for w in every_voice():
        numbers = [each.number for part in book(game, w.locale).under(options).sections for each in part.articles]
        last = page_of(game, options, numbers[-1], w)
        shown = ""
        for page in range(last + 1):
            view = rules_page(game, options, page, w, table=12)
            check_limits(view)
            shown += texts(view)
        assert [number for number in numbers if f"**{number} " not in shown] == []
        assert "`3d`" not in shown, "cards are shown as cards"


def test_an_article_is_on_its_page() -> None:
    for w in every_voice():
        view = rules_page("big_two", Options(), page_of("big_two", Options(), "4.16", w), w)
        assert "**4.16 " in texts(view)


def test_a_page_that_does_not_exist_is_the_nearest_one() -> None:
    w = words("en")
    assert texts(rules_page("big_two", Options(), -4, w)) == texts(rules_page("big_two", Options(), 0, w))
    assert "**8.9 " in texts(rules_page("big_two", Options(), 99, w))


def test_the_select_of_sections_stands_on_the_current_one() -> None:
    w = words("en")
    view = rules_page("big_two", Options(), page_of("big_two", Options(), "7.1", w), w)
    assert [each.label for each in selects(view)[0].options if each.default] == ["7 Scoring"]
