"""Every refusal of Big A is reached, and cites an article that is in the page under the options of that game."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given

from bot.games import GAMES
from bot.rules.big_a import BigA, Options
from bot.rules.big_a.declarations import AceAct, Declaration, Stack, act_refusal, declare
from bot.rules.big_a.play import BigAGame
from bot.rules.core.asks import Action, Choose, ChooseAsk, Give, Pass, Play, Ready
from bot.rules.core.cards import Suit, cards
from bot.rules.core.game import View
from bot.rules.core.sentences import Illegal, Note
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.show.rulebook.articles import book
from tests.laws.matches import dice, positions, records
from tests.rules.big_a_positions import (
    alike,
    asking,
    drawing,
    ended,
    in_a_row,
    lying,
    named,
    order,
    refusal,
    rules,
    say,
    silent,
    stacked,
    table,
)
from tests.rules.sources import Source, in_force
from tests.support.law_settings import law_examples

SOURCE = Source("big_a", "groups")
DIAMONDS, SPADES = Suit.DIAMONDS, Suit.SPADES


# What the source can say


def test_every_cited_article_is_in_the_page() -> None:
    assert SOURCE.articles() <= {article.number for article in book("big_a")}
    assert len(SOURCE.articles()) > 45


# What it says in play


def over(top: str, hand: str, *presets: str, **options: Any) -> BigAGame:
    """Return the hand in which these cards must beat the top."""
    return lying(top, hand, of=asking(*presets, **options))


LONG = "Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ac"
RUN = "6d 6c 7d 7c 8d 8c"
LED = table("9d 8d")

REFUSED: list[tuple[BigAGame, str | Action, str]] = [
    (LED, "Kd", "6.2"),
    (LED, "9d 9d", "6.2"),
    (LED, "", "6.2"),
    (LED, "-", "6.1"),
    (LED, Choose(("nothing",)), "6.2"),
    (LED, Give(cards("9d")), "6.2"),
    (LED, "9d 8d", "3.3"),
    (table("9d 8d RJ"), "9d 8d RJ", "3.7"),
    (table("9d 8d 6d"), "9d 8d 6d", "3.6"),
    (table("9d 9c 8d 8c"), "9d 9c 8d 8c", "3.10"),
    (table("9d 9c 7d 7c 5d 5c"), "9d 9c 7d 7c 5d 5c", "3.10"),
    (table("9d 9c 9h 8d"), "9d 9c 9h 8d", "3.11"),
    (table(in_a_row("78", 5)), in_a_row("78", 5), "3.11"),
    (table(LONG, ace_to_ace_sequence=False), LONG, "O10.2"),
    (over("9d", "8d"), "8d", "1.6"),
    (over("9d", "9c"), "9c", "3.2"),
    (over("9d 9c", "8d 8c"), "8d 8c", "1.7"),
    (over("9d Td Jd", "6d 7d 8d"), "6d 7d 8d", "3.9"),
    (over("9d Td Jd", "6d 7d 8d 9c"), "6d 7d 8d 9c", "3.9"),
    (over("7d 7c 8d 8c 9d 9c", RUN), RUN, "3.10"),
    (over("9d", "Td Tc"), "Td Tc", "6.2"),
    (over("BJ", alike("3", 3)), alike("3", 3), "4.3"),
    (over("Ah", alike("3", 4)), alike("3", 4), "4.4"),
    (over(alike("9", 3), "Kd Kc"), "Kd Kc", "4.16"),
    (over(alike("9", 4), "Kd Kc"), "Kd Kc", "4.16"),
    (over(alike("9", 5), "Kd Kc"), "Kd Kc", "4.16"),
    (over(alike("9", 3), alike("8", 3)), alike("8", 3), "4.6"),
    (over(alike("9", 3), "9s 9d 9c"), "9s 9d 9c", "4.17"),
    (over("RJ RJ", "BJ RJ"), "BJ RJ", "4.8"),
    (over(in_a_row("567", 3), in_a_row("456", 3)), in_a_row("456", 3), "4.9"),
    (over(in_a_row("56", 4), in_a_row("45", 4)), in_a_row("45", 4), "4.10"),
    (over(in_a_row("56", 5), in_a_row("45", 5), "homygames"), in_a_row("45", 5), "O3.3"),
    (over("RJ RJ", alike("9", 6)), alike("9", 6), "O3.1"),
    (over(alike("9", 8), "RJ RJ BJ", "homygames"), "RJ RJ BJ", "O3.2"),
]


@pytest.mark.parametrize(("game", "tried", "article"), REFUSED)
def test_refusals_cite_their_article(game: BigAGame, tried: str | Action, article: str) -> None:
    why = refusal(game, tried)
    assert why.article == article
    assert in_force("big_a", article, game.rules.options)


# What it says to those who may not act, during the draw, and at set-up


def elsewhere() -> list[tuple[str, Illegal]]:
    """Return refusals out of turn, after the end and during the draw, each with the article it should cite."""
    draw = drawing()
    reveal = silent(say(draw, {3: "expose:d"}), "reveal")
    return [
        ("6.2", refusal(LED, "9d", seat=2)),
        ("7.9", refusal(ended([0, 1]), "9d", seat=2)),
        ("1.1", refusal(draw, Choose(("nothing",)), seat=5)),
        ("2.2", refusal(draw, Pass(), seat=0)),
        ("2.2", refusal(draw, Play(cards("4d")), seat=0)),
        ("2.2", refusal(draw, Choose(()), seat=0)),
        ("2.17", refusal(reveal, Choose(("reveal",)), seat=0)),
        ("O12.4", refusal(draw, Choose(("nothing", "nothing")), seat=0)),
        ("O12.4", refusal(draw, Choose(("anything",)), seat=0)),
        ("O12.5", refusal(draw, order("anything"), seat=0)),
        ("O12.5", refusal(draw, order("expose:d", "expose:d"), seat=0)),
        ("O12.5", refusal(draw, order("reveal", "silent"), seat=0)),
        ("O12.5", refusal(reveal, order("protect"), seat=0)),
        ("2.2", refusal(draw, Ready(), seat=0)),
    ]


STACK = stacked(Ad=(3, 43), As=(0, 5))  # both of seat 3, and both of seat 0
NONE = Declaration()
SINGLE = declare(NONE, AceAct(3, DIAMONDS, 1), 4)

SHOWING: list[tuple[Stack, Declaration, AceAct, int, dict[str, Any], str]] = [
    (STACK, declare(SINGLE, AceAct(3, DIAMONDS, 2, protect=True), 44), AceAct(0, SPADES, 2), 108, {}, "2.11"),
    (STACK, NONE, AceAct(3, DIAMONDS, 2, protect=True), 108, {}, "2.10"),
    (STACK, SINGLE, AceAct(0, SPADES, 2, protect=True), 108, {}, "2.10"),
    (STACK, SINGLE, AceAct(3, DIAMONDS, 2), 108, {}, "2.10"),
    (STACK, SINGLE, AceAct(0, SPADES, 1), 108, {}, "2.7"),
    (STACK, declare(NONE, AceAct(0, Suit.CLUBS, 1), 11), AceAct(0, SPADES, 2), 108, {"self_overcall": False}, "O7.2"),
    (STACK, NONE, AceAct(3, DIAMONDS, 1), 3, {}, "2.6"),
    (stacked(Ad=(103, 104)), NONE, AceAct(3, DIAMONDS, 1), 108, {}, "2.5"),
]


def why_not_shown(stack: Stack, now: Declaration, act: AceAct, drawn: int, options: dict[str, Any]) -> Illegal:
    """Return why an ace cannot be shown."""
    why = act_refusal(stack, now, act, drawn, **{"self_overcall": True, **options})
    assert why
    assert "{" not in str(why)
    return why


@pytest.mark.parametrize(("stack", "now", "act", "drawn", "options", "article"), SHOWING)
def test_impossible_exposures_are_refused(
    stack: Stack, now: Declaration, act: AceAct, drawn: int, options: dict[str, Any], article: str
) -> None:
    assert why_not_shown(stack, now, act, drawn, options).article == article
    assert in_force("big_a", article, rules(**options).options)


CLASHES: list[tuple[dict[str, Any], str]] = [
    ({"first_seat": 0}, "O2.2"),
    ({"first_seat": 6}, "O2.2"),
    ({"deals": 0}, "O11.2"),
    ({"target": 0}, "O11.3"),
    ({"draw_checkpoints": (7, 7)}, "O13.1"),
    ({"draw_checkpoints": (14, 7)}, "O13.1"),
    ({"draw_checkpoints": (21,)}, "O13.1"),
    ({"tick_seconds": 1}, "O14.1"),
    ({"tick_seconds": 61}, "O14.1"),
    ({"show_hand_counts": False}, "O16.1"),
]


def clash(options: dict[str, Any]) -> Illegal:
    """Return why options cannot be combined."""
    with pytest.raises(Illegal) as caught:
        Options(**options)
    return caught.value


@pytest.mark.parametrize(("options", "article"), CLASHES)
def test_impossible_combinations_are_refused(options: dict[str, Any], article: str) -> None:
    assert clash(options).article == article


def test_refusals_elsewhere_cite_their_article() -> None:
    assert [why.article for _, why in elsewhere()] == [article for article, _ in elsewhere()]


# What decides between two combinations, also where the one does beat the other

DECIDED = [
    ("4d 4c", alike("7", 3), "5.1"),
    (alike("7", 3), "9d 9c", "4.2"),
    (alike("7", 4), "BJ", "4.4"),
    (alike("7", 5), "Ah", "4.5"),
    ("Kd", "9d", "1.6"),
    ("RJ RJ", "BJ BJ", "4.8"),
]


@pytest.mark.parametrize(("tried", "top", "article"), DECIDED)
def test_deciding_articles_are_cited(tried: str, top: str, article: str) -> None:
    one, other = named(tried), named(top)
    assert one
    assert other
    game = BigA().in_force(Suit.HEARTS)
    assert game.article(one, other) == article
    assert game.compare(cards(tried), cards(top)) is None


def reached() -> list[Illegal]:
    """Return every refusal of these tests."""
    found = [refusal(game, tried) for game, tried, _ in REFUSED] + [why for _, why in elsewhere()]
    return found + [why_not_shown(*each[:-1]) for each in SHOWING] + [clash(options) for options, _ in CLASHES]


def test_every_refusal_is_reached() -> None:
    assert SOURCE.sentences() - {why.sentence for why in reached()} == set()
    assert len(SOURCE.sentences()) > 30


def test_every_article_is_cited() -> None:
    found = {why.article for why in reached()} | {article for _, _, article in DECIDED}
    assert SOURCE.cited() - found == set()


def test_compare_explains_what_is_no_combination() -> None:
    game = BigA().in_force(Suit.HEARTS)
    assert [
        why and why.article
        for why in (
            game.compare(cards("9d 8d"), cards("7d")),
            game.compare(cards("7d"), cards("9d 8d")),
            game.compare(cards("7d"), cards("9d")),
            game.compare(cards("9d"), cards("7d")),
        )
    ] == ["3.3", "3.3", "1.6", None]


# Whatever is said anywhere, under any options, can be looked up in the page of that very game


def notes(view: View) -> list[Note]:
    """Return every sentence with an article that a seat gets to see."""
    question = [view.ask.question] if isinstance(view.ask, ChooseAsk) else []
    return [
        *view.private_notes,
        *(view.result.notes if view.result else ()),
        *question,
        *([view.phase_note] if view.phase_note else []),
    ]


def said(match: Match, rng: Random) -> Iterator[str]:
    """Yield the articles of what seats are told and asked in a position, and of why random things are refused."""
    for seat in range(match.rules.players):
        view = match.view(seat)
        yield from (note.article for note in notes(view))
        tried: list[Action] = [Play(tuple(rng.sample(view.hand, min(len(view.hand), count)))) for count in (1, 2, 3, 6)]
        for action in (*tried, Pass(), Choose(("reveal",)), Choose(("pair:d",))):
            try:
                match.act(seat, action)
            except Illegal as why:
                yield why.article


@pytest.mark.parametrize("preset", GAMES["big_a"].presets)
def test_every_cited_article_is_in_force(preset: str) -> None:
    @law_examples(3)
    @given(record=records("big_a", preset), rng=dice)
    def law(record: Record, rng: Random) -> None:
        match = record.begin()
        in_page = {each.number for each in book("big_a").under(match.rules.options)}
        for each in islice(positions(match, rng), 0, None, 7):
            assert set(said(each, rng)) <= in_page

    law()
