"""Big A against the oracle, a slow and plain reading of its rules: combinations and scores, under any options.

On random cards and every possible end. A difference shows a fault in either of them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from bot.rules.big_a import BigA, Options
from bot.rules.big_a.score import Sides
from bot.rules.core.cards import Suit, cards
from bot.rules.core.sentences import Illegal
from bot.rules.core.trick import Combo
from tests.oracle import big_a as oracle
from tests.oracle import big_a_end as oracle_end
from tests.rules.big_a_positions import (
    asking,
    lying,
    points,
    table,
)

CHOICES: dict[str, list[Any]] = {
    "bomb_ladder": ["basic", "homygames"],
    "fours_capture_max": [6, 7, 8],
    "ace_to_ace_sequence": [True, False],
    "big_ace_pair_scope": ["any_holder", "lone_deal_only"],
}
SINGLES = {"joker": "single", "big_ace": "single"}  # kinds that the reading does not tell apart
SEATS = range(5)


def chosen(rng: Random, choices: dict[str, list[Any]]) -> dict[str, Any]:
    """Return some options."""
    return {name: rng.choice(values) for name, values in choices.items()}


# Combinations


def rules_of(options: dict[str, Any], big: str, *, lone: bool) -> BigA:
    """Return the rules as they are for a player who holds both Big Aces."""
    here = BigA(Options(**options)).in_force(Suit(big))
    return here if lone or options["big_ace_pair_scope"] == "any_holder" else here.unpaired()


def of_rank(rng: Random, rank: str, count: int) -> list[str]:
    """Return so many of the eight cards of a rank, or of the jokers."""
    both = ["BJ", "BJ", "RJ", "RJ"] if rank == "J*" else [f"{rank}{suit}" for suit in "dchsdchs"]
    return rng.sample(both, min(count, len(both)))


def made(rng: Random) -> list[str]:
    """Return cards that make something or nearly so: equal ranks, sequences, jokers, one card more or less."""
    start, copies = rng.randrange(14), rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7])
    length = rng.choice([2, 3, 4, 5, rng.randrange(3, 15)]) if copies < 4 else 2
    ranks = oracle.RUN[start : start + length] if rng.random() < 0.9 else list("KA2")
    in_a_row = [card for rank, count in Counter(ranks).items() for card in of_rank(rng, rank, count * copies)]
    alike = of_rank(rng, rng.choice([*oracle.SETS, "A", "4", "J*"]), rng.randrange(1, 9))
    cards_made = rng.choice([alike, in_a_row, in_a_row])
    if rng.random() < 0.15:
        cards_made = rng.choice([cards_made[1:], [*cards_made, *rng.sample(oracle.PACK, 1)]])
    return cards_made if cards_made and max(Counter(cards_made).values()) <= 2 else made(rng)


def kind_of(combo: Combo | None) -> str | None:
    """Return how the reading calls a combination."""
    return SINGLES.get(combo.kind, combo.kind) if combo else None


def read(held: list[str]) -> Any:
    return cards(" ".join(held))


@pytest.mark.parametrize("seed", range(8))
def test_combinations_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    found = 0
    for _ in range(100):
        options, big, lone = chosen(rng, CHOICES), rng.choice("dchs"), rng.random() < 0.5
        rules, held = rules_of(options, big, lone=lone), made(rng)
        read_as = oracle.classify(held, big, {**options, "lone": lone})
        assert kind_of(rules.classify(read(held))) == (read_as[0] if read_as else None), (held, options, big)
        found += read_as is not None
    assert found > 50


@pytest.mark.parametrize("seed", range(8))
def test_beating_and_capturing_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    options, big, lone = chosen(rng, CHOICES), rng.choice("dchs"), rng.random() < 0.5
    rules, read_options = rules_of(options, big, lone=lone), {**options, "lone": lone}
    tried = [made(rng) for _ in range(50)] + [of_rank(rng, "4", count) for count in range(2, 8)]
    combos = [(each, combo) for each in tried if (combo := rules.classify(read(each)))]
    answers = Counter[str]()
    for (one, first), (other, second) in product(combos, combos):
        said = oracle.beats(one, other, big, read_options)
        answers[said] += 1
        assert rules.groups.beats(first, second) == (said == "beat"), (one, other, options)
        assert rules.groups.captures(first, second) == (said == "capture"), (one, other, options)
        assert (rules.compare(read(one), read(other)) is None) == (said != "no")
    assert set(answers) == {"beat", "capture", "no"}


def agree_on_plays(rng: Random, hand: list[str], top: list[str] | None) -> None:
    """Check that a seat is offered the plays of the reading, each once, and no other."""
    options, big, lone = chosen(rng, CHOICES), rng.choice("dchs"), rng.random() < 0.5
    read_options = {**options, "lone": lone}
    if top and oracle.classify(top, big, read_options) is None:
        top = None
    sides: dict[str, Any] = {"big": big, "partner": None if lone else 3}
    if top:
        game = lying(" ".join(top), of=asking(**options), **sides)
        game = game._replace(hands=(game.hands[0], game.rules.sort(read(hand)), *game.hands[2:]))
    else:
        game = table(" ".join(hand), of=asking(**options), **sides)
    view = game.view(1 if top else 0)
    offers = Counter(oracle.in_order(game.rules.alike(combo.cards)) for combo in view.plays)
    assert offers == Counter(oracle.plays(hand, top, big, read_options)), (hand, top, options)
    assert bool(view.plays) == bool(offers)
    wanted = read(rng.sample(hand, min(len(hand), rng.randrange(1, 5))))
    assert allowed(view, wanted) == (oracle.pattern(wanted, big) in offers)


def allowed(view: Any, wanted: Any) -> bool:
    try:
        view.plays.verify(wanted)
    except Illegal:
        return False
    return True


def hand_of(rng: Random, size: int) -> list[str]:
    """Return a hand that is rich in aces, fours and jokers, or of few ranks."""
    few = [*rng.sample(oracle.SETS, rng.choice([2, 4, 6])), "A", "4"]
    rich = [card for card in oracle.PACK * 2 if card[0] in few or card in ("BJ", "RJ")]
    return rng.sample(rng.choice([rich, rich, oracle.PACK * 2]), size)


def in_rows(rng: Random) -> list[str]:
    """Return a hand of neighbouring ranks, as often as not from ace to ace, with one to four cards of each."""
    start, length = rng.choice([(0, 14), (0, 13), (1, 13), (rng.randrange(10), 5), (rng.choice([0, 11]), 3)])
    most = {14: 2, 13: 2, 5: 4, 3: 8}[length]
    ranks = [
        rank for rank in oracle.RUN[start : start + length] for _ in range(rng.randrange(max(1, most - 1), most + 1))
    ]
    return [card for rank, count in Counter(ranks).items() for card in of_rank(rng, rank, count)]


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(25))
def test_the_plays_of_a_hand_agree_with_the_oracle(seed: int) -> None:
    rng = Random(seed)
    for size in (1, 4, 8, 9, 14, 18):
        agree_on_plays(rng, hand_of(rng, size), made(rng))
    for top in (None, made(rng), made(rng)):
        agree_on_plays(rng, in_rows(rng), top)
    agree_on_plays(rng, hand_of(rng, 10), None)
    agree_on_plays(rng, rng.sample(oracle.PACK * 2, 26), None if seed % 2 else made(rng))


# The end


def sides_of(declarer: int) -> Iterator[int | None]:
    """Yield possible partners of this seat."""
    return (partner for partner in (None, *SEATS) if partner != declarer)


def finishes(declarer: int, partner: int | None) -> set[tuple[int, ...]]:
    """Return every order in which seats can go out until play is over."""
    found = set()
    for order in permutations(SEATS):
        until = next(at for at in range(1, 6) if oracle_end.has_ended(declarer, partner, order[:at]))
        found.add(order[:until])
    return found


@pytest.mark.parametrize("revealed_scoring", ["doubled_shared", "doubled_unshared"])
@pytest.mark.parametrize("declarer", [0, 3])
def test_scores(declarer: int, revealed_scoring: str) -> None:
    options = {"revealed_scoring": revealed_scoring}
    game = asking(**options)
    for partner, both in product(sides_of(declarer), [False, True]):
        name = ("lone_one", "lone_both")[both] if partner is None else ("basic", "revealed")[both]
        for finish in sorted(finishes(declarer, partner)):
            made_points = points(finish, of=game, declarer=declarer, partner=partner, both=both)
            assert made_points == oracle_end.score(declarer, partner, name, finish, options), (finish, partner, name)


def test_the_leader_after_a_last_play_agrees_with_the_oracle() -> None:
    situations = 0
    for declarer, mask, finisher in product(SEATS, range(32), SEATS):
        out = {seat for seat in SEATS if mask >> seat & 1}
        for partner, known in product(sides_of(declarer), [False, True]):
            if finisher not in out or oracle_end.has_ended(declarer, partner, out) or (partner in out and not known):
                continue  # a partner who is out has shown the Big Ace
            shown_by = {partner} if known and partner is not None else set()
            sides = Sides(declarer, Suit.HEARTS, partner, known=known)
            lead = oracle_end.lead_after(finisher, declarer, partner, shown_by, out)
            assert sides.lead_after(finisher, frozenset(SEATS) - out) == lead, (sides, finisher, out)
            situations += 1
    assert situations == 1600
