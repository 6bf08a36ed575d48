"""The rule page of Big Two against the game, under many options: true examples, existing articles."""

import random
import re
from functools import cache
from itertools import product

import pytest

from bot.games import GAMES
from bot.rules.big_two import BigTwo
from bot.rules.core.cards import cards
from bot.rules.core.sentences import Illegal
from bot.show.rulebook.articles import Article, book
from tests.rules.positions import rules
from tests.support.law_settings import is_thorough

SHAPE = (
    "suit_order",
    "triples",
    "flushes",
    "quads_form",
    "sf_form",
    "bare_suited_run",
    "straight_scheme",
    "promoted_two_decides",
    "flush_rank",
    "five_order",
    "full_house_beats_straight",
    "honours_beat",
)
MIXTURES = 40 if is_thorough() else 10
EXAMPLE = re.compile(r"`([^`]+)`,? beats `([^`]+)`(?:, and that in turn beats `([^`]+)`)?")


@cache
def played() -> tuple[BigTwo, ...]:
    """Return the game under every preset, under the standard with one option changed, and under some mixtures."""
    sheet, rng = GAMES["big_two"].sheet.options, random.Random(2)
    choices = {name: [choice.value for choice in sheet[name].choices] for name in SHAPE}
    changes = [{name: value} for name, values in choices.items() for value in values]
    changes += [{name: rng.choice(values) for name, values in choices.items()} for _ in range(MIXTURES)]
    return (*map(rules, GAMES["big_two"].presets), *(rules("pagat", **each) for each in changes))


def examples(article: Article) -> set[tuple[str, str]]:
    """Return what the article says of plays: the first beats the second."""
    found = set()
    for high, low, lowest in EXAMPLE.findall(article.text):
        found |= {(high, low)} | ({(low, lowest)} if lowest else set())
    return found


def test_the_examples_are_found() -> None:
    found = {article.number: examples(article) for article in book("big_two")}
    assert found["4.2"] == {("3h", "3c")}
    assert len(found["4.3"]) == len(found["4.10"]) == len(found["C11.5"]) == 2
    assert sum(map(bool, found.values())) >= 20


def test_the_examples_of_the_page_hold_in_every_preset() -> None:
    told = set()
    for game in played():
        for article in book("big_two").under(game.options):
            for high, low in examples(article):
                assert game.compare(cards(high), cards(low)) is None, (article.number, game.options)
                assert game.compare(cards(low), cards(high)) is not None, (article.number, game.options)
                told.add(article.number)
    assert told == {article.number for article in book("big_two") if examples(article)}


TRIED = (
    "3d",
    "2s",
    "3d 3c",
    "3d 4c",
    "3d 3d",
    "2d 2c 2h",
    "3d 3c 4h",
    "3d 3c 3h 3s",
    "7d 7c 7h 7s",
    "3d 3c 3h 4s",
    "3d 4c 5h 6s",
    "Ad 2s 3d 4c 5d",
    "As 2c 3s 4h 5s",
    "2d 3s 4d 5c 6d",
    "2s 3c 4s 5h 6s",
    "Th Js Qs Ks As",
    "Td Js Qs Ks Ad",
    "Jd Qc Kh As 2d",
    "Js Qc Kh As 2s",
    "Qd Kc Ah 2s 3d",
    "3d 5d 7d 9d Jd",
    "2s 4s 6s 8s Ts",
    "3d 3c 3h 4d 4c",
    "2d 2c 2h As Ah",
    "3d 3c 3h 3s 4d",
    "2d 2c 2h 2s As",
    "3d 3c 4d 4c 5d",
    "3d 3c 3h 5d 9c",
    "3d 5c 7h 9s Jd",
    "Ad 2d 3d 4d 5d",
    "As 2s 3s 4s 5s",
    "2d 3d 4d 5d 6d",
    "2s 3s 4s 5s 6s",
    "9s Ts Js Qs Ks",
    "Td Jd Qd Kd Ad",
    "Ts Js Qs Ks As",
    "Jd Qd Kd Ad 2d",
    "3d 3c 4d 4c 5d 5c",
    "Ad 2d 3d 4d 5d 9c 9h",
    "9s Ts Js Qs Ks 3d 3c",
    "Td Jd Qd Kd Ad 3h 4c",
    "Ts Js Qs Ks As 3h 4c",
    "3d 5d 7d 9d Jd Ks Kc",
    "3d 4d 5d 6d 7d 8d 9d Td",
)


def refusals(game: BigTwo) -> list[Illegal]:
    """Return why some cards are no play, or beat nothing."""
    answers = (game.compare(cards(tried), cards(top)) for tried, top in product(TRIED, repeat=2))
    return [each for each in answers if each]


def test_every_refusal_of_a_combination_cites_an_article_that_is_in_force() -> None:
    cited = set()
    for game in played():
        if game.options.deck == "tiles60":
            continue
        found = {each.article: each for each in refusals(game)}
        page = {article.number for article in book("big_two").under(game.options)}
        assert set(found) <= page, (set(found) - page, game.options)
        assert not any("{" in str(each) for each in found.values())
        cited |= set(found)
    assert cited >= {
        "4.2",
        "4.9",
        "4.15",
        "4.16",
        "C9.11",
        "C10.3",
        "C11.3",
        "C14.2",
        "C15.2",
        "C17.2",
        "C19.1",
    }


@pytest.mark.parametrize("scheme", ["hong_kong", "ace_low", "jqka2_top_no_low", "indonesia_suit_of_two"])
def test_every_refusal_with_tiles_cites_an_article_in_force(scheme: str) -> None:
    game = rules("lectio_tiles", straight_scheme=scheme)
    tiles = (
        "3d",
        "3d 3d",
        "15s",
        "1d 2s 3d 4c 5d",
        "2d 3s 4d 5c 6d",
        "12d 13c 14h 15s 1d",
        "13d 14c 15h 1s 2d",
        "14d 15c 1h 2s 3d",
        "3d 5d 7d 9d 11d",
        "3d 3c 3h 14d 14c",
        "3d 3c 3h 3s 15d",
        "3d 5c 7h 9s 11d",
    )
    answers = (game.compare(cards(tried), cards(top)) for tried, top in product(tiles, repeat=2))
    cited = {each.article for each in answers if each}
    assert cited <= {article.number for article in book("big_two").under(game.options)}
    assert {"4.2", "4.5", "4.9", "4.15", "4.16"} <= cited
