"""The rule page of Big Two, an article at a time: honour hands, and straight flushes of seven cards (C15, C17)."""

from itertools import product

import pytest

from bot.rules.big_two import BigTwo
from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.sentences import Illegal
from tests.rules.page_articles import forbids, forbids_on, forbids_to_lead, under
from tests.rules.positions import action, after, beats, climbs, kind, result, table

QUADS, HIGH_QUADS = "3d 3c 3h 3s 4d", "2d 2c 2h 2s As"
SUITED, ROYAL = "Ad 2d 3d 4d 5d", "Ts Js Qs Ks As"
STRAIGHT, FULL_HOUSE, TOP_FULL_HOUSE = "Th Js Qs Ks Ad", "3d 3c 3h 4d 4c", "2d 2c 2h As Ah"
SMALLER = ("2s", "2s 2h", "2s 2h 2c")
SEVEN, HIGH_SEVEN = "Ad 2d 3d 4d 5d 9c 9h", "9s Ts Js Qs Ks 3d 3c"
ROYAL_SEVEN = "Td Jd Qd Kd Ad 3h 4c"


def all_beat(tried: str, *tops: str, of: BigTwo) -> bool:
    """Tell whether a play may be put on each of those, and none of those on it."""
    return all(beats(tried, top, of) and not beats(top, tried, of) for top in tops)


# Five cards


def test_c15_5_however_strong() -> None:
    game = under("C15.5")
    assert {forbids_on(ROYAL, top, game) for top in ("3d", "3d 3c", "3d 3c 3h")} == {"4.15"}
    assert forbids_on("2d 2c 2h", "3d 3c", game) == "4.15"


def test_c15_6_however_strong() -> None:
    game = under("C15.6", "singapore")
    assert {forbids_on(ROYAL, top, game) for top in ("3d", "3d 3c")} == {"4.15"}


@pytest.mark.parametrize("form", ["kicker", "both"])
def test_c15_8_honour_hands(form: str) -> None:
    anywhere = under("C15.8", quads_form=form, honours_beat="any")
    assert all_beat(QUADS, "2s", of=anywhere)
    assert all_beat(SUITED, "2s", of=anywhere)
    assert forbids_on(TOP_FULL_HOUSE, "2s", anywhere) == "C15.3"
    assert coming_in(FULL_HOUSE, "C15.8", quads_form=form) == {QUADS: None, SUITED: None, TOP_FULL_HOUSE: "C16.1"}


def test_c15_9_honour_hands_without_four_of_a_kind() -> None:
    anywhere = under("C15.9", quads_form="bare", honours_beat="any")
    assert all_beat(SUITED, "2s", of=anywhere)
    assert forbids_on("3d 3c 3h 3s", "2s", anywhere) == "C14.2"
    answers = coming_in(FULL_HOUSE, "C15.9", quads_form="bare")
    assert (answers[SUITED], answers[TOP_FULL_HOUSE]) == (None, "C16.1")
    assert answers[QUADS] in {"C14.1", "C14.3"}


def coming_in(top: str, number: str, **options: str) -> dict[str, str | None]:
    """Return, for some plays, the reason against an interrupting play; None if allowed."""
    game = under(number, honours_out_of_turn=True, **options)
    led = after(table(f"{top} 9c", "5d 5c", f"{QUADS} {SUITED} {TOP_FULL_HOUSE}", "7d 8d", of=game), top)
    return {text: forbidden_out_of_turn(led, text) for text in (QUADS, SUITED, TOP_FULL_HOUSE)}


def forbidden_out_of_turn(led: BigTwoGame, text: str) -> str | None:
    """Return what forbids seat 2 to play this while seat 1 is on turn."""
    try:
        assert led.act(2, action(text)).turn == 3
    except Illegal:
        return forbids(led, text, seat=2)
    return None


def test_c15_1_honour_hands_beat_anything() -> None:
    game = under("C15.1", "lukang")
    for honour in (QUADS, SUITED):
        assert all_beat(honour, *SMALLER, STRAIGHT, TOP_FULL_HOUSE, of=game)
    assert climbs(QUADS, HIGH_QUADS, SUITED, ROYAL, of=game)
    led = after(table("2s 9d", "3d 5c", f"{QUADS} 9c", "7d 8d", of=game), "2s")
    assert forbids(led, QUADS, seat=2) == "6.2"  # only in turn
    assert after(led, "-", QUADS).turn == 3


@pytest.mark.parametrize("form", ["bare", "both"])
def test_c15_7_safe_from_honour_hands(form: str) -> None:
    game = under("C15.7", "lukang", quads_form=form)
    assert {forbids_on(text, "3d 3c 3h 3s", game) for text in (SUITED, ROYAL)} == {"C14.2"}
    assert all_beat(ROYAL, *SMALLER, TOP_FULL_HOUSE, of=game)
    if form == "both":
        assert forbids_on(HIGH_QUADS, "3d 3c 3h 3s", game) == "C14.2"


def test_c15_2_what_beats_an_honour_hand() -> None:
    game = under("C15.2", "lukang")
    assert {forbids_on(text, QUADS, game) for text in SMALLER} == {"C15.2"}
    assert forbids_on(TOP_FULL_HOUSE, QUADS, game) == "4.16"
    assert forbids_on(HIGH_QUADS, SUITED, game) == "4.16"
    assert forbids_on(QUADS, HIGH_QUADS, game) == "4.12"
    assert all_beat(SUITED, HIGH_QUADS, of=game)


def test_c15_4_for_example() -> None:
    game = under("C15.4", "lukang")
    assert all_beat(QUADS, "2s", "2d 2c", of=game)
    plain = (TOP_FULL_HOUSE, STRAIGHT)
    assert {forbids_on(text, top, game) for text in plain for top in ("2s", "2d 2c")} == {"C15.3"}


def test_c15_3_nothing_else_can_do_this() -> None:
    game = under("C15.3", "lukang")
    flush = "2s As Ks Qs 9s"
    plain = (STRAIGHT, flush, TOP_FULL_HOUSE, "2d 2c 2h")
    assert {forbids_on(text, "3d", game) for text in plain} == {"C15.3"}
    led = after(table(f"{QUADS} 9c", "4c 5c", "6c 7c", "8c Tc", of=game), QUADS, "-", "-", "-")
    assert result(after(led, "9c")).order == (0,)


# Seven cards


BY_SEVEN = pytest.mark.parametrize(("flushes", "honours"), [*product([True, False], ["five_card", "any"])])


@BY_SEVEN
def test_c17_1_two_extra_cards(flushes: bool, honours: str) -> None:
    game = under("C17.1", sf_form="plus_two", flushes=flushes, honours_beat=honours)
    assert kind("9s 8s 7s 6s 5s 3d 4c", game) == "sf_plus_two"
    assert kind("9s 8s 7s 6s 5s", game) != "straight_flush"
    assert forbids_to_lead("9s 8s 7s 6s 5s 3d", game) == "4.1"
    assert forbids_to_lead("9s 8s 7s 6s 4s 3d 4c", game) == "C17.1"
    assert forbids_to_lead("9s 8s 7s 6s 5s 3d 4c 3h", game) == "4.1"


def test_c17_2_the_extras_never_count() -> None:
    game = under("C17.2", "taiwan_latta")
    nine_high = "8d 7d 6d 5d 4d 9d 3c"
    assert climbs("8s 7s 6s 5s 4s 2d 2c", nine_high, "9c 8c 7c 6c 5c 3d 3h", "9d Td 8d 7d 6d 5d 4d", of=game)
    assert forbids_on("8s 7s 6s 5s 4s 2d 2c", nine_high, game) == "C17.2"
    assert forbids_on("9d 8d 7d 6d 5d 2s 2h", "9c 8c 7c 6c 5c 3d 3h", game) == "C17.2"
    hong_kong = under("C17.2", "taiwan_latta", straight_scheme="hong_kong")  # the best is not the one that goes highest
    assert climbs("2s 3s 4s 5s 6s 7s 9h", "Ad 2d 3d 4d 5d 6d 7d", of=hong_kong)
    two_on_top = under("C17.2", "taiwan_latta", straight_scheme="23456_top_a2345_second")
    assert climbs(nine_high, "As 2s 3s 4s 5s Kd Kh", "2d 3d 4d 5d 6d Ad 7d", of=two_on_top)
    to_the_two = under("C17.2", "taiwan_latta", straight_scheme="jqka2_top_no_low")
    assert climbs("Ts Js Qs Ks As 9d 9c", "Td Jd Qd Kd Ad 2d 3c", "Js Qs Ks As 2s 9d 9c", of=to_the_two)
    royal = under("C17.2", "taiwan_latta", straight_scheme="jqka2_top_no_low", five_order="royal_separate")
    assert climbs("Js Qs Ks As 2s 9d 9c", "Td Jd Qd Kd Ad 2d 3c", "Ts Js Qs Ks As 9d 9c", of=royal)  # C11.4


def test_c17_4_one_suit_in_sequence_five_cards_only() -> None:
    for flushes in (True, False):
        game = under("C17.4", sf_form="plus_two", honours_beat="any", flushes=flushes)
        assert beats(FULL_HOUSE, ROYAL, game)
        assert forbids_on(ROYAL, FULL_HOUSE, game) == "4.16"
        assert forbids_on(ROYAL, "3d", game) == "C15.3"


def test_c17_10_what_they_count_as_where_flushes_are_played() -> None:
    game = under("C17.10", sf_form="plus_two")
    assert climbs("As Qs Js 9s 8s", "2s 3s 4s 5s 6s", "3d 3c 3h 4d 4c", of=game)  # a flush by its highest card
    assert climbs("Th Js Qs Ks As", "3d 4d 5d 6d 7d", "2d 4d 5d 6d 8d", of=game)
    assert forbids_on("9d Td Jd Qd Kd", "3c 5c 6c 7c 8c", game) == "4.10"


def test_c17_11_what_they_count_as_without_flushes() -> None:
    game = under("C17.11", "taiwan_latta")
    assert climbs("8d 7c 6h 5s 4s", "9d 8d 7d 6d 5d", "9s 8d 7d 6d 5c", "Td 9d 8d 7c 6c", of=game)
    assert forbids_on("9d 8d 7d 6d 5d", "9s 8d 7d 6d 5c", game) == "4.8"


@pytest.mark.parametrize("flushes", [True, False])
def test_c17_8_one_suit_in_sequence_five_cards_only(flushes: bool) -> None:
    game = under("C17.8", sf_form="plus_two", bare_suited_run="illegal", flushes=flushes)
    assert kind("9s 8s 7s 6s 5s", game) is None
    assert forbids_to_lead("9s 8s 7s 6s 5s", game) == "C17.8"
    assert kind("9s 8s 7s 6s 5s 3d 3c", game) == "sf_plus_two"
    assert kind("9s 8s 7s 6s 5d", game) == "straight"


# Seven cards against others


@pytest.mark.parametrize("order", ["standard", "royal_separate"])
def test_c17_3_seven_cards_on_anything(order: str) -> None:
    game = under("C17.3", "taiwan_latta", five_order=order)
    assert all_beat(SEVEN, "2s", "2s 2h", STRAIGHT, TOP_FULL_HOUSE, HIGH_QUADS, of=game)
    assert climbs(STRAIGHT, TOP_FULL_HOUSE, QUADS, HIGH_QUADS, SEVEN, HIGH_SEVEN, ROYAL_SEVEN, of=game)
    assert forbids_on(HIGH_QUADS, SEVEN, game) == "C15.2"
    assert forbids_on(SEVEN, HIGH_SEVEN, game) == "C17.2"
    assert forbids_on(HIGH_SEVEN, ROYAL_SEVEN, game) == ("C17.2" if order == "standard" else "C11.2")
    assert forbids_on(TOP_FULL_HOUSE, SEVEN, game) == "C15.2"


def test_c17_5_seven_cards_and_four_of_a_kind() -> None:
    game = under("C17.5", "taiwan_latta", five_order="royal_only_beats_quads")
    assert climbs(STRAIGHT, TOP_FULL_HOUSE, SEVEN, HIGH_SEVEN, QUADS, HIGH_QUADS, ROYAL_SEVEN, of=game)
    assert all_beat(SEVEN, "2s", "2s 2h", of=game)
    assert forbids_on(HIGH_SEVEN, QUADS, game) in {"C15.2", "C17.5"}
    assert forbids_on(HIGH_QUADS, ROYAL_SEVEN, game) in {"C15.2", "C17.5"}
    assert forbids_on(HIGH_SEVEN, ROYAL_SEVEN, game) == "C11.3"


@pytest.mark.parametrize("order", ["standard", "royal_separate", "royal_only_beats_quads"])
def test_c17_6_seven_cards_on_seven(order: str) -> None:
    game = under("C17.6", sf_form="plus_two", five_order=order)
    assert climbs(SEVEN, HIGH_SEVEN, ROYAL_SEVEN, of=game)
    assert {forbids_on(HIGH_SEVEN, top, game) for top in (QUADS, FULL_HOUSE, "3d", "3d 3c")} == {"4.15"}
    assert {forbids_on(text, SEVEN, game) for text in (HIGH_QUADS, "2s")} == {"4.15"}
