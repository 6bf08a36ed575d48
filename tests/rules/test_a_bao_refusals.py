"""Every refusal of Tàihé A Bāo is reached, and cites an article that is in the page under the options of that game."""

from typing import Any

import pytest

from bot.rules.a_bao import Options
from bot.rules.core.asks import Action, Choose, Give, Pass, Play, Ready
from bot.rules.core.cards import cards
from bot.rules.core.sentences import Illegal
from bot.show.rulebook.articles import book
from tests.rules.a_bao_positions import (
    Hand,
    after,
    asking,
    bid,
    bidding,
    calling,
    in_a_row,
    lying,
    named,
    refusal,
    rules,
    suits,
    table,
)
from tests.rules.sources import Source, in_force

SOURCE = Source("a_bao", "groups", "calling")


def test_every_cited_article_is_in_the_page() -> None:
    assert SOURCE.articles() <= {article.number for article in book("a_bao")}
    assert len(SOURCE.articles()) > 35


# What it says in the bidding and in play


def over(top: str, hand: str, preset: str = "standard", **options: Any) -> Hand:
    """Return the hand in which these cards must beat the top."""
    return lying(top, hand, of=asking(preset, **options))


FIRST, SECOND = bidding(), calling()
BOUND = calling(bound=True)
GIVING = bid(calling(bound=True, starter=0, may_return_called_card=False), "call 9d")
ACE = bid(calling(starter=1), "call 9d")
CALLED = bid(calling(), "call 7d", "give 5d")
LED = table("9d 7d Jd")

REFUSED: list[tuple[Hand, str | Action, str]] = [
    (FIRST, Pass(), "4.1"),
    (FIRST, "call 7d", "4.1"),
    (FIRST, Choose(("whatever",)), "4.1"),
    (SECOND, Choose(("declare",)), "5.1"),
    (SECOND, Play(cards("5d")), "5.1"),
    (SECOND, "call 5d", "5.5"),
    (SECOND, "call Ad", "5.6"),
    (SECOND, "call 8d", "5.16"),
    (bid(BOUND, "-"), "call 4h", "5.7"),
    (CALLED, "call 7d", "O4.1"),
    (bid(calling(recall="complete_four"), "call 7d", "give 5d"), "call 7d", "O4.3"),
    (calling(starter_must_call=True), "-", "O6.2"),
    (GIVING, "-", "5.4"),
    (GIVING, "call 9h", "5.4"),
    (GIVING, "give 9h", "5.4"),
    (GIVING, Give(()), "5.4"),
    (GIVING, "give 4h", "5.10"),
    (GIVING, "give 9d", "O11.1"),
    (ACE, "give Ad", "5.9"),
    (LED, "Kd", "7.2"),
    (LED, "9d 9d", "7.2"),
    (LED, "", "7.2"),
    (LED, "-", "7.8"),
    (LED, "give 9d", "7.2"),
    (LED, "9d Jd", "6.2"),
    (LED, "7d 9d Jd", "6.7"),
    (table("4d 6d 9d Jd"), "4d 6d 9d", "6.3"),
    (table("4d 4c 6d 6c 9d"), "4d 4c 6d 6c", "6.4"),
    (table("Qd Kd Ad 9d"), "Qd Kd Ad", "6.8"),
    (table("4d 4c 4h 5d 9d"), "4d 4c 4h 5d", "6.10"),
    (over("9d", "7d"), "7d", "6.1"),
    (over("9d 9c", "9h 9s"), "9h 9s", "6.2"),
    (over("9d Td Jd", "4d 5d 6d"), "4d 5d 6d", "6.3"),
    (over("9d 9c Td Tc", "4d 4c 5d 5c"), "4d 4c 5d 5c", "6.4"),
    (over("9d", "Td Tc"), "Td Tc", "6.11"),
    (over("9d 9c 9h", "7d 7c 7h"), "7d 7c 7h", "6.5"),
    (over("9d 9c 9h", "Kd"), "Kd", "6.5"),
    (over(suits("9", 4), "Kd Kc Kh"), "Kd Kc Kh", "6.6"),
    (over(suits("9", 4), suits("7", 4)), suits("7", 4), "6.6"),
    (over(suits("9", 4), in_a_row("TJQ")), in_a_row("TJQ"), "6.6"),
    (over(suits("A", 3), suits("K", 4), "three"), suits("K", 4), "O3.2"),
    (over(suits("K", 3), suits("Q", 4), "five", aces=False, three_kings_top=True), suits("Q", 4), "O12.2"),
]


@pytest.mark.parametrize(("hand", "tried", "article"), REFUSED)
def test_refusals_cite_their_article(hand: Hand, tried: str | Action, article: str) -> None:
    why = refusal(hand, tried)
    assert why.article == article
    assert in_force("a_bao", article, hand.rules.options)


# What it says to those who may not act, after the end, and at set-up


def elsewhere() -> list[tuple[str, Illegal]]:
    """Return refusals out of turn and after the end, each with the article it should cite."""
    one_by_one = bidding(first_round_mode="sequential")
    return [
        ("4.1", refusal(one_by_one, Choose(("declare",)), seat=2)),
        ("4.1", refusal(FIRST, Choose(("pass",)), seat=4)),
        ("5.1", refusal(SECOND, "-", seat=3)),
        ("5.1", refusal(GIVING, "give 9h", seat=3)),
        ("7.2", refusal(LED, "9d", seat=2)),
        ("7.2", refusal(LED, Ready())),
        ("7.6", refusal(after(table("9d"), "9d"), "4c", seat=1)),
    ]


CLASHES: list[tuple[dict[str, Any], str]] = [({"deals": 0}, "O13.2"), ({"target": 0}, "O13.3")]


def clash(options: dict[str, Any]) -> Illegal:
    """Return why options cannot be had."""
    with pytest.raises(Illegal) as caught:
        Options(**options)
    return caught.value


@pytest.mark.parametrize(("options", "article"), CLASHES)
def test_impossible_requests_are_refused(options: dict[str, Any], article: str) -> None:
    assert clash(options).article == article


def test_refusals_elsewhere_cite_their_article() -> None:
    assert [why.article for _, why in elsewhere()] == [article for article, _ in elsewhere()]


def reached() -> list[Illegal]:
    """Return every refusal of these tests."""
    found = [refusal(hand, tried) for hand, tried, _ in REFUSED]
    return found + [why for _, why in elsewhere()] + [clash(options) for options, _ in CLASHES]


def test_every_refusal_is_reached() -> None:
    assert SOURCE.sentences() - {why.sentence for why in reached()} == set()
    assert len(SOURCE.sentences()) > 25


def test_every_article_is_cited() -> None:
    assert SOURCE.cited() - {why.article for why in reached()} == set()


# What decides between two combinations, also where the one does beat the other

DECIDED = [
    ("Kd", "9d", "standard", "6.1"),
    ("9d Td Jd", "4d 5d 6d", "standard", "6.3"),
    ("4d 4c 4h", "9d 9c", "standard", "6.5"),
    (suits("4", 4), suits("A", 3), "standard", "6.6"),
    (suits("A", 3), suits("K", 4), "three", "O3.2"),
]


@pytest.mark.parametrize(("tried", "top", "preset", "article"), DECIDED)
def test_deciding_articles_are_cited(tried: str, top: str, preset: str, article: str) -> None:
    game = rules(preset)
    one, other = named(tried, game), named(top, game)
    assert one
    assert other
    assert game.article(one, other) == article
    assert game.compare(cards(tried), cards(top)) is None


def test_compare_explains_what_is_no_combination() -> None:
    game = rules()
    assert [
        why and why.article
        for why in (
            game.compare(cards("9d Td"), cards("7d")),
            game.compare(cards("7d"), cards("7d 9d Td")),
            game.compare(cards("7d"), cards("9d")),
            game.compare(cards("9d"), cards("7d")),
        )
    ] == ["6.2", "6.7", "6.1", None]
