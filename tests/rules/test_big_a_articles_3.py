"""Section 3 of the rule page of Big A, an article at a time: ordinary plays."""

import pytest

from tests.rules.big_a_positions import asking, beats, climbs, kind, named, rules, table, why_not, why_not_led

ACE_TO_ACE = "Ad 2c 3h 4s 5d 6c 7h 8s 9d Tc Jh Qs Kd Ac"
THIRTEEN = "Ad 2c 3h 4s 5d 6c 7h 8s 9d Tc Jh Qs Kd"


def doubled(run: str) -> str:
    """Return every card of a sequence twice."""
    return f"{run} {run}"


def test_3_1_single() -> None:
    assert [kind(text) for text in ("4d", "Ad", "RJ", "Ah")] == ["single", "single", "joker", "big_ace"]
    assert beats("3c", "2d")
    assert beats("RJ", "BJ")
    assert all(beats("Ah", top) for top in ("4d", "3d", "Ad", "BJ", "RJ"))
    assert why_not("2d", "3c") == "1.6"


@pytest.mark.parametrize("cards", ["7d", "RJ", "Ah", "Ac", "7d 7c", "6d 7c 8h", "6d 6c 7d 7c 8d 8c"])
def test_3_2_strictly_higher(cards: str) -> None:
    assert not beats(cards, cards)
    assert why_not(cards, cards) == "3.2"


def test_3_3_pair() -> None:
    assert kind("7d 7d") == kind("7d 7s") == "pair"
    assert climbs("4h 4h", "5d 5c", "Kd Ks", "Ac Ad", "2d 2d", "3d 3s")
    assert why_not("4h 4h", "5d 5c") == "1.7"
    assert kind("BJ RJ") == kind("BJ BJ") == "two_jokers"
    assert why_not_led("7d 8c") == "3.3"


def test_3_4_big_ace_and_plain_ace() -> None:
    assert kind("Ah Ac") == kind("Ad Ac") == "pair"
    assert beats("2d 2c", "Ah Ac")
    assert not beats("Ah Ac", "2d 2c")
    assert not beats("Ah Ac", "Ad As")
    assert beats("Ah Ac", "Kd Kc")


def test_3_5_sequence() -> None:
    assert [kind(text) for text in ("4d 5c 6h", "4d 5d 6d", "4d 5c", "4d 5c 7h")] == [
        "sequence",
        "sequence",
        None,
        None,
    ]
    assert beats("7d 8c 9c Td", "6s 7s 8s 9s")
    assert not beats("6s 7s 8s 9s", "7d 8c 9c Td")


def test_3_6_low_cards_and_both_ends() -> None:
    assert climbs("Ad 2c 3h", "2d 3c 4h", "3d 4d 5d", "Jd Qc Kh", "Qd Kc As")
    assert beats("Jd Qc Kh", "2s 3s 4s")
    assert [kind(text) for text in ("Kd Ac 2h", "Qd Kd Ad 2d", "Kd Ac 2h 3s")] == [None, None, None]
    assert why_not_led("Kd Ac 2h") == "3.6"


@pytest.mark.parametrize("cards", ["5d 6c RJ", "5d 6c BJ 8d", "Kd Ad BJ", "5d 5c 6d 6c BJ RJ", "5d 5c 5h RJ"])
def test_3_7_no_jokers(cards: str) -> None:
    assert kind(cards) is None
    assert why_not_led(cards) == "3.7"


def test_3_8_big_aces_in_sequences_are_plain() -> None:
    assert kind("Ah 2c 3h") == kind("Qd Kd Ah") == "sequence"
    assert not beats("Qd Kd Ah", "Qc Kc As")
    assert not beats("Ah 2c 3h", "2d 3d 4d")
    assert beats("2d 3d 4d", "Ah 2c 3h")


def test_3_9_the_same_length_only() -> None:
    assert not beats("6c 7c 8c 9c", "6d 7d 8d")
    assert not beats("Jc Qc Kc", "6d 7d 8d 9d")
    assert why_not("6c 7c 8c 9c", "6d 7d 8d") == why_not("Jc Qc Kc", "6d 7d 8d 9d") == "3.9"
    assert not beats("6c 7c 8c", "4d")
    assert not beats("Jd Qd Kd", "4d 4c")


def test_3_10_double_sequence() -> None:
    assert kind("6d 6c 7d 7c 8d 8c") == "double_sequence"
    assert kind("6d 6c 7d 7c") is None
    assert why_not_led("6d 6c 7d 7c") == "3.10"
    assert climbs("Ad Ac 2d 2c 3d 3c", "6d 6c 7d 7c 8d 8c", "Jd Jc Qd Qc Kd Kc", "Qh Qs Kh Ks Ah Ah")
    assert kind("Qd Qc Kd Kc Ah Ah") == "double_sequence"
    assert not beats("8h 8s 9d 9c Td Tc Jd Jc", "6d 6c 7d 7c 8d 8c")
    assert not beats("Jd Qd Kd", "6d 6c 7d 7c 8d 8c")


@pytest.mark.parametrize(
    ("cards", "article"),
    [
        ("7d 7c 7h 8d 8c", "3.11"),  # a full house
        ("7d 7c 7h 8d", "3.11"),  # a triplet with an extra card
        ("4d 7d 9d Jd Kd", "3.6"),  # a flush
        ("4d 4c 5d 5c", "3.10"),  # two neighbouring pairs
        ("4d 4c 4h 5d 5c 5h", "3.11"),  # and triplets
        ("RJ 3d", "3.7"),
        ("RJ RJ 3d", "3.7"),
        ("4d 4c 6d 6c 8d 8c", "3.10"),
    ],
)
def test_3_11_nothing_else(cards: str, article: str) -> None:
    assert kind(cards) is None
    assert why_not_led(cards) == article


def test_o10_1_from_ace_to_ace() -> None:
    game = rules(ace_to_ace_sequence=True)
    assert kind(ACE_TO_ACE, game) == "sequence"
    assert kind(doubled(ACE_TO_ACE), game) == "double_sequence"
    assert kind(f"{ACE_TO_ACE} 2d", game) is None
    hand = table(ACE_TO_ACE, of=game).view(0)
    assert max(len(combo.cards) for combo in hand.plays) == 14


def test_o10_2_thirteen_at_most() -> None:
    game = rules(ace_to_ace_sequence=False)
    assert kind(ACE_TO_ACE, game) is None
    assert kind(doubled(ACE_TO_ACE), game) is None
    assert why_not_led(ACE_TO_ACE, game) == why_not_led(doubled(ACE_TO_ACE), game) == "O10.2"
    assert kind(THIRTEEN, game) == "sequence"
    assert kind("2c 3h 4s 5d 6c 7h 8s 9d Tc Jh Qs Kd Ac", game) == "sequence"
    hand = table(ACE_TO_ACE, of=game).view(0)
    assert max(len(combo.cards) for combo in hand.plays) == 13


@pytest.mark.parametrize("run", [THIRTEEN, doubled(THIRTEEN)])
def test_3_12_all_thirteen_ranks_count_as_ace_high(run: str) -> None:
    combo = named(run)
    assert combo
    assert str(combo.head.rank) == "A"
    assert not beats(run, run, asking())
    sizes = [len(each.cards) for each in table(run).view(0).plays]
    assert sizes.count(len(run.split())) == 1  # and not a second time with the ace below
