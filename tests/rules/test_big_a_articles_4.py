"""Section 4 of the rule page of Big A, an article at a time: bombs."""

from itertools import pairwise

import pytest

from bot.rules.big_a import BigA
from tests.rules.big_a_positions import (
    after,
    alike,
    answer,
    asking,
    beats,
    climbs,
    in_a_row,
    kind,
    lying,
    refusal,
    rules,
    table,
    why_not,
    why_not_led,
)

LOWEST = {  # of each kind
    "triplet": alike("4", 3),
    "four": alike("4", 4),
    "five": alike("4", 5),
    "six": alike("4", 6),
    "two_jokers": "BJ BJ",
    "triplet_sequence": in_a_row("A23", 3),
    "fake_eight": in_a_row("A2", 4),
    "seven": alike("4", 7),
    "eight": alike("4", 8),
    "three_jokers": "BJ BJ RJ",
    "four_jokers": "BJ BJ RJ RJ",
    "big_ace_pair": "Ah Ah",
    "quad_triplet_sequence": in_a_row("A234", 3),
    "quint_triplet_sequence": in_a_row("A2345", 3),
    "false_ten": in_a_row("A2", 5),
    "false_twelve": in_a_row("A2", 6),
    "false_fourteen": in_a_row("A2", 7),
}
HIGHEST = LOWEST | {
    "triplet": alike("3", 3),
    "four": alike("3", 4),
    "five": alike("3", 5),
    "six": alike("3", 6),
    "two_jokers": "RJ RJ",
    "triplet_sequence": in_a_row("QKA", 3),
    "fake_eight": in_a_row("KA", 4),
    "seven": alike("3", 7),
    "eight": alike("3", 8),
    "quad_triplet_sequence": in_a_row("JQKA", 3),
    "quint_triplet_sequence": in_a_row("TJQKA", 3),
    "false_ten": in_a_row("KA", 5),
    "false_twelve": in_a_row("KA", 6),
    "false_fourteen": in_a_row("KA", 7),
}
BASIC = [*LOWEST][:12]
FURTHER = [*LOWEST][12:]
ORDINARY = {
    "single": "9d",
    "joker": "RJ",
    "big_ace": "Ah",
    "pair": "3d 3c",
    "sequence": "Td Jd Qd Kd Ad",
    "double_sequence": "Qh Qs Kh Ks Ah Ah",
}


def is_the_order(ladder: list[str], game: BigA) -> None:
    """Check that the lowest of each kind beats the highest of the kind below, and none goes the other way."""
    assert [kind(LOWEST[each], game) for each in ladder] == ladder
    assert [kind(HIGHEST[each], game) for each in ladder] == ladder
    for low, high in pairwise(ladder):
        assert beats(LOWEST[high], HIGHEST[low], game, partner=None), (low, high)
        assert answer(HIGHEST[low], LOWEST[high], game, partner=None) == "no"
    assert climbs(*(LOWEST[each] for each in ladder if each not in ("four", "five", "six")), of=game, partner=None)


def test_4_1_what_bombs_are() -> None:
    for bomb in ("six", "two_jokers", "big_ace_pair"):
        assert all(beats(LOWEST[bomb], top, partner=None) for top in ORDINARY.values())
        assert all(beats(LOWEST[bomb], HIGHEST[lower], partner=None) for lower in BASIC[: BASIC.index(bomb)])
        assert not any(beats(each, LOWEST[bomb], partner=None) for each in ORDINARY.values())


def test_o3_1_the_order_of_the_bombs() -> None:
    is_the_order(BASIC, asking(bomb_ladder="basic"))
    assert [kind(LOWEST[each], rules(bomb_ladder="basic")) for each in FURTHER] == [None] * 5
    assert why_not(HIGHEST["eight"], LOWEST["three_jokers"]) == "O3.1"


def test_o3_2_the_order_of_the_bombs() -> None:
    game = asking("homygames")
    ladder = [
        "triplet",
        "four",
        "five",
        "six",
        "two_jokers",
        "triplet_sequence",
        "fake_eight",
        "seven",
        "three_jokers",
        "quad_triplet_sequence",
        "false_ten",
        "eight",
        "quint_triplet_sequence",
        "false_twelve",
        "four_jokers",
        "false_fourteen",
        "big_ace_pair",
    ]
    is_the_order(ladder, game)
    assert why_not(LOWEST["three_jokers"], LOWEST["eight"], game) == "O3.2"


def test_o3_3_the_further_bombs() -> None:
    game = asking("homygames")
    for name in FURTHER:
        assert kind(HIGHEST[name], game) == name
        assert beats(HIGHEST[name], LOWEST[name], game)
        assert why_not(LOWEST[name], HIGHEST[name], game) == "O3.3"
        assert why_not_led(HIGHEST[name], rules(bomb_ladder="basic")) == "3.11"
    assert kind("Qd Qc Qh Kd Kc Kh Ad Ah Ah Jd Jc Jh", game) == "quad_triplet_sequence"
    assert kind(in_a_row("78", 8), game) is None
    assert kind(in_a_row("79", 5), game) is None
    assert kind(in_a_row("456789", 3), game) is None


def test_4_2_triplet() -> None:
    assert beats("5d 5c 5h", "3d 3c")
    assert all(beats("4d 4c 4h", f"{rank}d") for rank in "456789TJQKA23")
    assert beats("4d 4c 4h", "Ad 2d 3d")
    assert beats("4d 4c 4h", "2d 3d 4s 5d 6d 7d 8d 9d Td Jd Qd Kd Ad")
    assert climbs(*(alike(rank, 3) for rank in "56789TJQKA23"))


@pytest.mark.parametrize("top", ["BJ", "RJ", "Ah", "6d 6c 7d 7c 8d 8c"])
def test_4_3_what_a_triplet_does_not_beat(top: str) -> None:
    assert not beats("3d 3c 3h", top)
    assert why_not("3d 3c 3h", top) == "4.3"


def test_4_4_four_of_a_kind() -> None:
    four = alike("4", 4)
    assert all(beats(four, top) for name, top in ORDINARY.items() if name != "big_ace")
    assert beats(four, "BJ")
    assert beats(four, alike("3", 3))
    assert beats(alike("5", 4), four)
    assert not beats(alike("3", 4), "Ah")
    assert why_not(alike("3", 4), "Ah") == "4.4"


def test_4_5_five_of_a_kind_and_better() -> None:
    for name in BASIC[2:]:
        tops = [top for top in ORDINARY.values() if top != "Ah" or name != "big_ace_pair"]
        assert all(beats(LOWEST[name], top, partner=None) for top in tops)
    assert beats("5d 5c 5h 5s 5d", "Ah")
    assert beats(alike("4", 6), alike("3", 5))
    assert kind(alike("4", 6)) == "six"


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 8])
def test_4_6_rank_decides(count: int) -> None:
    sets = [alike(rank, count) for rank in "56789TJQKA23"]
    assert climbs(*sets)
    assert beats(sets[0], alike("4", count))
    assert why_not(sets[0], sets[1]) == "4.6"


def test_4_7_eggs_and_big_eggs() -> None:
    kinds = [kind(alike("7", count)) for count in range(3, 9)]
    assert kinds == ["triplet", "four", "five", "six", "seven", "eight"]
    taken = [answer(alike("4", count - 1), alike("7", count)) == "capture" for count in range(3, 9)]
    assert taken == [True, True, True, True, False, False]  # eggs are what fours can capture


def test_4_8_two_jokers() -> None:
    assert climbs("BJ BJ", "BJ RJ", "RJ RJ")
    assert beats("BJ RJ", alike("3", 6))
    assert why_not("BJ BJ", "RJ RJ") == "4.8"


def test_4_9_triplet_sequence() -> None:
    run = "A23456789TJQKA"
    assert climbs(*(in_a_row(run[at : at + 3], 3) for at in range(12)))
    assert kind("4d 4c 4h 5d 5c 5h 6d 6c 6h") == "triplet_sequence"
    assert [kind(in_a_row(ranks, 3)) for ranks in ("KA2", "45", "4567", "457")] == [None] * 4
    assert why_not(in_a_row("A23", 3), in_a_row("QKA", 3)) == "4.9"


def test_4_10_fake_eight() -> None:
    run = "A23456789TJQKA"
    assert climbs(*(in_a_row(run[at : at + 2], 4) for at in range(13)))
    assert kind("7d 7c 7h 7s 8d 8c 8h 8s") == "fake_eight"
    assert [kind(in_a_row(ranks, 4)) for ranks in ("79", "K2", "789")] == [None] * 3
    assert why_not(in_a_row("A2", 4), in_a_row("KA", 4)) == "4.10"


def test_4_11_seven_and_eight_of_a_kind() -> None:
    assert [kind(alike("9", count)) for count in (7, 8)] == ["seven", "eight"]
    assert beats(alike("5", 8), alike("3", 7))
    assert beats(alike("5", 7), in_a_row("KA", 4))


def test_4_12_three_and_four_jokers() -> None:
    assert [kind(text) for text in ("BJ BJ RJ", "BJ RJ RJ", "BJ BJ RJ RJ")] == [
        "three_jokers",
        "three_jokers",
        "four_jokers",
    ]
    assert not beats("BJ RJ RJ", "BJ BJ RJ")
    assert beats("BJ BJ RJ RJ", "BJ RJ RJ")


def test_4_13_the_big_ace_pair() -> None:
    for game in (asking(), asking("homygames")):
        kinds = [each for each in HIGHEST if kind(HIGHEST[each], game) and each != "big_ace_pair"]
        assert all(beats("Ah Ah", HIGHEST[each], game, partner=None) for each in kinds)
        known = [HIGHEST[each] for each in HIGHEST if kind(HIGHEST[each], game)]
        assert not any(answer(each, "Ah Ah", game, partner=None) != "no" for each in known)
    assert kind("Ad Ad") == "pair"  # plain aces


def test_o9_1_whoever_holds_both() -> None:
    game = asking(big_ace_pair_scope="any_holder")
    for partner in (None, 3):  # alone; or a player who has captured them
        over = lying("BJ BJ RJ RJ", "Ah Ah", of=game, partner=partner)
        assert after(over, "Ah Ah").trick.top == game.in_force(over.sides.suit).classify(over.rules.big_aces)
        assert "big_ace_pair" in [combo.kind for combo in over.view(1).plays]


def test_o9_2_only_where_the_declarer_is_alone() -> None:
    game = asking()  # as the source says: "can of course only be used if the declarer is playing alone"
    assert game == asking(big_ace_pair_scope="lone_deal_only")
    alone = lying("BJ BJ RJ RJ", "Ah Ah", of=game, partner=None)
    assert [combo.kind for combo in alone.view(1).plays] == ["big_ace_pair"]
    captured = lying("BJ BJ RJ RJ", "Ah Ah", of=game, partner=3)
    assert list(captured.view(1).plays) == []
    refusal(captured, "Ah Ah")
    assert beats("Ah Ah", "Kd Kc", game, partner=3)  # an ordinary pair of aces
    assert not beats("Ah Ah", "2d 2c", game, partner=3)
    assert beats("2d 2c", "Ah Ah", game, partner=3)
    assert beats("Ah Ah", "2d 2c", game, partner=None)


def test_4_14_big_aces_in_other_bombs() -> None:
    assert [kind(text) for text in ("Ah Ah Ad", "Ah Ah Ad Ac", in_a_row("KA", 4), in_a_row("A23", 3))] == [
        "triplet",
        "four",
        "fake_eight",
        "triplet_sequence",
    ]
    assert not beats("Ah Ah Ad", "As As Ac")
    assert beats("2d 2c 2h", "Ah Ah Ad")
    assert beats("2d 2c 2h 2s", "Ah Ah Ad As")


@pytest.mark.parametrize("name", BASIC)
def test_4_15_bombs_can_be_led(name: str) -> None:
    led = after(table(f"{LOWEST[name]} 9d", of=asking(), partner=None), LOWEST[name])
    assert led.trick.top
    assert led.trick.top.kind == name


@pytest.mark.parametrize("plain", ORDINARY.values())
def test_4_16_nothing_ordinary_beats_a_bomb(plain: str) -> None:
    for bomb in ("triplet", "four", "five", "eight"):
        assert not beats(plain, LOWEST[bomb])
    assert why_not(plain, alike("5", 5)) == "4.16"


@pytest.mark.parametrize(("plain", "bomb"), [("Ah", "triplet"), ("RJ", "triplet"), ("Ah", "four")])
def test_4_16_is_cited_also_where_the_bomb_would_not_beat_it_either(plain: str, bomb: str) -> None:
    assert why_not(plain, LOWEST[bomb]) == "4.16"


def test_4_17_equal_bombs() -> None:
    assert not beats("8s 8d 8c", "8d 8c 8h")
    assert why_not("8s 8d 8c", "8d 8c 8h") == "4.17"
    for bomb in (LOWEST["six"], "BJ RJ", in_a_row("A23", 3), in_a_row("KA", 4)):
        assert why_not(bomb, bomb) == "4.17"
