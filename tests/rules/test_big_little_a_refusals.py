"""Every refusal of The Big and the Little A is reached, and cites an article of the page under the options there."""

from typing import Any

import pytest

from bot.rules.big_little_a import BigLittleA, Options
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.core.asks import Action, Choose, Give, Name, Ready
from bot.rules.core.cards import card
from bot.rules.core.sentences import Illegal
from bot.show.rulebook.articles import book
from tests.rules.big_little_a_positions import after, asking, ended, held, lying, named, refusal, rules, table
from tests.rules.sources import Source, in_force

SOURCE = Source("big_little_a", "groups")


def test_every_cited_article_is_in_the_page() -> None:
    assert SOURCE.articles() <= {article.number for article in book("big_little_a")}
    assert len(SOURCE.articles()) > 15


# What it says in play


NAMED = asking(players=3, joker_only_sets="declared")
SINGLE = asking(players=3, joker_only_sets="single_only")
LED = table("9 9 8 J a", "7 7", "5 5")
A_ROUND = after(table("a 9", "A 7 7", "5 5"), "a")
NAMING = after(lying("5 5", "J J", NAMED), "J J")

REFUSED: list[tuple[BigLittleAGame, str | Action, str]] = [
    (LED, "13", "3.1"),
    (LED, "8 8", "3.1"),
    (LED, "", "3.1"),
    (LED, "-", "3.1"),
    (LED, "9 8", "3.1"),
    (LED, "9 8 J", "3.1"),
    (LED, "a J", "4.4"),
    (LED, "a 9", "5.7"),
    (LED, Choose(("nothing",)), "3.2"),
    (LED, Give(held("9")), "3.2"),
    (LED, "as 7", "3.2"),
    (LED, Ready(), "3.2"),
    (lying("9", "9"), "9", "3.2"),
    (lying("9", "8"), "8", "3.2"),
    (lying("9 9", "8 J"), "8 J", "3.2"),
    (lying("9 9", "10"), "10", "3.3"),
    (lying("9", "10 10"), "10 10", "3.3"),
    (lying("J", "13"), "13", "4.2"),
    (lying("J", "J"), "J", "4.2"),
    (lying("J J", "J J"), "J J", "4.2"),
    (lying("9", "a"), "a", "5.7"),
    (table("a 9", "7 7", "5 5", number=2), "a", "5.8"),
    (table("A 9", "7 7", "5 5", number=8, taken={"A": 7}), "A", "5.8"),
    (table("J J 9", "7 7", "5 5", of=SINGLE), "J J", "O6.3"),
    (A_ROUND, "-", "6.2"),
    (A_ROUND, "7 7", "6.2"),
    (A_ROUND, "", "6.2"),
    (A_ROUND, "8", "6.2"),
    (A_ROUND, Give(held("7")), "6.2"),
    (A_ROUND, "A", "6.4"),
    (A_ROUND, "A 7", "6.4"),
    (NAMING, "J J", "O6.2"),
    (NAMING, "-", "O6.2"),
    (NAMING, "as 5", "O6.2"),
    (NAMING, "as a", "O6.2"),
    (NAMING, Name(card("7d")), "O6.2"),
    (ended("5", "7"), "5", "7.1"),
]


@pytest.mark.parametrize(("game", "tried", "article"), REFUSED)
def test_refusals_cite_their_article(game: BigLittleAGame, tried: str | Action, article: str) -> None:
    why = refusal(game, tried)
    assert why.article == article
    assert in_force("big_little_a", article, game.rules.options)


# What it says to those on turn not, and at set-up


def elsewhere() -> list[tuple[str, Illegal]]:
    """Return refusals out of turn, each with the article it should cite."""
    return [
        ("3.2", refusal(LED, "7", seat=1)),
        ("3.2", refusal(LED, "-", seat=3)),
        ("6.2", refusal(A_ROUND, "5", seat=2)),
        ("3.2", refusal(NAMING, "as 7", seat=2)),
        ("7.1", refusal(ended("5", "7"), "-", seat=2)),
    ]


CLASHES: list[tuple[dict[str, Any], str]] = [
    ({"hands_per_match": 0}, "O2.1"),
    ({"first_seat": 0}, "O5.2"),
    ({"first_seat": 5}, "O5.2"),
    ({"first_seat": 9, "players": 8}, "O5.2"),
    ({"joker_in_hand_points": -1}, "O9.1"),
    ({"little_a_in_hand_points": 100}, "O9.2"),
    ({"big_a_in_hand_points": 100}, "O9.3"),
    ({"joker_in_pile_points": -1}, "O9.4"),
]


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
    found = [refusal(game, tried) for game, tried, _ in REFUSED]
    found += filter(None, (of.compare(held(tried), held(top)) for of, tried, top, _ in NO_SETS))
    return found + [why for _, why in elsewhere()] + [clash(options) for options, _ in CLASHES]


def test_every_refusal_is_reached() -> None:
    assert SOURCE.sentences() - {why.sentence for why in reached()} == set()
    assert len(SOURCE.sentences()) > 15


def test_every_article_is_cited() -> None:
    decided = {article for _, _, article in DECIDED}
    assert SOURCE.cited() - {why.article for why in reached()} - decided == set()


# What decides between two sets of cards, also where the one does beat the other

DECIDED = [("9", "7", "3.2"), ("9 J", "7 7", "3.2"), ("J", "13", "3.2"), ("1", "a", "6.1")]


@pytest.mark.parametrize(("tried", "top", "article"), DECIDED)
def test_deciding_articles_are_cited(tried: str, top: str, article: str) -> None:
    game = rules()
    one, other = named(tried), named(top)
    assert one
    assert other
    assert game.article(one, other) == article
    assert game.compare(held(tried), held(top)) is None


PLAIN, OPEN = rules(), rules(joker_only_sets="declared")
NO_SETS = [
    (PLAIN, "9 8", "7", "3.1"),
    (PLAIN, "7", "9 8", "3.1"),
    (PLAIN, "7", "9", "3.2"),
    (PLAIN, "7 7", "9", "3.3"),
    (PLAIN, "9", "J", "4.2"),
    (PLAIN, "a", "9", "5.7"),
    (PLAIN, "a J", "9", "4.4"),
    (PLAIN, "9 9", "a", "6.2"),
    (PLAIN, "A", "a", "6.4"),
    (PLAIN, "J J J J J", "7", "1.2"),
    (OPEN, "10 10", "J J", "O6.2"),
]


@pytest.mark.parametrize(("of", "tried", "top", "article"), NO_SETS)
def test_compare_explains_why_a_play_does_not_beat_another(of: BigLittleA, tried: str, top: str, article: str) -> None:
    why = of.compare(held(tried), held(top))
    assert why
    assert why.article == article
    assert in_force("big_little_a", article, of.options)
