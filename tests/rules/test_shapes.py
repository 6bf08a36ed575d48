"""The table of shapes, tried on Tiến Lên: its combinations and what beats what (articles 3 and 4), by brute force.

Every set of cards of small hands is read by a slow and plain reading of the articles, which counts ranks and knows no
table. Refuses to know turns, and what that game says when it refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.rules.cards import Card, Cards, Suit, cards, pack
from bot.rules.legal import Combinations, LegalPlays
from bot.rules.patterns import Row, Suits, runs, sets
from bot.rules.sentences import Illegal
from bot.rules.shapes import Table
from bot.rules.trick import Combo

RANKS, SUITS = "3456789TJQKA2", "scdh"  # 1.2, 1.3
POWER = {held: RANKS.index(held.rank) * 4 + SUITS.index(held.suit) for held in pack()}
PACK: Cards = tuple(sorted(pack(), key=POWER.__getitem__))
ALL, LINE = tuple(range(13)), tuple(range(12))  # a two is in no sequence (3.2, 3.3)
TWOS = 12 * 4  # from this strength on a single, a pair or a triple is of twos
CHOPPING = cards("5s 5c 5d 5h 6s 6d 7c 7d 8s 8h")  # a four and three or four pairs
SETS = {1: "single", 2: "pair", 3: "triple", 4: "four"}
OPTIONS = {
    "sequence_suit": ("any", "same"),
    "double_sequences": ("yes", "no"),
    "chops": ("full", "four_of_a_kind", "none"),
    "quads_on_two_pair": ("yes", "no"),
}
EVERY = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]
every_choice = pytest.mark.parametrize("options", EVERY, ids=lambda each: "-".join(each.values()))


# By the table


def rows(options: Mapping[str, str]) -> Iterator[Row]:
    suits = Suits.SAME if options["sequence_suit"] == "same" else Suits.ANY
    for size, kind in SETS.items():
        yield Row(kind, 0, sets(ALL, size, scale=4), step=size < 3)  # 4.2
    for length in range(3, 13):
        yield Row("sequence", 0, runs(LINE, length, scale=4), suits=suits, step=1)
    for length in range(3, 7) if options["double_sequences"] == "yes" else ():
        yield Row("double_sequence", 0, runs(LINE, length, 2, scale=4), step=1)


class TienLen(Combinations):
    def __init__(self, options: Mapping[str, str]) -> None:
        slots = {held: power // 4 for held, power in POWER.items()}
        super().__init__(Table(rows(options), POWER, slots, suits=tuple(map(Suit, SUITS)), alike=False))
        self.options = options

    def above(self, row: Row, top: Combo) -> int | None:
        if row.key == (top.kind, len(top.cards)):
            return top.strength
        return -1 if self.options["chops"] != "none" and self._chops(row, top) else None

    def _chops(self, row: Row, top: Combo) -> bool:
        """4.4, 4.5."""
        full, lying = self.options["chops"] == "full", len(top.cards)
        if top.kind in ("single", "pair", "triple"):
            pairs = full and row.kind == "double_sequence" and row.size // 2 >= lying + 2
            return top.strength >= TWOS and (pairs or (row.kind == "four" and self._four_chops_twos(lying)))
        if top.kind == "four":
            return full and row.kind == "double_sequence" and row.size >= 8
        longer = row.kind == "double_sequence" and row.size > lying
        return full and top.kind == "double_sequence" and (longer or (row.kind == "four" and lying == 6))

    def _four_chops_twos(self, count: int) -> bool:
        quads_on_two_pair = self.options["chops"] == "full" and self.options["quads_on_two_pair"] == "yes"
        return count == 1 or (count == 2 and quads_on_two_pair)

    def article(self, tried: Combo, top: Combo) -> str:
        return "4.1" if tried.kind == top.kind else "4.4"

    def not_held(self, missing: Cards) -> Illegal:
        return Illegal("3.1", "You do not hold {cards}.", cards=missing)

    def no_combination(self, tried: Cards) -> Illegal:
        return Illegal("3.1", "{cards} cannot be played together.", cards=tried)

    def not_higher(self, tried: Combo, top: Combo) -> Illegal:
        return Illegal(self.article(tried, top), "{tried} does not beat {top}.", tried=tried, top=top)


# By the articles


class Read(NamedTuple):
    """What cards are read as. ranks: how many different ones; high: the power of the highest card."""

    kind: str
    ranks: int
    high: int


def read(held: Cards, options: Mapping[str, str]) -> Read | None:
    ranks = sorted({RANKS.index(each.rank) for each in held})
    copies = {sum(RANKS.index(each.rank) == rank for each in held) for rank in ranks}
    high, length = max(map(POWER.__getitem__, held)), len(ranks)
    if length == 1:
        return Read(SETS[len(held)], 1, high)
    if ranks != list(range(ranks[0], 12))[:length] or length < 3:
        return None
    if copies == {1}:
        mixed = len({each.suit for each in held}) > 1
        return None if mixed and options["sequence_suit"] == "same" else Read("sequence", length, high)
    return Read("double_sequence", length, high) if copies == {2} and options["double_sequences"] == "yes" else None


def beats(tried: Read, top: Read, options: Mapping[str, str]) -> bool:  # noqa: PLR0911  # article by article
    """4.1, 4.2, 4.4, 4.5, word for word."""
    if tried[:2] == top[:2]:
        by_rank = tried.kind in ("triple", "four")
        return tried.high // 4 > top.high // 4 if by_rank else tried.high > top.high
    full, twos = options["chops"] == "full", top.high // 4 == 12
    if tried.kind == "four" and options["chops"] != "none":
        if top.kind == "single" and twos:
            return True
        if top.kind == "pair" and twos:
            return full and options["quads_on_two_pair"] == "yes"
        return full and top[:2] == ("double_sequence", 3)
    if tried.kind == "double_sequence" and full:
        if top.kind in ("single", "pair", "triple"):
            return twos and tried.ranks >= {"single": 3, "pair": 4, "triple": 5}[top.kind]
        if top.kind == "four":
            return tried.ranks >= 4
        return top.kind == "double_sequence" and tried.ranks > top.ranks
    return False


def subsets(hand: Cards) -> Iterator[Cards]:
    return (chosen for size in range(1, len(hand) + 1) for chosen in combinations(hand, size))


def hand_for(rng: Random) -> Cards:
    """Return a hand in which something can be found: of few ranks, that are neighbours or hold twos."""
    first, suits = rng.randrange(9), rng.sample(SUITS, rng.choice([2, 3, 4]))
    line = {*range(first, first + rng.choice([3, 4, 5, 6])), *rng.choice([(), (12,)])}
    rich = [each for each in PACK if POWER[each] // 4 in line and each.suit in suits]
    dealt = rng.sample(rich, min(len(rich), 10))
    return tuple(sorted(dealt or rng.sample(PACK, 10), key=POWER.__getitem__))


# That both agree


@every_choice
def test_a_table_finds_what_every_set_of_cards_is_tried_for(options: dict[str, str]) -> None:
    rng, game, kinds = Random(str(options)), TienLen(options), set()
    for _ in range(8):
        hand = hand_for(rng)
        for chosen in subsets(hand):
            named, told = game.classify(tuple(rng.sample(chosen, len(chosen)))), read(chosen, options)
            assert (named and named.kind) == (told and told.kind), chosen
            kinds.add(named and named.kind)
            assert named is None or (set(named.cards) == set(chosen) and POWER[named.head] == told.high)  # type: ignore[union-attr]
        fine = {frozenset(chosen) for chosen in subsets(hand) if read(chosen, options)}
        found = [frozenset(combo.cards) for combo in game.over(hand, None)]
        assert len(found) == len(set(found))
        assert set(found) == fine
    assert {"single", "pair", "triple", "sequence", None} <= kinds


@every_choice
def test_what_beats_what_is_what_the_articles_say(options: dict[str, str]) -> None:
    rng, game, chopped = Random(str(options)), TienLen(options), 0
    for hand in (CHOPPING, hand_for(rng), hand_for(rng)):
        other = hand_for(rng)
        tops = [combo for each in subsets(other) if (combo := game.classify(each))]
        tops += [game.classify(cards(each)) for each in ("2h", "2s 2h", "2s 2c 2h", "2s 2c 2d 2h", "3s 3c 3d 3h")]  # type: ignore[misc]
        mine = {frozenset(each): told for each in subsets(hand) if (told := read(each, options))}
        for top in rng.sample(tops[:-5], min(20, len(tops) - 5)) + tops[-5:]:
            lying = read(top.cards, options)
            assert lying
            fine = {held for held, told in mine.items() if beats(told, lying, options)}
            found = list(game.over(hand, top))
            assert {frozenset(combo.cards) for combo in found} == fine, (hand, top)
            assert len(found) == len(fine)
            assert {held for held in mine if refusal(game, hand, top, held) is None} == fine
            chopped += any(combo.kind != top.kind for combo in found)
    assert bool(chopped) == (options["chops"] != "none")


def refusal(game: TienLen, hand: Cards, top: Combo, held: Any) -> str | None:
    """Return the article with which a play is refused, None where it is not."""
    try:
        LegalPlays(game, hand, top).verify(tuple(held))
    except Illegal as why:
        return why.article
    return None


@every_choice
def test_what_is_found_is_weakest_first_and_itself_in_any_order(options: dict[str, str]) -> None:
    rng, game = Random(str(options)), TienLen(options)
    for _ in range(6):
        hand = tuple(sorted(rng.sample(PACK, 13), key=POWER.__getitem__))
        found = list(game.over(hand, None))
        for row in game.table.rows:
            rising = [combo.strength for combo in found if (combo.kind, len(combo.cards)) == row.key]
            assert rising == sorted(rising)
        for combo in found:
            assert game.classify(tuple(rng.sample(combo.cards, len(combo.cards)))) == combo
        assert LegalPlays(game, hand, None).first(5) == found[:5]


def test_what_no_hand_can_hold_is_nothing() -> None:
    game = TienLen(EVERY[0])
    [three, *_], tile = PACK, cards("10s")
    strange: list[tuple[Card, ...]] = [(), tile, (three, *tile), (three, three), (three,) * 256, (*PACK, three)]
    assert [game.classify(each) for each in strange] == [None] * len(strange)
    assert refusal(game, PACK[:4], game.classify(PACK[:1]), [PACK[5]]) == "3.1"  # type: ignore[arg-type]


def test_a_sequence_ends_with_the_ace_and_does_not_turn_the_corner() -> None:
    game = TienLen(EVERY[0])
    assert game.classify(cards("Ah Qs Kd"))
    assert [game.classify(cards(each)) for each in ("Ks As 2s", "As 2s 3s", "2s 3s 4s", "3s 4s")] == [None] * 4
