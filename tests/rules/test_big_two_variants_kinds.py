"""The rule page of Big Two, an article at a time: the combinations and their order (C10-C14, C19)."""

from itertools import product

import pytest

from bot.rules.big_two import BigTwo
from tests.rules.page_articles import forbids, forbids_on, forbids_to_lead, under
from tests.rules.positions import after, beats, climbs, kind, refusal, result, table

# the lowest and the highest of each type
STRAIGHTS = ("Ad 2s 3d 4c 5d", "Th Js Qs Ks As")
FLUSHES = ("3d 4d 5d 6d 8d", "2s As Ks Qs 9s")
FULL_HOUSES = ("3d 3c 3h 4d 4c", "2d 2c 2h As Ah")
QUADS = ("3d 3c 3h 3s 4d", "2d 2c 2h 2s As")
SUITED = ("Ad 2d 3d 4d 5d", "9s Ts Js Qs Ks")
ROYALS = ("Td Jd Qd Kd Ad", "Ts Js Qs Ks As")
SEVENS = ("Ad 2d 3d 4d 5d 9c 9h", "9s Ts Js Qs Ks 3d 3c")

# How many cards


RICH = "3d 3c 3h 3s 4d 4c 5d 6d 7d 8d 9d Kd"  # holds something of every type


def sizes(game: BigTwo) -> set[int]:
    """Return the numbers of cards that can be led from a rich hand."""
    return {len(combo.cards) for combo in table(RICH, *["4h 5h"] * 3, of=game).view(0).plays}


def test_c14_4_one_two_three_or_five() -> None:
    game = under("C14.4")
    assert sizes(game) == {1, 2, 3, 5}
    assert [forbids_to_lead(text, game) for text in ("3d 3c 3h 4d", "4d 5d 6d 7d 8d 9d")] == ["4.1", "4.1"]


def test_c14_5_one_two_or_five() -> None:
    game = under("C14.5", "singapore")
    assert sizes(game) == {1, 2, 5}
    assert forbids_to_lead("3d 3c 3h", game) == "C12.1"
    assert forbids_to_lead("3d 3c 5h", game) == "4.17"


def test_c17_12_one_two_three_five_or_seven() -> None:
    game = under("C17.12", sf_form="plus_two")
    assert sizes(game) == {1, 2, 3, 5, 7}
    assert forbids_to_lead("4d 5d 6d 7d 8d 9d", game) == "4.1"


def test_c17_13_one_two_five_or_seven() -> None:
    game = under("C17.13", "taiwan_latta")
    assert sizes(game) == {1, 2, 5, 7}
    assert forbids_to_lead("3d 3c 3h", game) == "C12.1"


@pytest.mark.parametrize("form", ["bare", "both"])
def test_c14_7_one_two_three_four_or_five(form: str) -> None:
    game = under("C14.7", quads_form=form)
    assert sizes(game) == {1, 2, 3, 4, 5}
    assert forbids_to_lead("3d 3c 3h 3s 4d 4c", game) == "4.1"
    refused = refusal(table("3d 3c 3h 4d 9c", *["5h 6h"] * 3, of=game), "3d 3c 3h 4d")
    assert "4 cards are no combination" not in str(refused)  # for there is one of four cards


@pytest.mark.parametrize("form", ["bare", "both"])
def test_c14_8_one_two_four_or_five(form: str) -> None:
    game = under("C14.8", quads_form=form, triples=False)
    assert sizes(game) == {1, 2, 4, 5}
    assert forbids_to_lead("3d 3c 3h", game) == "C12.1"


@pytest.mark.parametrize("form", ["bare", "both"])
def test_c17_15_one_two_three_four_five_or_seven(form: str) -> None:
    game = under("C17.15", quads_form=form, sf_form="plus_two")
    assert sizes(game) == {1, 2, 3, 4, 5, 7}
    assert forbids_to_lead("4d 5d 6d 7d 8d 9d", game) == "4.1"


@pytest.mark.parametrize("form", ["bare", "both"])
def test_c17_16_one_two_four_five_or_seven(form: str) -> None:
    game = under("C17.16", quads_form=form, sf_form="plus_two", triples=False)
    assert sizes(game) == {1, 2, 4, 5, 7}
    assert forbids_to_lead("3d 3c 3h", game) == "C12.1"


# The types in order


def lower_on_higher(*types: tuple[str, str], of: BigTwo) -> set[str]:
    """Hold the types, weakest first, against each other; return the articles that forbid a weaker on a stronger."""
    assert climbs(*(text for both in types for text in both), of=of)
    pairs = [(low[1], high[0]) for at, high in enumerate(types) for low in types[:at]]
    return {forbids_on(low, high, of) for low, high in pairs}


@pytest.mark.parametrize(("order", "form"), [*product(["standard", "royal_separate"], ["kicker", "both"])])
def test_c11_1_the_types_in_order(order: str, form: str) -> None:
    game = under("C11.1", five_order=order, quads_form=form)
    assert lower_on_higher(STRAIGHTS, FLUSHES, FULL_HOUSES, QUADS, SUITED, of=game) == {"4.16"}


@pytest.mark.parametrize("order", ["standard", "royal_separate"])
def test_c13_2_the_types_in_order(order: str) -> None:
    game = under("C13.2", "singapore", five_order=order)
    assert lower_on_higher(STRAIGHTS, FULL_HOUSES, QUADS, SUITED, of=game) == {"4.16"}
    assert kind(FLUSHES[0], game) is None


def test_c19_3_the_types_in_order() -> None:
    game = under("C19.3", "da_lao_er")
    for side in (STRAIGHTS, FULL_HOUSES):
        assert lower_on_higher(side, QUADS, SUITED, of=game) == {"4.16"}
    assert not beats(FULL_HOUSES[1], STRAIGHTS[0], game)


def test_c17_7_the_types_in_order() -> None:
    game = under("C17.7", "taiwan_latta")
    assert lower_on_higher(STRAIGHTS, FULL_HOUSES, QUADS, of=game) == {"4.16"}
    assert kind(SUITED[0], game) == "straight"
    assert kind(SEVENS[0], game) == "sf_plus_two"


def test_c17_14_the_types_in_order() -> None:
    game = under("C17.14", sf_form="plus_two")
    assert lower_on_higher(STRAIGHTS, FLUSHES, FULL_HOUSES, QUADS, of=game) == {"4.16"}
    assert kind(SUITED[0], game) == "flush"
    assert kind(SEVENS[0], game) == "sf_plus_two"


# Flushes


def test_c10_2_flushes_by_their_highest_card() -> None:
    game = under("C10.2", flush_rank="top_card")
    assert climbs("Ah Kh Jh 9h 8h", "As Js Ts 7s 6s", "2d Jd 7d 5d 3d", of=game)
    assert climbs("9c 8c 7c 6c 4c", "9h 6h 5h 4h 3h", "2c 8c 7c 5c 3c", of=game)
    assert forbids_on("9c 8c 7c 6c 4c", "9h 6h 5h 4h 3h", game) == "C10.2"
    assert climbs("As Ks Qs Js 9s", *SUITED, of=game)  # straight flushes go by their sequence all the same


def test_c10_3_flushes_by_all_their_ranks() -> None:
    game = under("C10.3", flush_rank="all_ranks")
    assert climbs("As Js Ts 7s 6s", "Ah Kh Jh 9h 8h", "2d Jd 7d 5d 3d", of=game)
    assert climbs("9c 8c 7c 5c 3c", "9h 8h 7h 5h 3h", "9c 8c 7c 6c 4c", of=game)
    assert climbs("Kd Jd Td 8d 6d", "Ks Js Ts 8s 6s", "Kd Jd Td 8d 7d", of=game)
    assert forbids_on("As Js Ts 7s 6s", "Ah Kh Jh 9h 8h", game) == "C10.3"


def test_c13_1_no_flushes() -> None:
    game = under("C13.1", flushes=False)
    assert kind("9s 7s 6s 5s 3s", game) is None
    assert kind("9s 8s 7s 6s 5s", game) == "straight_flush"
    assert forbids_to_lead("9s 7s 6s 5s 3s", game) == "C13.1"


# Triples and four of a kind


def test_c12_1_no_triples() -> None:
    game = under("C12.1", triples=False)
    assert forbids_to_lead("7d 7c 7h", game) == "C12.1"
    assert kind("7d 7c 7h 4d 4c", game) == "full_house"
    assert climbs("7d 7c 7h 4d 4c", "8d 8c 8h 3d 3c", of=game)


def test_c14_6_not_without_the_fifth() -> None:
    game = under("C14.6", quads_form="kicker")
    assert kind("7d 7c 7h 7s", game) is None
    assert forbids_to_lead("7d 7c 7h 7s", game) in {"4.12", "C14.6"}
    assert kind("7d 7c 7h 7s 3d", game) == "quads"


@pytest.mark.parametrize("form", ["bare", "both"])
def test_c14_1_four_alone(form: str) -> None:
    game = under("C14.1", quads_form=form)
    led = after(table("7d 7c 7h 7s 9d", "8d 8c 8h 8s 9c", "3c 4c", "5c 6c", of=game), "7d 7c 7h 7s")
    assert result(after(led, "8d 8c 8h 8s", "-", "-", "-", "9c")).order == (1,)
    assert forbids_to_lead("7d 7c 7h 8s", game) in {"4.1", "4.17", "C14.1"}


@pytest.mark.parametrize(("form", "honours"), [*product(["bare", "both"], ["five_card", "any"])])
def test_c14_2_what_four_alone_can_do(form: str, honours: str) -> None:
    game = under("C14.2", quads_form=form, honours_beat=honours)
    assert climbs("3d 3c 3h 3s", "7d 7c 7h 7s", "2d 2c 2h 2s", of=game)
    others = ("4d", "4d 4c", "4d 4c 4h", FULL_HOUSES[0], SUITED[0])
    assert {forbids_on("7d 7c 7h 7s", other, game) for other in others} == {"C14.2"}
    assert {forbids_on(other, "7d 7c 7h 7s", game) for other in (*others, FULL_HOUSES[1], ROYALS[1])} == {"C14.2"}
    assert forbids_on("3d 3c 3h 3s", "7d 7c 7h 7s", game) == "C14.2"


def test_c14_3_no_odd_card() -> None:
    game = under("C14.3", quads_form="bare")
    assert kind("7d 7c 7h 7s 3d", game) is None
    assert forbids_to_lead("7d 7c 7h 7s 3d", game) == "C14.3"
    assert climbs(*STRAIGHTS, *FLUSHES, *FULL_HOUSES, *SUITED, of=game)
    # no special value: nothing in Indonesia, and no honour hand in Taiwan
    indonesia = under("C14.3", "indonesia", direction="anticlockwise", quads_form="bare")
    over = result(after(table("7d 7c 7h 7s", "4d", "5d", "6d", of=indonesia), "7d 7c 7h 7s"))
    assert (over.points, over.notes) == ((-5, 1, 1, 1), ())
    taiwan = under("C14.3", "taiwan", quads_form="bare")
    assert result(after(table("4s", "3d 3c 3h 3s 4d", "Ad", "5d", of=taiwan), "4s")).points == (0, 0, 1, 0)


# The royal flush


LIKE_TWOS = [
    ("a2345_top", "As 2s 3s 4s 5s"),
    ("23456_top_a2345_low", "2s 3s 4s 5s 6s"),
    ("jqka2_top_no_low", "Js Qs Ks As 2s"),
    ("hong_kong", "As 2s 3s 4s 5s"),
]


def test_c11_2_royal_flush() -> None:
    game = under("C11.2", "denexa")
    assert kind(ROYALS[0], game) == "royal_flush"
    assert climbs(*SUITED, "Td Jd Qd Kd Ad", "Tc Jc Qc Kc Ac", "Th Jh Qh Kh Ah", "Ts Js Qs Ks As", of=game)
    assert climbs(*QUADS, *SUITED, *ROYALS, of=game)
    assert forbids_on(ROYALS[0], ROYALS[1], game) == "C11.2"
    assert forbids_on(SUITED[1], ROYALS[0], game) == "C11.2"
    assert forbids_on(STRAIGHTS[1], FLUSHES[0], game) == "4.16"


def test_c11_3_only_the_royal_stands_on_top() -> None:
    game = under("C11.3", five_order="royal_only_beats_quads")
    types = (STRAIGHTS, FLUSHES, FULL_HOUSES, SUITED, QUADS, ROYALS)
    assert climbs(*(text for both in types for text in both), of=game)
    assert climbs("3d 3c 3h 3s 8d", "2d 2c 2h 2s 6d", "Ad Kd Qd Jd Td", of=game)
    assert [forbids_on(text, ROYALS[0], game) for text in (QUADS[1], SUITED[1])] == ["C11.3", "C11.3"]
    assert forbids_on(FULL_HOUSES[1], SUITED[0], game) in {"C11.3", "4.16"}
    assert forbids_on(ROYALS[0], ROYALS[1], game) == "C11.3"
    assert forbids_on(STRAIGHTS[1], FLUSHES[0], game) == "4.16"
    assert forbids_on(FLUSHES[1], FULL_HOUSES[0], game) == "4.16"
    assert forbids_on(STRAIGHTS[1], QUADS[0], game) == "4.16"


@pytest.mark.parametrize("form", ["kicker", "both"])
def test_c11_5_four_of_a_kind_in_between(form: str) -> None:
    game = under("C11.5", five_order="royal_only_beats_quads", quads_form=form)
    assert climbs("9s 8s 7s 6s 5s", "Ks Qs Js Ts 9s", "3d 3c 3h 3s 8d", "2d 2c 2h 2s 6d", *ROYALS, of=game)
    assert forbids_on("9s 8s 7s 6s 5s", "3d 3c 3h 3s 8d", game) in {"C11.3", "C11.5"}


@pytest.mark.parametrize(
    ("order", "scheme", "text"),
    [(order, *each) for order in ("royal_separate", "royal_only_beats_quads") for each in LIKE_TWOS],
)
def test_c11_4_royal_above_every_sequence(order: str, scheme: str, text: str) -> None:
    game = under("C11.4", five_order=order, straight_scheme=scheme)
    assert kind(text, game) == "straight_flush"
    assert climbs(text, "Td Jd Qd Kd Ad", of=game)
    assert forbids_on(text, "Td Jd Qd Kd Ad", game) in {"C11.2", "C11.3", "C11.4"}
    plain = under("4.14", straight_scheme=scheme)  # there the sequence alone decides
    assert climbs("Ts Js Qs Ks As", text, of=plain)


# Straight and full house


def test_c19_1_straight_and_full_house() -> None:
    game = under("C19.1", full_house_beats_straight=False)
    assert forbids_on("As Ad Ah Kd Kc", "3d 4c 5h 6s 7d", game) == "C19.1"
    assert forbids_on("Th Js Qs Ks As", "3d 3c 3h 4d 4c", game) == "C19.1"
    assert climbs(*STRAIGHTS, *QUADS, of=game)
    assert climbs(*FULL_HOUSES, *QUADS, *SUITED, of=game)


def test_c19_2_and_the_flush() -> None:
    game = under("C19.2", full_house_beats_straight=False)
    assert climbs(*STRAIGHTS, *FLUSHES, of=game)
    assert climbs(*FLUSHES, *FULL_HOUSES, of=game)
    assert forbids_on(STRAIGHTS[1], FLUSHES[0], game) == "4.16"
    assert forbids_on(FLUSHES[1], FULL_HOUSES[0], game) == "4.16"


def test_c19_1_neither_side_can_answer_the_other() -> None:
    game = under("C19.1", "da_lao_er")
    led = after(table("3d 4c 5h 6s 7d Kh", "As Ad Ah Kd Kc 9c", "4s 8s", "5s 9s", of=game), "3d 4c 5h 6s 7d")
    assert forbids(led, "As Ad Ah Kd Kc") == "C19.1"
    assert not led.view(1).plays
