"""The pages of rules: both languages say the same, and what is not in force is left out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations, count, product
from typing import Any

import pytest
from discord import ui

from bot.club.saved_rules import first_preset
from bot.domain.ids import TableId
from bot.games import GAMES
from bot.rules.core.cards import cards
from bot.rules.core.sentences import Illegal
from bot.rules.variants.conditions import condition
from bot.rules.variants.registration import DefaultChange, RegisteredGame
from bot.rules.variants.ruleset import Ruleset
from bot.show.kit.words import Words, words
from bot.show.rulebook.articles import PAGES, BadPage, book, numbered, parse, search, snippet
from bot.show.rulebook.comparison import compare
from bot.show.rulebook.pages import (
    INTRODUCTION,
    SECTION,
    TURN,
    dashed,
    found,
    higher_form,
    in_force,
    judged,
    opened,
    rules_page,
    search_form,
)
from bot.show.rulebook.ruleset import PLAIN, ROOM, BookRules, InvalidRulesKey
from tests.support.languages import CODES, TRANSLATED
from tests.support.law_settings import is_thorough, sampled
from tests.support.scenes import check_limits, custom_ids, selects, texts, words_of_every_language

EVERY = pytest.mark.parametrize("game", GAMES)
EVERY_PRESET = pytest.mark.parametrize(
    ("game", "preset"), [(game, each) for game in GAMES for each in GAMES[game].presets]
)

EN = words("en")


def rules(preset: str = "pagat", **changes: Any) -> BookRules:
    """Return rules of Big Two."""
    return BookRules.like(Ruleset.of(GAMES["big_two"], preset, changes))


# The pages as they are written


@EVERY
@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_has_the_same_sections_articles_and_conditions(game: str, language: str) -> None:
    english, chinese = book(game), book(game, language)
    assert english.title != chinese.title
    for ours, theirs in zip(english.sections, chinese.sections, strict=True):
        assert ours.number == theirs.number
        assert [(each.number, each.when) for each in ours.articles] == [
            (each.number, each.when) for each in theirs.articles
        ]


@EVERY
def test_every_line_of_a_page_is_parsed(game: str) -> None:
    for path in PAGES.glob(f"{game}*.md"):
        source = path.read_text(encoding="utf-8")
        whole = parse(source)
        assert len(re.findall(r"^\*\*", source, re.MULTILINE)) == len(list(whole))
        assert not any("{when" in each.text for each in whole)


@EVERY
def test_conditions_name_options_and_values_that_exist(game: str) -> None:
    options = GAMES[game].sheet.options
    for article in book(game):
        for test in article.when.tests:
            assert all(options[test.name].write(options[test.name].read(value)) == value for value in test.values)


@EVERY
def test_every_card_on_a_page_is_shown_as_a_card(game: str) -> None:
    for locale in CODES:
        w = words(locale)
        for article in book(game, locale):
            assert not re.search(r"`[0-9TJQKA]{1,2}[dchs]\b", article.show(w)), article.number
            assert "`" not in article.plain()


@dataclass
class Plain:
    lamp: str = "on"
    size: int = 3


def page(*articles: str) -> str:
    return "# G\n\nIntro.\n\n## 1 One\n" + "\n".join(articles)


def test_an_article_with_a_condition_is_in_force_only_where_it_holds() -> None:
    made = parse(f"{page('**1.1 A.** x {when: lamp=on}', '**1.2 B.** y')}\n## 2 Two\n\n**2.1 C.** z {{when: lamp!=on}}")
    assert [part.number for part in made.under(Plain()).sections] == ["1"]
    assert [part.number for part in made.under(Plain("off")).sections] == ["1", "2"]
    assert made.under(Plain("off")).article("1.1") is None
    assert made.intro == "Intro."


def test_option_articles_keep_their_own_numbers_and_positions() -> None:
    made = parse(
        page("**1.1 A.** x", "**C10.2 B.** y {when: lamp=on, size=3|4}", "**C9.9 C.** z", "**1.2 D.** `1d 15s`")
    )
    assert [each.number for each in made] == ["1.1", "C10.2", "C9.9", "1.2"]
    (with_condition,) = (each for each in made if each.number == "C10.2")
    assert with_condition.when == condition("lamp=on, size=3|4")
    assert made.article("1.2").plain() == "1♢ 15♠\ufe0e"  # type: ignore[union-attr]  # it is there


def test_code_spans_without_cards_stay_unchanged() -> None:
    (only,) = parse(page("**1.1 A.** Say `/play` or `B2:hk`."))
    assert only.show(EN) == "**1.1 A**\nSay `/play` or `B2:hk`."


@pytest.mark.parametrize(
    "bad",
    [
        "no title",
        page("loose text"),
        page("**1.2 A.** wrong number"),
        page("**1.1 A.** x", "**C1.1 A.** y", "**C1.1 A.** y again"),
        page("**1.1 A.** x", "**1.3 A.** one is missing"),
        page("**1.1 A.** x {when: lamp}"),
    ],
)
def test_a_malformed_page_is_refused(bad: str) -> None:
    with pytest.raises(BadPage):
        parse(bad)


def test_an_article_is_found_by_its_number() -> None:
    flush = book("big_two").article("4.10")
    assert flush is not None
    assert "lush" in flush.title
    assert "同花" in book("big_two", "zh_CN").article("4.10").title  # type: ignore[union-attr]  # it is there
    assert book("big_two").article("99.1") is None


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("4.10", "4.10"),
        (" (4.10) ", "4.10"),
        ("A4.10", "4.10"),
        ("c10.2", "C10.2"),
        ("（4.10）", "4.10"),
        ("C9-2", "C9.2"),
    ],
)
def test_article_numbers_are_read_as_typed(typed: str, number: str) -> None:
    assert numbered(typed) == number


@pytest.mark.parametrize(
    ("rank", "there", "gone"),
    [("suit_first", "4.10", "C10.2"), ("top_card", "C10.2", "4.10"), ("all_ranks", "C10.3", "4.10")],
)
def test_the_rules_describe_flushes_as_compared(rank: str, there: str, gone: str) -> None:
    here = rules(flush_rank=rank)
    assert in_force(here, EN).article(there)
    assert in_force(here, EN).article(gone) is None
    assert book("big_two").instead(gone, here.options).number == there  # type: ignore[union-attr]  # one is


def test_the_precaution_rule_is_omitted_when_disabled() -> None:
    assert in_force(rules(), EN).article("8.4")
    assert in_force(rules(one_card_rule="none"), EN).article("8.4") is None


# The screens


def pages(here: BookRules, w: Words) -> list[str]:
    """Turn from the introduction to the last page; return what each says."""
    at, shown = INTRODUCTION, []
    while True:
        view = rules_page(here, numbered(at), w)
        check_limits(view)
        shown.append(texts(view))
        following = [each.split(":")[-1] for each in custom_ids(view) if each.startswith(f"bv:{TURN}:")][1]
        if following == at:
            return shown
        assert len(shown) < 60
        at = following


@pytest.mark.rotates(3)
@EVERY_PRESET
def test_rule_pages_keep_within_limits_and_cover_all_articles(game: str, preset: str) -> None:
    here = BookRules(GAMES[game], preset)
    for w in words_of_every_language():
        told = pages(here, w)
        there = [each.number for each in in_force(here, w)]
        assert [number for number in there if sum(f"**{number} " in each for each in told) != 1] == []
        gone = {each.number for each in book(game, w.locale)} - set(there)
        assert [number for number in gone if any(f"**{number} " in each for each in told)] == []
        assert all(w(GAMES[game].sheet.presets[preset].title) in each for each in told)


@pytest.mark.rotates(3)
@EVERY_PRESET
def test_the_select_of_sections_leads_to_each(game: str, preset: str) -> None:
    here = BookRules(GAMES[game], preset)
    (sections,) = selects(rules_page(here, "", EN))
    assert sections.custom_id.startswith(f"bv:{SECTION}:")
    assert [each.label for each in sections.options if each.default] == ["Introduction"]
    for choice in sections.options[1:]:
        view = rules_page(here, numbered(choice.value), EN)
        assert f"### {choice.label}" in texts(view)
        assert [each.label for each in selects(view)[0].options if each.default] == [choice.label]


def test_an_article_is_on_its_page() -> None:
    for w in words_of_every_language():
        assert "**4.16 " in texts(rules_page(rules(), "4.16", w))


def test_the_introduction_names_the_rules_and_their_code() -> None:
    here = rules("hong_kong", stake=5, straight_scheme="ace_low")
    told = texts(rules_page(here, "", EN))
    assert "Hong Kong, but " in told
    assert "`B2:hk+straights=ace_low,stake=5`" in told


def test_many_changes_fit_the_introduction() -> None:
    rng = random.Random("changes")
    for _ in range(20 if is_thorough() else 10):
        here = replace(anything(rng), table=TableId(12), number=3)
        for w in words_of_every_language():
            view = rules_page(here, "", w, notice="Some notice.")
            check_limits(view)
            assert len(here.changes) <= 20 or w.n("{n} more", "{n} more", len(here.changes) - 20) in texts(view)


def test_an_inapplicable_article_is_reported_with_the_applicable_one() -> None:
    told = texts(opened(rules("hong_kong"), "(4.10)", EN))
    assert told.startswith("4.10 (")
    assert "doesn't apply here" in told.splitlines()[0]
    assert told.splitlines()[1] == "> **4.10 Flush**"
    assert "See C10.2 instead." in told
    assert "**C10.2 " in told


@pytest.mark.rotates(3)
@EVERY_PRESET
def test_every_article_can_be_opened(game: str, preset: str) -> None:
    """In one language or the other, by turns, a third of the articles under each preset.

    Both have the same articles, which another test says.
    """
    here, voices = BookRules(GAMES[game], preset), words_of_every_language()[1:4:2]
    articles = list(book(game))
    for at, article in enumerate(articles if is_thorough() else articles[len(preset) % 3 :: 3], len(preset)):
        for w in voices if is_thorough() else voices[at % 2 :][:1]:
            view = opened(here, article.number, w)
            check_limits(view)
            assert f"**{article.number} " in texts(view)


def test_a_missing_article_is_reported() -> None:
    told = texts(opened(rules(), "99.1", EN))
    assert told.startswith("These rules have no article 99.1. They start here:")
    assert "### " not in told


# Finding


def test_search_matches_as_many_words_as_possible_titles_first() -> None:
    made = parse(page("**1.1 Pairs.** Never a flush.", "**1.2 A Flush.** Five of a suit.", "**1.3 C.** A pair."))
    assert [each.number for each in search(made, "FLUSH")] == ["1.2", "1.1"]
    assert [each.number for each in search(made, "pair flush")] == ["1.1"]
    assert [each.number for each in search(made, "flush dragon")] == ["1.2", "1.1"]
    assert search(made, "dragon") == []
    assert search(made, "   ") == []


def test_search_finds_chinese_substrings_and_card_symbols() -> None:
    made = parse(page("**1.1 同花顺。** 五张 `9s 8s`", "**1.2 别的。** 同花"))
    for words_in_it in ("同花", "花"):  # where one character is a word
        assert [each.number for each in search(made, words_in_it)] == ["1.1", "1.2"]
    assert [each.number for each in search(made, "9♠")] == ["1.1"]
    assert [each.number for each in search(made, "9s")] == ["1.1"]


def test_a_snippet_shows_the_word() -> None:
    (long,) = parse(page(f"**1.1 A.** {'word ' * 50}needle {'word ' * 50}"))
    said = snippet(long, "NEEDLE")
    assert "needle" in said
    assert len(said) <= 90
    assert said.startswith("…word")


@pytest.mark.rotates(3)
@EVERY_PRESET
def test_search_results_are_in_force_and_within_limits(game: str, preset: str) -> None:
    here = BookRules(GAMES[game], preset)
    for w, wanted in sampled(
        [*product(words_of_every_language(), ("card", "牌", "a", "4.3", "no such words", "*_`"))], 5
    ):
        view = found(here, wanted, w)
        check_limits(view)
        for each in selects(view)[0].options:
            assert each.value == INTRODUCTION or in_force(here, w).article(numbered(each.value))


def test_hits_can_be_opened() -> None:
    view = found(rules("hong_kong"), "flush", EN)
    (hits,) = selects(view)
    assert 2 <= len(hits.options) <= 10
    assert hits.options[0].label.startswith("C10.2 ")
    assert "**C10.2 " in texts(rules_page(rules("hong_kong"), numbered(hits.options[0].value), EN))


def test_search_results_are_limited() -> None:
    view = found(rules(), "card", EN)
    assert len(selects(view)[0].options) == 10
    assert "more articles have these words" in texts(view)


def test_a_search_without_results_lists_the_sections() -> None:
    view = found(rules(), "xyzzy", EN)
    assert "No article has the words xyzzy." in texts(view)
    assert len(selects(view)[0].options) > 5


# Which is higher

PLAYS = [
    cards(each)
    for each in (
        "3d",
        "2s",
        "3d 3c",
        "2h 2s",
        "4d 4c 4h",
        "As Ah Ad",
        "3d 4c 5h 6s 7d",
        "Ad 2s 3h 4s 5d",
        "Td Jd Qh Kh As",
        "3c 5c 7c 9c Jc",
        "2h 4h 6h 8h Th",
        "5d 5c 5h 8d 8c",
        "9d 9c 9h 9s",
        "9d 9c 9h 9s 3d",
        "4s 5s 6s 7s 8s",
        "Th Jh Qh Kh Ah",
        "4s 5s 6s 7s 8s 2d 2c",
        "Td Jd Qd Kd Ad 3c 3h",
        "3d 4d",
        "3d 3c 3h 4d",
        "Qd Kd As 2s 3s",
    )
]


@pytest.mark.rotates(3)
@EVERY_PRESET
def test_any_two_plays_are_compared_with_articles_in_force(game: str, preset: str) -> None:
    here = BookRules(GAMES[game], preset)
    there = {each.number for each in in_force(here, EN)}
    for one, other in combinations([each for each in PLAYS if set(each) <= set(here.rules.pack)], 2):
        verdict = compare(here.rules, one, other, EN)
        assert verdict.articles
        assert set(verdict.articles) <= there, verdict.said
        assert set(verdict.said.splitlines()) == set(compare(here.rules, other, one, EN).said.splitlines())
        decided = here.rules.compare(one, other) is None or here.rules.compare(other, one) is None
        assert decided == (" beats " in re.sub(": [^.]*", "", verdict.said).removeprefix("Neither beats"))


def test_verdicts_cite_articles_in_force_under_any_rules() -> None:
    rng = random.Random("verdicts")
    for _ in range(60 if is_thorough() else 20):
        here = anything(rng)
        there = {each.number for each in in_force(here, EN)}
        for one, other in combinations([each for each in PLAYS if set(each) <= set(here.rules.pack)], 2):
            verdict = compare(here.rules, one, other, EN)
            assert set(verdict.articles) <= there, (here.code, verdict.said)


def test_the_longest_verdicts_and_the_forms_fit() -> None:
    here, pairs = replace(rules("indonesia"), table=TableId(12)), list(combinations(PLAYS, 2))
    turns = (pairs[turn::6] for turn in count())
    for w in words_of_every_language():
        for one, other in pairs if is_thorough() else next(turns):
            check_limits(judged(here, compare(here.rules, one, other, w), w))


@pytest.mark.parametrize("make", [search_form, higher_form])
def test_rule_forms_keep_within_limits_and_are_not_cached(make: Callable[[tuple[str, ...], Words], ui.Modal]) -> None:
    for w in words_of_every_language():
        form = make(("big_two", "x" * ROOM), w)
        assert form.is_finished(), "discord.py would keep this form"
        assert len(form.title) <= 45
        assert len(form.custom_id) <= 100
        for label in form.children:
            assert isinstance(label, ui.Label)
            assert 1 <= len(label.text) <= 45
            assert 1 <= len(label.description or "") <= 100


# Addresses


def anything(rng: random.Random) -> BookRules:
    """Return rules with any number of options changed, also to values that are not among the choices."""
    game = GAMES["big_two"]
    odd = {"stake": 17, "target": 4321, "deals": 33, "diff_bands": ((1, 2), (5, 3)), "places_points": (9, 4, 1, 0, 0)}
    picked = {
        name: rng.choice(option.choices).value for name, option in game.sheet.options.items() if rng.random() < 0.5
    }
    while True:
        try:
            return BookRules.like(Ruleset.of(GAMES["big_two"], rng.choice(list(game.presets)), {**odd, **picked}))
        except Illegal:
            picked.pop(rng.choice(list(picked)))


def test_custom_ids_can_name_any_rules() -> None:
    rng = random.Random("addresses")
    for _ in range(300 if is_thorough() else 50):
        here = anything(rng)
        assert BookRules.read("big_two", here.key) == here
        assert len(here.key) <= ROOM
        check_limits(rules_page(here, "4.16", EN))


def test_custom_ids_name_plain_presets() -> None:
    for preset in GAMES["big_two"].presets:
        assert rules(preset).key == preset
        assert BookRules.read("big_two", preset) == rules(preset)
    assert BookRules.read("big_two", "0") == rules()
    assert replace(rules(), table=TableId(12)).key == "12"


@pytest.mark.parametrize(
    ("known", "change"),
    [pytest.param(game, change, id=change.option) for game in GAMES.values() for change in game.default_changes],
)
def test_a_preset_named_alone_has_its_former_defaults(known: RegisteredGame, change: DefaultChange) -> None:
    for preset in known.presets:
        assert BookRules.read(known.name, preset).value(change.option) == change.before
        today = BookRules.like(Ruleset.of(known, preset))
        assert today.value(change.option) != change.before
        assert BookRules.read(known.name, today.key) == today
    assert BookRules.read(known.name, PLAIN) == BookRules.like(first_preset(known.name))


@pytest.mark.parametrize("key", ["", "no_such", "-0000-12", "-xyz", "-", "12-"])
def test_custom_ids_of_other_versions_are_refused(key: str) -> None:
    with pytest.raises(InvalidRulesKey):
        BookRules.read("big_two", key)
    with pytest.raises(InvalidRulesKey):
        BookRules.read("no_such_game", "0")


def test_the_longest_value_scale_fits_a_custom_id() -> None:
    for preset, ranks in (("pagat", 13), ("lectio_tiles", 15)):
        here = rules(preset, scoring="card_values", value_scale=tuple(range(100 - ranks, 100)))
        assert BookRules.read("big_two", here.key) == here


def test_rules_too_long_for_a_custom_id_are_refused() -> None:
    table = tuple((cards, cards * 10) for cards in range(1, 10))
    with pytest.raises(InvalidRulesKey):
        assert rules(bands=table, diff_bands=table).key


def test_article_numbers_are_dashed_in_custom_ids() -> None:
    assert [dashed(each) for each in ("4.10", "C9.2")] == ["4-10", "C9-2"]
