"""The table of shapes against Tiến Lên: combinations and beating (articles 3 and 4), by brute force.

Every set of cards of small hands is read by a slow and plain reading of the articles, which counts ranks and knows no
table. Does not cover turns.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from bot.rules.core.cards import Card, Cards, cards
from bot.rules.core.legality import LegalPlays
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from bot.rules.tien_len import Options
from bot.rules.tien_len.groups import PACK, POWER, Groups
from tests.oracle.tien_len import beats, read, subsets
from tests.support.law_settings import is_thorough

CHOPPING = cards("5s 5c 5d 5h 6s 6d 7c 7d 8s 8h")  # a four and three or four pairs
OPTIONS: dict[str, tuple[Any, ...]] = {
    "sequence_suit": ("any", "same"),
    "double_sequences": (True, False),
    "chops": ("full", "four_of_a_kind", "none"),
    "quads_on_two_pair": (True, False),
    "same_look": (False,),
}
EVERY = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]
every_choice = pytest.mark.parametrize("options", EVERY, ids=lambda each: "-".join(map(str, each.values())))
pytestmark = pytest.mark.rotates(5)  # of 24 choices, so that each value is among them


def hand_for(rng: Random) -> Cards:
    """Return a hand with some combinations: of few ranks, that are neighbours or hold twos."""
    first, suits = rng.randrange(9), rng.sample("scdh", rng.choice([2, 3, 4]))
    line = {*range(first, first + rng.choice([3, 4, 5, 6])), *rng.choice([(), (12,)])}
    rich = [each for each in PACK if POWER[each] // 4 in line and each.suit in suits]
    dealt = rng.sample(rich, min(len(rich), 10))
    return tuple(sorted(dealt or rng.sample(PACK, 10), key=POWER.__getitem__))


# That both agree


@every_choice
def test_the_shape_table_equals_a_search_of_all_subsets(options: dict[str, Any]) -> None:
    rng, game, kinds = Random(str(options)), Groups(Options(**options)), set()
    for hand in (CHOPPING, *(hand_for(rng) for _ in range(12 if is_thorough() else 3))):
        fine = set()
        for chosen in subsets(hand):
            named, private_notes = game.classify(tuple(rng.sample(chosen, len(chosen)))), read(chosen, options)
            assert (named and named.kind) == (private_notes and private_notes.kind), chosen
            kinds.add(named and named.kind)
            assert named is None or (set(named.cards) == set(chosen) and POWER[named.head] == private_notes.high)  # type: ignore[union-attr]
            fine |= {frozenset(chosen)} if private_notes else set()
        found = [frozenset(combo.cards) for combo in game.over(hand, None)]
        assert len(found) == len(set(found))
        assert set(found) == fine
    assert {"single", "pair", "triple", "sequence", None} <= kinds


@every_choice
def test_beating_follows_the_articles(options: dict[str, Any]) -> None:
    rng, game, chopped = Random(str(options)), Groups(Options(**options)), 0
    for hand in (CHOPPING, hand_for(rng), hand_for(rng)):
        other = hand_for(rng)
        tops = [combo for each in subsets(other) if (combo := game.classify(each))]
        tops += [game.classify(cards(each)) for each in ("2h", "2s 2h", "2s 2c 2h", "2s 2c 2d 2h", "3s 3c 3d 3h")]  # type: ignore[misc]
        mine = {frozenset(each): each for each in subsets(hand) if read(each, options)}
        for top in rng.sample(tops[:-5], min(20, len(tops) - 5)) + tops[-5:]:
            fine = {held for held, each in mine.items() if beats(each, top.cards, options)}
            found = list(game.over(hand, top))
            assert {frozenset(combo.cards) for combo in found} == fine, (hand, top)
            assert len(found) == len(fine)
            assert {held for held in mine if refusal(game, hand, top, held) is None} == fine
            chopped += any(combo.kind != top.kind for combo in found)
    assert bool(chopped) == (options["chops"] != "none")


def refusal(game: Groups, hand: Cards, top: Combo, held: Any) -> str | None:
    """Return the refusal of a play by article, or None."""
    try:
        LegalPlays(game, hand, top).verify(tuple(held))
    except Illegal as why:
        return why.article
    return None


@every_choice
def test_shapes_are_found_weakest_first_in_any_card_order(options: dict[str, Any]) -> None:
    rng, game = Random(str(options)), Groups(Options(**options))
    for _ in range(6):
        hand = tuple(sorted(rng.sample(PACK, 13), key=POWER.__getitem__))
        found = list(game.over(hand, None))
        for row in game.table.rows:
            rising = [combo.strength for combo in found if (combo.kind, len(combo.cards)) == row.key]
            assert rising == sorted(rising)
        for combo in found:
            assert game.classify(tuple(rng.sample(combo.cards, len(combo.cards)))) == combo
        assert LegalPlays(game, hand, None).first(5) == found[:5]


def test_impossible_sets_are_no_shapes() -> None:
    game = Groups(Options())
    [three, *_], tile = PACK, cards("10s")
    strange: list[tuple[Card, ...]] = [(), tile, (three, *tile), (three, three), (three,) * 256, (*PACK, three)]
    assert [game.classify(each) for each in strange] == [None] * len(strange)
    assert refusal(game, PACK[:4], game.classify(PACK[:1]), [PACK[5]]) == "5.1"  # type: ignore[arg-type]


def test_a_sequence_ends_with_the_ace_without_wrapping() -> None:
    game = Groups(Options())
    assert game.classify(cards("Ah Qs Kd"))
    assert [game.classify(cards(each)) for each in ("Ks As 2s", "As 2s 3s", "2s 3s 4s", "3s 4s")] == [None] * 4
