"""Combinations of Big Two against the oracle, a slow and plain reading of its rules, under any preset and options.

On random hands and tables, rich in runs and suits. A difference shows a fault in either of them.
"""

from collections import Counter
from collections.abc import Collection
from itertools import count, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games import GAMES
from bot.rules.big_two import BigTwo, Options
from bot.rules.big_two.score import loser
from bot.rules.core.asks import PlayAsk
from bot.rules.core.cards import cards
from bot.rules.core.game import Result, View
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from tests.oracle import big_two_combinations as oracle
from tests.rules.positions import after, table
from tests.support.law_settings import law_examples

CHOICES: dict[str, list[Any]] = {
    "deck": list(oracle.DECKS),
    "suit_order": ["dchs", "cshd", "cdhs"],
    "straight_scheme": list(oracle.SCHEMES),
    "promoted_two_decides": [True, False],
    "flush_rank": ["suit_first", "top_card", "all_ranks"],
    "five_order": list(oracle.HONOURS),
    "triples": [True, False],
    "flushes": [True, False],
    "quads_form": ["kicker", "bare", "both"],
    "sf_form": ["five", "plus_two"],
    "bare_suited_run": ["demote", "illegal"],
    "full_house_beats_straight": [True, False],
    "honours_beat": ["five_card", "any"],
    "honours_out_of_turn": [False, True],
    "one_card_rule": ["none", "forced"],
    "last_card_ban": ["none", "highest_two", "any_two"],
}
any_options = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})
of_presets = st.sampled_from([oracle.given({"preset": preset}) for preset in oracle.PRESETS])
changed = any_options | of_presets
seeds = st.integers(0, 2**32).map(Random)


KINDS = ["alike", "full", "quads", "suit", "row", "row", "seven", "seven"]


def made(rng: Random, options: oracle.Options, kind: str | None = None) -> list[str]:
    """Return cards that make something or nearly so: alike, of one suit or in a row, often with twos and aces."""
    ranks = oracle.DECKS[options["deck"]]
    suits = rng.sample("dchs", 4)
    match kind or rng.choice(KINDS):
        case "alike":
            return alike(rng.choice(ranks), suits[: rng.randrange(1, 5)])
        case "full":
            one, other = rng.sample(ranks, 2)
            return alike(one, suits[:3]) + alike(other, suits[rng.randrange(3) :][:2])
        case "quads":
            one, other = rng.sample(ranks, 2)
            return alike(one, suits) + alike(other, suits[:1])
        case "suit":
            return [rank + suits[0] for rank in rng.sample(ranks[-rng.choice([6, 7, len(ranks)]) :], 5)]
        case "row":
            return [
                rank + rng.choice(suits[:width]) for width in [rng.choice([1, 2, 4])] for rank in row(rng, ranks, 5)
            ]
    length = rng.choice([5, 6, 7])
    suited = [rank + suits[0] for rank in row(rng, ranks, length)]
    return suited + rng.sample([each for each in oracle.pack(options) if each not in suited], 7 - length)


def alike(rank: str, suits: list[str]) -> list[str]:
    return [rank + suit for suit in suits]


def row(rng: Random, ranks: list[str], length: int) -> list[str]:
    """Return ranks next to each other, the threes next to the twos; more often than not about the twos and aces."""
    start = rng.choice([rng.randrange(len(ranks)), *rng.sample([-6, -5, -2, -1], 2)])
    return [ranks[(start + at) % len(ranks)] for at in range(length)]


def some(rng: Random, options: oracle.Options, size: int, besides: Collection[str] = ()) -> list[str]:
    """Return random cards besides some, with partial combinations among them."""
    if size == 1 and rng.random() < 0.5:
        return [rng.choice([each for each in oracle.pack(options) if each not in besides][-4:])]
    held = dict.fromkeys(each for _ in range(3) for each in made(rng, options) if each not in besides)
    rest = [each for each in oracle.pack(options) if each not in held and each not in besides]
    return rng.sample([*held][:size], min(len(held), size)) + rng.sample(rest, max(size - len(held), 0))


def something(rng: Random, options: oracle.Options, besides: Collection[str] = ()) -> list[str]:
    """Return a combination of any kind, of none of the cards besides."""
    tried = (made(rng, options) for _ in count())
    return next(each for each in tried if not {*each} & {*besides} and oracle.classify(each, options))


def rules_of(options: oracle.Options) -> BigTwo:
    return BigTwo(Options(**options))


def dealt(held: list[str] | frozenset[str]) -> Any:
    return cards(" ".join(held))


def spelled(combo: Combo) -> frozenset[str]:
    return frozenset(map(str, combo.cards))


@pytest.mark.parametrize("preset", oracle.PRESETS)
def test_presets_agree_with_the_oracle(preset: str) -> None:
    plain, set_up = oracle.given({"preset": preset}), GAMES["big_two"].set_up(preset)
    assert {name: getattr(set_up, name) for name in plain} == plain


def test_every_preset_is_in_the_oracle() -> None:
    assert set(GAMES["big_two"].presets) == set(oracle.PRESETS)


@law_examples(70, shrunk=True)
@given(changed, seeds)
def test_combinations_agree_with_the_oracle(options: oracle.Options, rng: Random) -> None:
    rules = rules_of(options)
    for held in [some(rng, options, rng.randrange(1, 9)), *(made(rng, options) for _ in range(10))]:
        combo = rules.groups.classify(dealt(held))
        assert (combo and combo.kind) == oracle.classify(held, options)
        assert combo is None or spelled(combo) == set(held)


def agree_on(options: oracle.Options, tried: list[list[str]]) -> None:
    """Compare the order of the combinations among these."""
    rules = rules_of(options)
    groups = [each for each in tried if oracle.classify(each, options)]
    combos = [combo for group in groups if (combo := rules.groups.classify(dealt(group)))]
    for one, first in zip(groups, combos, strict=True):
        for other, second in zip(groups, combos, strict=True):
            assert rules.groups.can_follow(first, second) == oracle.beats(one, other, options)


@law_examples(90, shrunk=True)
@given(changed, seeds)
def test_beating_agrees_with_the_oracle(options: oracle.Options, rng: Random) -> None:
    agree_on(options, [made(rng, options, kind) for kind in (*KINDS, "suit", "row", "row")])


@pytest.mark.parametrize("promoted", [True, False])
@pytest.mark.parametrize("scheme", oracle.SCHEMES)
def test_straights_agree_with_the_oracle(scheme: str, promoted: bool) -> None:
    rng = Random(scheme)
    options = oracle.given({"straight_scheme": scheme, "promoted_two_decides": promoted})
    agree_on(options, [made(rng, options, "row") for _ in range(30)])


@pytest.mark.parametrize("suit_order", CHOICES["suit_order"])
@pytest.mark.parametrize("flush_rank", CHOICES["flush_rank"])
def test_flushes_agree_with_the_oracle(flush_rank: str, suit_order: str) -> None:
    rng = Random(flush_rank)
    options = oracle.given({"flush_rank": flush_rank, "suit_order": suit_order})
    agree_on(options, [made(rng, options, "suit") for _ in range(30)])


@law_examples(60, shrunk=True)
@given(changed, seeds, st.sampled_from([1, 4, 7, 8, 9, 10, 11, 13]), st.booleans())
def test_interrupting_plays_agree_with_the_oracle(options: oracle.Options, rng: Random, size: int, led: bool) -> None:
    rules, hand = rules_of(options), some(rng, options, size)
    top = None if led else something(rng, options, tuple(hand))
    lying = rules.groups.classify(dealt(top)) if top else None
    found = list(rules.groups.over(rules.sort(dealt(hand)), lying))
    unbanned = {**options, "last_card_ban": "none"}
    assert Counter(map(spelled, found)) == Counter(oracle.plays(hand, top, unbanned))
    assert all(combo.kind == oracle.classify(spelled(combo), options) for combo in found)
    assert not any(oracle.beats(spelled(low), spelled(high), options) for low, high in pairwise(found))


def agree(view: View, tried: set[frozenset[str]], rng: Random) -> None:
    """Check that a seat is offered these plays and no other, by each of the ways to ask."""
    offered = list(view.plays)
    assert Counter(map(spelled, offered)) == Counter(tried)
    assert bool(view.plays) == bool(tried)
    assert view.plays.first(3) == offered[:3]
    hand = [str(each) for each in view.hand]
    for size in (1, 1, 2, 3, 5, 7):
        wanted = frozenset(rng.sample(hand, min(size, len(hand))))
        assert verified(view, wanted) == (wanted in tried)
    assert all(verified(view, each) for each in tried)


def verified(view: View, wanted: frozenset[str]) -> bool:
    try:
        view.plays.verify(dealt(wanted))
    except Illegal:
        return False
    return True


@law_examples(60, shrunk=True)
@given(changed, seeds)
def test_the_loser_agrees_with_the_oracle(options: oracle.Options, rng: Random) -> None:
    """Those with most cards show their largest combination; the one with the least has lost (C5)."""
    dealt_to: list[list[str]] = [[]]
    for size in (rng.choice([2, 5, 7]),) * 2 + (2,):
        dealt_to.append(some(rng, options, size, [each for hand in dealt_to for each in hand]))
    rules = rules_of(options)
    left = tuple(rules.sort(dealt(hand)) for hand in dealt_to)
    assert loser(rules.groups, Result((0,), left, (0,) * 4)) == oracle.loser(dealt_to, 0, options)


def lowest(options: oracle.Options, hand: list[str]) -> list[str]:
    """Return the two lowest missing cards, above which any other card is highest."""
    return [each for each in oracle.pack(options) if each not in hand][:2]


def agree_in_turn(options: oracle.Options, rng: Random, hand: list[str], top: list[str] | None, count: int) -> None:
    """Check the legal actions of seat 0, leading or following seat 3. count: cards of seat 1, the next."""
    low = lowest(options, hand)  # what seat 3 keeps: its highest card is always the one it has to play
    rest = some(rng, options, 4, (*hand, *low, *(top or ())))
    others = [rest[:count], rest[2:], [*(top or ()), *low]]
    game = table(*map(" ".join, [hand, *others]), turn=3 if top else 0, **options)
    view = (after(game, " ".join(top)) if top else game).view(0)
    agree(view, oracle.plays(hand, top, options, forced=count == 1), rng)
    assert isinstance(view.ask, PlayAsk)
    assert view.ask.may_pass == oracle.may_pass(hand, top, options, forced=count == 1)


@law_examples(50, shrunk=True)
@given(changed, seeds)
def test_legal_plays_agree_with_the_oracle(options: oracle.Options, rng: Random) -> None:
    for size in (1, 2, 5, 8, rng.choice([8, 10, 11])):
        hand = some(rng, options, size)
        top = something(rng, options, [*hand, *lowest(options, hand)]) if rng.random() < 0.6 else None
        agree_in_turn(options, rng, hand, top, rng.choice([1, 2]))


@law_examples(50, shrunk=True)
@given(any_options, seeds)
def test_forced_plays_agree_with_the_oracle(options: oracle.Options, rng: Random) -> None:
    for size in range(1, 7):
        hand = some(rng, options, size)
        top = some(rng, options, 1, [*hand, *lowest(options, hand)])
        agree_in_turn({**options, "one_card_rule": "forced"}, rng, hand, rng.choice([None, top]), 1)


@law_examples(40, shrunk=True)
@given(any_options, seeds)
def test_last_plays_agree_with_the_oracle(options: oracle.Options, rng: Random) -> None:
    for hand in oracle.pack(options)[-5:]:
        top = [rng.choice(oracle.pack(options)[2:-5])]
        agree_in_turn(options, rng, [hand], rng.choice([None, top]), rng.choice([1, 2]))


@law_examples(40, shrunk=True)
@given(changed, seeds, st.sampled_from([2, 5, 9, 11]), st.sampled_from([1, 2]))
def test_first_plays_agree_with_the_oracle(options: oracle.Options, rng: Random, size: int, next_count: int) -> None:
    hand = some(rng, options, size)
    must = rng.choice(hand)
    rest = some(rng, options, 6, tuple(hand))
    game = table(
        " ".join(hand), " ".join(rest[:next_count]), *map(" ".join, (rest[2:4], rest[4:])), must=must, **options
    )
    agree(game.view(0), oracle.plays(hand, None, options, must=must, forced=next_count == 1), rng)


@law_examples(60, shrunk=True)
@given(changed, seeds, st.sampled_from([5, 7, 9, 11]))
def test_plays_out_of_turn_agree_with_the_oracle(options: oracle.Options, rng: Random, size: int) -> None:
    """Seat 2 sees what seat 3 played, when it is the turn of seat 0."""
    hand = some(rng, options, size)
    top = something(rng, options, tuple(hand))
    rest = some(rng, options, 6, (*hand, *top))
    game = table(*map(" ".join, [rest[:2], rest[2:4], hand, [*top, *rest[4:]]]), turn=3, **options)
    assert list(game.view(2).plays) == []
    agree(after(game, " ".join(top)).view(2), oracle.plays(hand, top, options, out_of_turn=True), rng)
