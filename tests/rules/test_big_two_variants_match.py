"""The articles on options in section 9 of the rule page: how a match ends, chips, and playing without a stake."""

from typing import Any

import pytest

from bot.games import GAMES
from bot.rules.big_two import BigTwo
from bot.rules.core.asks import Ready, Stop
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.variants.registration import SECOND
from tests.rules.positions import after, between, finished, nets, result, rules, table, won

# 9 The match


def open_match(*counts: str) -> Match:
    """Return a match without a set length after one hand, seat 0 being the winner."""
    return between(rules(), won(rules(), "", *counts))


def test_c45_1_as_long_as_you_like() -> None:
    match = open_match("3d 3c", "4d", "5d 5c 5h")
    assert (match.over, match.endless, match.to_act) == (False, True, frozenset(range(4)))
    for seat in range(4):
        stopped = match.act(seat, Stop())
        assert (stopped.over, stopped.to_act) == (True, frozenset())
        assert (stopped.places, stopped.nets) == ((1, 3, 2, 4), (6, -2, 2, -6))
        with pytest.raises(Illegal):
            stopped.act(seat, Ready())
    on = match.act(0, Ready()).act(1, Ready()).act(2, Ready()).act(3, Ready())
    assert (on.number, on.over) == (2, False)
    with pytest.raises(Illegal):
        on.act(next(iter(on.awaited)), Stop())  # not in the middle of a hand
    assert not rules().is_over((finished(rules(), "", "3d", "4d", "5d"),) * 200)


THIRTEEN = "3d 3c 3h 3s 4d 4c 4h 4s 5d 5c 5h 5s 6d"


def test_c45_4_to_a_number_of_points() -> None:
    def over(target: int, *left: str) -> bool:
        of = rules(match_end="target", target=target)
        return between(of, won(of, *left)).over

    assert over(39, "", THIRTEEN, "7d", "8d")  # reaching it exactly is enough
    assert not over(40, "", THIRTEEN, "7d", "8d")
    of = rules(match_end="target", target=40)
    two = between(of, won(of, "", THIRTEEN, "7d", "8d"), won(of, "7c 7h", "8c", "", "9d 9c 9h"))
    assert (two.totals, two.over, two.places) == ((2, 40, 1, 4), True, (2, 4, 1, 3))
    with pytest.raises(Illegal):
        between(of, won(of, "", "7c", "7d", "8d")).act(0, Stop())
    assert rules("denexa").target == 100


def test_c45_8_to_a_number_of_points_where_many_are_good() -> None:
    of = rules("pusoy_dos", match_end="target", target=5)
    four = won(of, "3d", "", "4d", "5d", last="2d 2c")
    assert not between(of, four).over
    ended = between(of, four, won(of, "3d", "", "4d", "5d"))
    assert (ended.totals, ended.over, ended.places) == ((0, 5, 0, 0), True, (2, 1, 2, 2))


def test_c45_8_a_total_far_below_zero_reaches_nothing() -> None:
    options: dict[str, Any] = {"scoring": "places", "end": "play_on", "match_end": "target", "target": 10}
    of = rules(**options, places_points=(1, 0, -2, -10))
    below, above = Result((), (), (1, 0, -2, -10)), Result((), (), (9, 0, 0, 0))
    assert not of.is_over((below,))
    assert of.is_over((below, above))
    assert BigTwo(of.options, version=SECOND).is_over((below,))  # as such a match ended that began before
    with pytest.raises(Illegal, match="Nobody can reach the target") as refused:
        rules(**options, places_points=(0, -1, -2, -10))
    assert refused.value.article == "C45.8"
    with pytest.raises(Illegal, match="Nobody can reach the target"):
        rules("three_player", **options, places_points=(5, 0, -2, -10))
    before = Record(
        GAMES["big_two"], "pagat", seed="seed", options={**options, "places_points": (0, -1, -2, -10)}, version=SECOND
    )
    assert before.begin().rules.target == 10


def test_c45_4_penalties_below_zero_reach_nothing_either() -> None:
    of = rules("indonesia", match_end="target", target=10)
    assert not of.is_over((Result((), (), (-80, 3, 4, 9)),))
    assert of.is_over((Result((), (), (-80, 3, 4, 10)),))


def test_c45_5_so_many_hands() -> None:
    of = rules(match_end="deals", deals=2)
    hand, other = won(of, "", "3d 3c", "4d", "5d"), won(of, "6d 6c", "", "7d", "8d 8c")
    assert not between(of, hand).over
    ended = between(of, hand, other)
    assert (ended.over, ended.totals, ended.places) == (True, (2, 2, 2, 3), (1, 1, 1, 4))
    with pytest.raises(Illegal):
        between(of, hand).act(0, Stop())


# 9 Chips


def in_chips(**options: Any) -> BigTwo:
    """Return the game for four with chips, without payments for others."""
    return rules(**{"match_end": "chips_or_deals", "one_card_rule": "none"} | options)


def chips(match: Match) -> tuple[int, ...]:
    """Return the chips of each seat after the hands of a match."""
    return tuple(match.rules.options.chips + net for net in match.nets)


def test_c44_5_chips() -> None:
    tiles = Match.start(rules("lectio_tiles"), "seed")
    assert [tuple(each) for each in dict(tiles.view(None).facts)["chips"]] == [(seat, 149) for seat in range(5)]
    of = in_chips(chips=50)
    match = between(of, won(of, "", "3d 3c", "4d", "5d"))
    for seat in range(4):
        match = match.act(seat, Ready())
    assert [tuple(each) for each in dict(match.view(None).facts)["chips"]] == [(0, 54), (1, 46), (2, 50), (3, 50)]


def test_c44_12_who_owes_what() -> None:
    of = rules("lectio_tiles")
    over = finished(of, "", "3d 2d", "4d", "5d 6d 7d", "8d", last="1s")
    assert over.points == (0, 4, 1, 3, 1)  # the two counts double
    assert set(over.payments) == {
        (1, 0, 4),
        (2, 0, 1),
        (3, 0, 3),
        (4, 0, 1),
        (1, 2, 3),
        (1, 3, 1),
        (1, 4, 3),
        (3, 2, 2),
        (3, 4, 2),
    }


def test_c46_2_what_a_point_is_worth_in_chips() -> None:
    of = in_chips(stake=3)
    assert chips(between(of, won(of, "", "3d 3c", "4d", "5d"))) == (149 + 12, 149 - 12, 149, 149)


def paid(held: tuple[int, ...], *left: str) -> tuple[int, ...]:
    """Return the chips after a hand won by seat 0, from these before, at one chip for each card left."""
    over = result(after(table("As", *left, of=in_chips(bands="flat"), chips=held), "As"))
    return tuple(had + net for had, net in zip(held, nets(over), strict=True))


def test_c44_6_short_of_chips() -> None:
    twelve = "3d 3c 3h 3s 4d 4c 4h 4s 5d 5c 5h 5s"
    # seat 1 owes 12, 11 and 10 and has 20: all of it to the winner, and eight to the next; the others can pay
    assert paid((50, 20, 50, 50), twelve, "6d", "7d 7c") == (50 + 12 + 1 + 2, 0, 50 - 1 + 8 + 1, 50 - 2 - 1)
    # chips that are won in this hand cannot be used to pay in it
    assert paid((50, 20, 0, 50), twelve, "6d", "7d 7c") == (50 + 12 + 2, 0, 8 + 1, 50 - 2 - 1)
    # two with the same points are paid in the order of their seats
    assert paid((50, 25, 50, 50), twelve, "6d", "7d") == (50 + 12 + 2, 0, 50 + 11 - 1, 50 + 2 - 1)


def test_c44_6_chips_won_in_a_hand_pay_for_nothing_in_it() -> None:
    """The player paid later has fewer cards and more points."""
    of = in_chips(scoring="card_values", settlement="difference_banded", diff_bands=((1, 1),), chips=50)
    left = ("2d 2c 2h Ad Ac", "3d 3c 3h 3s 4d 4c 4h 4s", "5d 5c 5h 5s 6d 6c 6h 6s 7d")
    held = (50, 50, 8, 50)
    over = result(after(table("As", *left, of=of, chips=held), "As"))
    assert over.points == (0, 18, 8, 9)
    # seat 2 owes the winner eight and seat 1 three; it has eight, and receives one from seat 3 before seat 1 is paid
    assert nets(over) == (5 + 8 + 9, 4 - 5, 1 - 8, -9 - 1 - 4)


def test_c44_6_short_of_chips_where_many_points_are_good() -> None:
    of = in_chips(scoring="places", end="play_on")
    game = table("4d", "9c", "5d Td", "6d 8d", of=of, chips=(50, 50, 50, 6))
    over = result(after(game, "4d", "9c", "Td", "-", "5d"))
    assert over.points == (5, 3, 1, 0)
    assert [payment for payment in over.payments if payment[0] == 3] == [(3, 0, 5), (3, 1, 1)]  # the best first


@pytest.mark.parametrize("options", [{"pay_all_basis": "to_winner"}, {"settlement": "difference_banded"}])
def test_c44_6_who_pays_for_all_is_short_of_chips_too(options: dict[str, str]) -> None:
    of = in_chips(one_card_rule="pay_all", chips=30, **options)
    ten, other = "4d 5d 6d 7d 8d 9d Td Jd Qd Kd", "4c 4h 4s 5c 5h 5s 6c 6h 6s 7c"
    game = table(ten, "Qs", "3c 3h 3s", f"{other} 8h", turn=3, of=of, chips=(30, 30, 30, 30))
    assert nets(result(after(game, "8h", "-", "Qs"))) == (-30, 30, 0, 0)


def test_c45_2_who_wins_the_chips() -> None:
    of = in_chips(deals=2, chips=100)
    hand = won(of, "3d 3c", "", "4d", "5d")
    assert not between(of, hand).over
    after_two = between(of, hand, hand)
    assert (after_two.over, chips(after_two)) == (True, (92, 108, 100, 100))
    assert after_two.places == (4, 1, 2, 2)
    poor = in_chips(deals=5, chips=4)
    sooner = between(poor, won(poor, "3d 3c", "", "4d", "5d"))
    assert (sooner.over, chips(sooner)) == (True, (0, 8, 4, 4))
    with_one = in_chips(deals=5, chips=5)
    assert not between(with_one, won(with_one, "3d 3c", "", "4d", "5d")).over  # a single chip is enough to go on
    assert rules("lectio_tiles").hands == 5


@pytest.mark.parametrize(
    "options",
    [
        {"match_end": "open", "match_tie": "extra_deal"},
        {"match_end": "deals", "deals": 1},
        {"match_end": "target", "target": 2},
        {"match_end": "chips_or_deals", "deals": 1, "match_tie": "extra_deal"},
    ],
)
def test_c45_3_a_tie(options: dict[str, Any]) -> None:
    of = rules("pusoy_dos", **{"match_tie": "shared"} | options)
    of = rules(
        **{"match_tie": "shared", "scoring": "places", "end": "play_on", "places_points": (2, 2, 0, 0)} | options
    )
    game = after(table("4d", "9c", "5d Td", "6d 8d", of=of), "4d", "9c", "Td", "-", "5d")
    match = between(of, game)
    match = match if match.over else match.act(3, Stop())
    assert match.places == (1, 1, 3, 3)


def test_c45_6_breaking_a_tie() -> None:
    of = rules(match_end="deals", deals=2, match_tie="extra_deal")
    one, other = won(of, "", "3d 3c", "4d", "5d"), won(of, "6d 6c", "", "7d", "8d 8c")
    third = won(of, "6d 6c", "", "7d", "8d 8c")
    tied = between(of, one, other)
    assert (tied.totals, tied.over, tied.to_act) == ((2, 2, 2, 3), False, frozenset(range(4)))
    with pytest.raises(Illegal):
        tied.act(0, Stop())
    ended = between(of, one, other, third)
    assert (ended.totals, ended.over, ended.places) == ((4, 2, 3, 5), True, (3, 1, 2, 4))
    target = rules(match_end="target", target=3, match_tie="extra_deal")
    assert not between(target, won(target, "", "3d", "4d", "5d"), won(target, "6d", "", "7d", "8d 8c")).over


@pytest.mark.parametrize("end", [{"match_end": "deals", "deals": 1}, {"match_end": "target", "target": 2}])
@pytest.mark.parametrize("scheme", ["pagat", "pusoy_dos"])
def test_c45_6_a_tie_below_the_first_place_breaks_nothing(scheme: str, end: dict[str, Any]) -> None:
    of = rules(scheme, **end, match_tie="extra_deal")
    ended = between(of, won(of, "", "3d 3c", "4d 4c", "5d 5c", last="2d"))
    assert (ended.over, ended.places) == (True, (1, 2, 2, 2))


def test_c46_1_no_stake() -> None:
    over = finished(rules(stake=0), "", "3d 3c", "4d", "5d 5c 5h")
    assert (over.points, over.payments) == ((0, 2, 1, 3), ())
    careless = result(after(table("4d 9s Kd", "Qs", "3c", "8h 3d", turn=3, stake=0), "8h", "-", "Qs"))
    assert (careless.points, careless.notes) == ((3, 0, 1, 1), ())
    with pytest.raises(Illegal):
        rules(stake=-1)
