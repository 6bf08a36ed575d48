"""Legality is told once: for random cards a play is refused exactly where the slow, plain reading of its game refuses.

The refusal is relevant: about cards not held, about invalid combinations, or about one play on another, by an article
in force under the options. Does not cover turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.games import GAMES
from bot.rules.big_a import BigA
from bot.rules.core.cards import Card, Cards, Suit
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.show.rulebook.articles import book
from tests.oracle import a_bao, big_a, big_little_a, big_two_combinations, tien_len

HANDS, TRIED = 8, 12  # a preset: hands, and plays tried of each
MEAN = {"LA", "BA"}
NUMBERED = {"JK": "J", "LA": "a", "BA": "A"}


class Reading(NamedTuple):
    """How a game is read. is_one: whether cards are a play; goes_on: whether one may be put on another.

    sections: sections of the page on plays and non-plays.
    """

    is_one: Callable[[Any, Cards], bool]
    goes_on: Callable[[Any, Cards, Cards], bool]
    sections: tuple[tuple[str, ...], tuple[str, ...]]


def numbers(held: Cards) -> list[str]:
    return [NUMBERED.get(str(each), str(each).removesuffix("n")) for each in held]


def names(held: Cards) -> list[str]:
    return list(map(str, held))


def pattern(rules: Any, held: Cards) -> big_a.Pattern:
    return big_a.pattern(held, rules.big)


def is_number_set(rules: Any, held: Cards) -> bool:
    alone = len(held) == 1 and str(held[0]) in MEAN
    return alone or bool(big_little_a.readings(numbers(held), asdict(rules.options)))


def raises(rules: Any, tried: Cards, top: Cards) -> bool:
    options = asdict(rules.options) | {"joker_only_sets": "fourteen"}  # named or not, more than fourteen there is none
    [lying] = big_little_a.readings(numbers(top), options)
    return bool(big_little_a.fitting(numbers(tried), lying, options))


READ = {
    "a_bao": Reading(
        lambda rules, held: bool(held) and a_bao.classify(held, asdict(rules.options)) is not None,
        lambda rules, tried, top: a_bao.beats(tried, top, asdict(rules.options)) == "beat",
        (("7",), ("6", "7")),
    ),
    "big_a": Reading(
        lambda rules, held: bool(held) and big_a.kind_of(pattern(rules, held), asdict(rules.options)) is not None,
        lambda rules, tried, top: (
            big_a.answer(pattern(rules, tried), pattern(rules, top), asdict(rules.options)) in ("beat", "capture")
        ),
        (("6",), ("3", "6", "O10")),
    ),
    "big_little_a": Reading(is_number_set, raises, (("3",), ("1", "3", "4", "5", "O6"))),
    "big_two": Reading(
        lambda rules, held: bool(big_two_combinations.classify(names(held), asdict(rules.options))),
        lambda rules, tried, top: big_two_combinations.beats(names(tried), names(top), asdict(rules.options)),
        (("2", "6"), ("2", "4", "6", "C12", "C13", "C14", "C17")),
    ),
    "tien_len": Reading(
        lambda rules, held: tien_len.read(held, asdict(rules.options)) is not None,
        lambda rules, tried, top: tien_len.beats(tried, top, asdict(rules.options)),
        (("5",), ("3", "5", "O5", "O6")),
    ),
}


def in_play(rules: Any, rng: Random) -> Any:
    """Return the rules in play: Big A has a Big suit then."""
    return rules.in_force(Suit(rng.choice("dchs"))) if isinstance(rules, BigA) else rules


def hand_for(rules: Any, rng: Random) -> Cards:
    """Return a hand with few ranks or suits in half of the cases, so that combinations occur."""
    ranks = rng.sample(sorted({each.rank for each in rules.pack}), rng.choice([2, 3, 5]))
    suits = rng.sample(sorted({each.suit for each in rules.pack}), 1)
    pools = ([each for each in rules.pack if each.rank in ranks], [each for each in rules.pack if each.suit in suits])
    pool = rng.choice([*pools, rules.pack])
    return tuple(rules.sort(tuple(rng.sample(pool, min(len(pool), 12)))))


def tried_of(plays: list[Combo], hand: Cards, rules: Any, rng: Random) -> Iterator[Cards]:
    """Yield what a player might try: plays, nearly plays, cards of the hand, and others."""
    for _ in range(TRIED):
        some = tuple(rng.sample(hand, rng.randrange(min(7, len(hand)) + 1)))
        play = rng.choice(plays).cards
        yield rng.choice([some, play, play, play[1:], (*play, *some[:1]), (*play[1:], rng.choice(rules.pack))])


@pytest.mark.rotates(3)
@pytest.mark.parametrize(
    ("name", "preset"), [(name, preset) for name, game in GAMES.items() for preset in game.presets]
)
def test_refusals_match_the_plain_reading_and_cite_a_relevant_article(name: str, preset: str) -> None:
    rng, said, read = Random(preset), Counter[str](), READ[name]
    for _ in range(HANDS):
        rules = in_play(GAMES[name].rules(preset), rng)
        hand, other = hand_for(rules, rng), hand_for(rules, rng)
        tops = [combo for combo in rules.groups.over(other, None) if str(combo.head) not in MEAN]
        for top in (None, *rng.sample(tops, min(4, len(tops)))):
            for tried in tried_of(list(rules.groups.over(hand, None)), hand, rules, rng):
                expected = why_not(read, rules, hand, top, tried)
                refused = refusal(rules, hand, top, tried)
                assert (refused is not None) == (expected is not None), (tried, top, expected)
                if refused:
                    speaks(refused, rules, read, expected, top, tried)
                said[expected or "fine"] += 1
    assert set(said) == {"held", "nothing", "lower", "fine"}


def why_not(read: Reading, rules: Any, hand: Cards, top: Combo | None, tried: Cards) -> str | None:
    """Return what the reading holds against a play, None where it is legal."""
    if Counter(tried) - Counter(hand):
        return "held"
    if not read.is_one(rules, tried):
        return "nothing"
    return "lower" if top and not read.goes_on(rules, tried, top.cards) else None


def refusal(rules: Any, hand: Cards, top: Combo | None, tried: Cards) -> Illegal | None:
    try:
        LegalPlays(rules.groups, hand, top).verify(tried)
    except Illegal as refused:
        return refused
    return None


def speaks(refused: Illegal, rules: Any, read: Reading, expected: str | None, top: Combo | None, tried: Cards) -> None:
    """Check that a refusal can be said, and is of what the reading holds against the play."""
    article = book(rules.game).article(refused.article)
    assert article
    assert article.when.holds(rules.options)
    assert "{" not in str(refused)
    section, values = refused.article.split(".")[0], refused.values
    if expected == "held":
        missing: list[Card] = list(values["cards"])
        assert section in read.sections[0]
        assert set(missing) <= set(tried)
    elif expected == "nothing":
        assert section in read.sections[1]
        assert set(values.get("cards", tried)) <= set(tried)
    elif "tried" in values:
        assert refused.article == rules.article(values["tried"], top)
        assert Counter(values["tried"].cards) == Counter(tried)
        assert values.get("top", top) == top
