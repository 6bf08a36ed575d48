"""The brute-force reading of Big Two holds to the examples and the counts of the game's published description.

Knows the description only; whether the bot plays the same game is told elsewhere.
"""

from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random

import pytest

from tests.oracle.big_two import PACK, liable, penalties, settle, simulate
from tests.oracle.big_two_combinations import STANDARD, beats, classify, plays, straights

RANKS, SUITS = "3456789TJQKA2", "dchs"
RUNS = straights(STANDARD)
ROYAL_SPADES = "Ts Js Qs Ks As"


def of(text: str) -> list[str]:
    """Read cards off a line."""
    return text.split()


@pytest.mark.parametrize(
    ("cards", "kind"),
    [
        ("3d", "single"),
        ("9h 9s", "pair"),
        ("2d 2c 2s", "triple"),
        ("Kd Qs Jh Tc 9c", "straight"),
        ("Ad 2c 3c 4c 5c", "straight"),
        ("2d 3c 4c 5c 6c", "straight"),
        ("Td Js Qs Ks As", "straight"),
        ("2h Jh 9h 6h 4h", "flush"),
        ("9d 9c 9h 4d 4s", "full_house"),
        ("7d 7c 7h 7s 3d", "quads"),
        (ROYAL_SPADES, "straight_flush"),
        ("Ad 2d 3d 4d 5d", "straight_flush"),
        ("2d 3d 4d 5d 6d", "straight_flush"),
    ],
)
def test_valid_plays_are_classified(cards: str, kind: str) -> None:
    for order in list(permutations(cards.split()))[::7]:
        assert classify(order) == kind


@pytest.mark.parametrize(
    "cards",
    [
        "",
        "3d 4d",
        "3d 3d",
        "3d 3c 4d",
        "7d 7c 7h 7s",  # quads need their fifth card
        "3d 3c 4d 4c",
        "3d 3c 4d 4c 5d",  # no two pairs
        "8d 8c 8h 4d 5d",  # a triple takes no extra cards
        "3d 2c Ac Kc Qc",  # the ace is not in the middle
        "2d Ac Kc Qc Jc",  # twos do not rank high
        "4d 3c 2c Ac Kc",
        "3d 4c 5c 6c",
        "3d 4c 5c 6c 7c 8c",
        "3d 4d 5d 6d 8d 9d",
    ],
)
def test_invalid_plays_are_refused(cards: str) -> None:
    assert classify(cards.split()) is None


def test_the_two_high_wrap_in_one_suit_is_only_a_flush() -> None:
    assert classify(of("2h Ah Kh Qh Jh")) == "flush"
    assert classify(of("3h 2h Ah Kh Qh")) == "flush"


@pytest.mark.parametrize("junk", [["1d"], ["3x"], ["10d"], ["3D"], "3d"])
def test_unknown_cards_are_refused(junk: list[str]) -> None:
    with pytest.raises(ValueError, match="not cards"):
        classify(junk)


@pytest.mark.parametrize(
    "ladder",
    [
        ["3d", "3c", "3h", "3s", "4d", "Ts", "Jd", "Ks", "Ad", "As", "2d", "2s"],
        ["3d 3c", "Jc Js", "Qd Qc", "2d 2h", "2c 2s"],
        ["9c 9h", "9d 9s", "Td Tc"],
        ["3d 3c 3h", "Ad Ac As", "2d 2c 2h"],
        # straights: ranks, then the suit of the top card, which of 5-4-3-2-A is the five
        ["5d 4c 3c 2s As", "5c 4d 3d 2d Ad", "6d 5s 4s 3s 2s", "7d 6s 5s 4s 3s", "Qs Js Ts 9s 8h", "Kd Qs Js Ts 9h"],
        ["Kd Qs Js Ts 9h", "Ad Kc Qc Jc Tc", "As Kd Qd Jd Td"],
        # flushes: the suit, then the top card with twos high
        ["2d Kd Qd Jd 9d", "Ah Kh Qh Th 7h", "2h Jh 9h 6h 4h", "9s 7s 6s 5s 3s", "Ts 7s 6s 5s 3s"],
        ["8d 8c 8h Kd Ks", "9d 9c 9h 4d 4s", "Ad Ac Ah 3d 3c", "2d 2c 2h 3d 3c"],
        ["3d 3c 3h 3s 2s", "4d 4c 4h 4s 3d", "2d 2c 2h 2s 3d"],
        ["Ad 2d 3d 4d 5d", "As 2s 3s 4s 5s", "2d 3d 4d 5d 6d", "Th Jh Qh Kh Ah", ROYAL_SPADES],
        # each type of five card group over all of the type below
        ["As Kd Qd Jd Td", "3d 4d 5d 6d 8d", "2s Ks Qs Js 9s", "3d 3c 3h 4d 4c", "2d 2c 2h Ad Ac", "3d 3c 3h 3s 4d"],
        ["2d 2c 2h 2s Ad", "Ad 2d 3d 4d 5d"],
    ],
)
def test_ladders_are_ordered_strictly(ladder: list[str]) -> None:
    rungs = [rung.split() for rung in ladder]
    for low, high in combinations(rungs, 2):
        assert beats(high, low)
        assert not beats(low, high)
    assert not any(beats(rung, rung) for rung in rungs)


def test_only_equally_many_cards_beat() -> None:
    of_each_size = ["3d", "4d 4c", "5d 5c 5h", ROYAL_SPADES]
    for one, other in permutations(of_each_size, 2):
        assert not beats(one.split(), other.split())
    assert not beats(of("2d 2c 2h 2s"), of("3d 3c 3h 3s"))
    assert not beats(["2s", "As"], ["3d", "3c"])


def test_counts_of_the_full_pack() -> None:
    kinds = Counter(classify(cards) for size in (1, 2, 3) for cards in combinations(PACK, size))
    assert (kinds["single"], kinds["pair"], kinds["triple"]) == (52, 78, 52)
    assert set(kinds) == {"single", "pair", "triple", None}
    straight_flushes = [[rank + suit for rank in run] for run in RUNS for suit in SUITS]
    assert len(straight_flushes) == 40
    assert {classify(cards) for cards in straight_flushes} == {"straight_flush"}
    assert all(beats(high, low) for low, high in pairwise(straight_flushes))


def test_every_single_stands_in_the_order_of_the_pack() -> None:
    assert all(beats([high], [low]) for low, high in combinations(PACK, 2))


def test_counts_of_five_card_groups_on_six_ranks() -> None:
    small = [card for card in PACK if card[0] in "345678"]
    assert Counter(classify(cards) for cards in combinations(small, 5)) == {
        "straight_flush": 2 * 4,
        "straight": 2 * (4**5 - 4),
        "flush": 4 * (6 - 2),
        "full_house": 6 * 4 * 5 * 6,
        "quads": 6 * 20,
        None: 42504 - 8 - 2040 - 16 - 720 - 120,
    }


def test_flush_and_straight_on_samples() -> None:
    rng = Random(2)
    for _ in range(300):
        suit, ranks = rng.choice(SUITS), rng.sample(RANKS, 5)
        consecutive = any(set(run) == set(ranks) for run in RUNS)
        assert classify([rank + suit for rank in ranks]) == ("straight_flush" if consecutive else "flush")
        run = rng.choice(RUNS)
        suits = [rng.choice(SUITS) for _ in run]
        kind = "straight_flush" if len(set(suits)) == 1 else "straight"
        assert classify([rank + suit for rank, suit in zip(run, suits, strict=True)]) == kind


def test_exactly_one_of_two_plays_of_a_deal_is_better() -> None:
    groups = [plays(hand, None) for hand in deal(4)]
    for mine, theirs in combinations(groups, 2):
        for one in mine:
            for other in theirs:
                assert (beats(one, other) + beats(other, one)) == (len(one) == len(other))


def test_legal_leads_and_follows_are_listed() -> None:
    hand = of("3d 3c 3h 4d 5d 6d 7d 7s")
    assert frozenset(of("3d 4d 5d 6d 7d")) in plays(hand, None)
    assert frozenset(of("3d 3c 3h 7d 7s")) in plays(hand, None)
    assert plays(hand, ["6s"]) == {frozenset(["7d"]), frozenset(["7s"])}
    assert plays(hand, ["6c", "6s"]) == {frozenset(["7d", "7s"])}
    assert plays(hand, ["4c", "4h", "4s"]) == set()
    assert plays(hand, of("2d 2c 2h 2s As")) == {frozenset(of("3d 4d 5d 6d 7d"))}
    assert plays([], None) == set()


def test_the_first_lead_contains_the_three_of_diamonds() -> None:
    assert plays(["3d", "3h", "4d"], None, must="3d") == {frozenset(["3d"]), frozenset(["3d", "3h"])}


def test_no_card_twice_in_a_hand() -> None:
    with pytest.raises(ValueError, match="twice"):
        plays(["3d", "3d"], None)


def test_penalties_follow_the_published_table() -> None:
    assert penalties([0, 1, 9, 10]) == [0, 1, 9, 20]
    assert penalties([11, 12, 13, 17]) == [22, 24, 39, 51]
    with pytest.raises(ValueError, match="-1"):
        penalties([-1])


def test_each_pair_settles_the_difference() -> None:
    assert settle([0, 10]) == [10, -10]
    assert settle([0, 4, 9, 39]) == [52, 36, 16, -104]
    assert settle([7, 7, 7]) == [0, 0, 0]
    assert sum(settle([0, 5, 20, 39, 1])) == 0


@pytest.mark.parametrize(
    ("hand", "table", "played", "winning", "causal", "simple"),
    [
        # singles being played
        ("5d 9d Ks", "4d", "5d", "Qd", True, True),  # the king would have stopped the queen
        ("5d 9d Ks", "4d", "Ks", "Ad", False, False),  # the highest was played
        ("5d 9d Ks", "4d", "5d", "Ad", False, True),  # the ace would have won anyway
        ("5d 9d Ks", "4d", None, "Qd", True, True),
        ("5d 9d Ks", "4d", None, "Ad", False, True),
        ("5d 9d Ks", "As", None, "2d", False, False),  # the king could not be played
        ("5d 5c Ks", "4d", "Ks", "Ad", False, False),  # following, a pair in hand does not matter
        ("5d 5c Kh", "4d", "5d", "Ks", False, True),  # suits decide too
        # leading with a group in hand
        ("5d 5c Ks", None, "5d", "Qd", True, True),
        ("5d 5c Ks", None, "Ks", "Ad", True, True),
        ("5d 5c Ks", None, "5d", "As", True, True),  # the pair would have stopped even the ace
        ("5d 5c Ks", None, "5d 5c", "As", False, False),
        # leading with singles only
        ("5d 9d Ks", None, "5d", "Qd", True, True),
        ("5d 9d Ks", None, "5d", "Ad", False, True),
        ("5d 9d Ks", None, "Ks", "Ad", False, False),
        # other plays on the table
        ("5d 5c Ks", "4d 4c", None, "Ad", False, False),
        ("5d 5c Ks", "4d 4c", "5d 5c", "Ad", False, False),
        # not at once: the next player could not go out over this
        ("5d 9d Ks", "4d", "9d", "8d", False, False),
    ],
)
def test_precautions_follow_the_published_examples(
    hand: str, table: str | None, played: str | None, winning: str, causal: bool, simple: bool
) -> None:
    before, on_table, act = of(hand), of(table) if table else None, of(played) if played else None
    assert liable(before, on_table, act, 1, winning, causal=True) == causal
    assert liable(before, on_table, act, 1, winning, causal=False) == simple
    assert not liable(before, on_table, act, 2, winning, causal=True)
    assert not liable(before, on_table, act, 2, winning, causal=False)


@pytest.mark.parametrize(
    ("table", "played"), [(None, None), (["6d"], ["5d"]), (None, ["4d"]), (None, ["5d", "5d"]), (["4d", "4c"], ["5d"])]
)
def test_precautions_consider_legal_plays_only(table: list[str] | None, played: list[str] | None) -> None:
    with pytest.raises(ValueError, match="cannot be played"):
        liable(["5d", "Ks"], table, played, 1, "As", causal=True)


FOUR = [of("3d 4d Kc"), of("Jd 5d 5c"), of("2d 6c 7d"), of("Ad 9d 9c")]


def test_passing_does_not_prevent_playing_later() -> None:
    """The description's example: South a four, East a jack, North passes, West an ace, two pass, North a two."""
    hands = [of("4d Kc Kh"), of("Jd 5d 5c"), of("2d 6c 7d"), of("Ad 9d 9c")]
    script = [["4d"], ["Jd"], None, ["Ad"], None, None, ["2d"]]
    assert simulate(hands, 0, script) == {
        "turn": 3,
        "leading": 2,
        "table": frozenset(["2d"]),
        "counts": [2, 2, 2, 2],
        "winner": None,
    }


def test_all_others_pass_and_the_highest_leads_again() -> None:
    standing = simulate(FOUR, 0, [["3d"], ["Jd"], None, None, None])
    assert (standing["turn"], standing["leading"], standing["table"]) == (1, None, None)
    standing = simulate(FOUR, 0, [["3d"], ["Jd"], None, None, None, ["5c", "5d"]])
    assert standing["winner"] == 1
    assert standing["turn"] is None
    assert standing["counts"] == [2, 0, 3, 3]


def test_the_simulation_starts_with_the_given_seat() -> None:
    assert simulate(FOUR, 2, []) == {"turn": 2, "leading": None, "table": None, "counts": [3, 3, 3, 3], "winner": None}
    assert simulate(FOUR, 2, [["6c"]])["turn"] == 3  # without the three of diamonds any lead will do
    assert simulate(FOUR, 2, [["6c"], ["9c"], ["Kc"]])["leading"] == 0  # its holder owes it in the first act only


@pytest.mark.parametrize(
    "script",
    [
        [None],
        [["4d"]],  # the three of diamonds first
        [["Jd"]],  # another's card
        [[]],
        [["3d", "3d"]],
        [["3d", "4d"]],
        [["3d"], ["5c", "5d"]],
        [["3d"], ["Jd"], ["7d"]],
        [["3d"], ["Jd"], None, None, None, None],
        [["3d"], ["Jd"], None, None, None, ["5d", "5c"], None],
    ],
)
def test_illegal_steps_are_refused(script: list[list[str] | None]) -> None:
    assert simulate(FOUR, 0, script[:-1])["counts"]  # only the last step is at fault
    with pytest.raises(ValueError, match=f"step {len(script) - 1}"):
        simulate(FOUR, 0, script)


def test_no_card_dealt_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        simulate([["3d"], ["3d"]], 0, [])


@pytest.mark.parametrize("starter", [-1, 4])
def test_only_a_seat_starts(starter: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        simulate(FOUR, starter, [])


def deal(seed: int) -> list[list[str]]:
    """Deal the pack to four seats."""
    pack = list(PACK)
    Random(seed).shuffle(pack)
    return [pack[seat::4] for seat in range(4)]
