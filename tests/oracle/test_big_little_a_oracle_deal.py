"""Whole deals of The Big and the Little A, at random and made up, put to the plain reading of its rules.

Covers properties of every deal and questions without a worked case. The bot is not involved.
"""

from itertools import chain
from random import Random
from typing import Any

import pytest

from tests.oracle.big_little_a import A_CARDS, HAND_SIZES, PACK, Options, in_order
from tests.oracle.big_little_a_deal import Deal, start

CHOICES: dict[str, list[Any]] = {
    "joker_only_sets": ["fourteen", "declared", "single_only"],
    "round_mode": ["one_turn_each", "until_all_pass"],
    "auto_pass": ["public_only", "off"],
}
MODES: list[Options] = [{"round_mode": mode} for mode in CHOICES["round_mode"]]


# KA-P1 to P6: whole deals at random


def dealt(rng: Random, players: int) -> list[list[str]]:
    cards = [card for card in PACK if card not in A_CARDS]
    rng.shuffle(cards)
    size = HAND_SIZES[players]
    return [cards[seat * size : (seat + 1) * size] for seat in range(players)]


def random_options(rng: Random) -> Options:
    return {name: rng.choice(values) for name, values in CHOICES.items()}


def all_cards(deal: Deal) -> list[str]:
    on_table = [card for _, cards in deal.played for card in cards]
    return sorted(chain(deal.discards, on_table, *deal.hands, *deal.piles))


def act_at_random(deal: Deal, rng: Random) -> None:
    assert deal.turn is not None
    offers = deal.offers()
    assert offers  # KA-P2
    assert (("pass", None) in offers) == may_pass(deal)
    verb, argument = rng.choice(offers if rng.random() < 0.6 else offers[-1:])
    assert deal.act((deal.turn + 1) % deal.players, verb, argument) == "illegal"
    assert deal.act(deal.turn, verb, argument) != "illegal"


def may_pass(deal: Deal) -> bool:
    if deal.is_a_round():
        return not set(deal.hands[deal.turn or 0]) - {*A_CARDS}
    return bool(deal.played) and not deal.pending


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(50))
def test_whole_deals(seed: int) -> None:
    rng = Random(seed)
    players, options = rng.randrange(3, 10), random_options(rng)
    hands = dealt(rng, players)
    deal = start(hands, rng.randrange(players), options)
    totals = []
    while not deal.over:
        number = deal.number
        act_at_random(deal, rng)
        given_out = ["a", "A"][: len(deal.winners)]
        assert all_cards(deal) == sorted(chain(given_out, *hands))  # KA-P1
        piles = [pile for pile in deal.piles if pile]
        assert len(piles) <= 1  # KA-P5
        assert all("a" in pile for pile in piles)
        assert deal.over or all(deal.hands) or deal.played
        if deal.over or deal.number != number:
            totals.append(sum(map(len, deal.hands)))
    assert deal.turn is None
    assert not all(deal.hands)
    clean = [seat for seat in range(players) if not deal.hands[seat] and not deal.piles[seat]]
    assert clean == [seat for seat, points in enumerate(deal.penalties()) if points == 0]  # KA-P4
    assert len(deal.winners) == deal.number
    assert_steadily_fewer(deal, options, totals)


def assert_steadily_fewer(deal: Deal, options: Options, totals: list[int]) -> None:
    if options["auto_pass"] == "off":  # by themselves several rounds may be over at once
        assert len(totals) == deal.number
        assert all(later < total for total, later in zip(totals[2:], totals[4:], strict=False))  # KA-P3
    assert totals[-1] < totals[0] or len(totals) <= 2


def play_round(deal: Deal, rng: Random) -> str | None:
    """Play one round at random; tell which A card was led to it."""
    number, first = deal.number, len(deal.log)
    while deal.number == number and not deal.over:
        act_at_random(deal, rng)
    _, result, cards = deal.log[first]
    return cards[0] if result == "a_lead" else None


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(40))
def test_no_a_card_is_led_in_the_round_after_it_was_taken(seed: int) -> None:
    rng = Random(seed)
    deal = start(dealt(rng, rng.randrange(3, 7)), 0, {"auto_pass": "off"})
    taken = {"a": 1, "A": 2}
    while not deal.over:
        number = deal.number
        if (card := play_round(deal, rng)) is not None:
            assert number >= taken[card] + 2  # KA-P6
            taken[card] = number


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(25))
def test_only_offered_actions_are_accepted(seed: int) -> None:
    rng = Random(seed)
    options = {**random_options(rng), "auto_pass": "off"}
    deal = start(dealt(rng, 3), 0, options)
    while not deal.over:
        assert deal.turn is not None
        hand, offers = deal.hands[deal.turn], deal.offers()
        tried = [in_order(rng.sample(hand, min(len(hand), size))) for size in (1, 1, 2, 2, 3, 4)]
        before = repr(vars(deal))
        for cards in {*tried, ("a",), ("A",), ("J", "J"), ()}:
            if ("play", cards) not in offers:
                assert deal.act(deal.turn, "play", cards) == "illegal"
        assert all(deal.act(deal.turn, "name", rank) == "illegal" for rank in (0, 15))
        assert repr(vars(deal)) == before
        act_at_random(deal, rng)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("seed", range(25))
def test_automatic_actions_change_nothing_else(seed: int) -> None:
    rng = Random(seed)
    players, options = rng.randrange(3, 10), random_options(rng)
    hands = dealt(rng, players)
    quick, slow = (start(hands, 0, {**options, "auto_pass": mode}) for mode in ("public_only", "off"))
    while not quick.over:
        act_at_random(quick, rng)
    for seat, result, argument in quick.log:
        verb = "pass" if result.endswith("pass") else "name" if isinstance(argument, int) else "play"
        if not slow.hands[seat] and verb == "pass":
            continue  # a player who has no card at all is never asked
        assert slow.act(seat, verb, argument) == result
    assert (slow.log, slow.penalties(), slow.winners) == (quick.log, quick.penalties(), quick.winners)


# What of a deal no case asks


def results(deal: Deal, *acts: tuple[Any, ...]) -> list[str]:
    return [deal.act(*act) for act in acts]


def test_round_until_all_have_passed() -> None:
    options = {"round_mode": "until_all_pass", "auto_pass": "off"}
    deal = Deal([["5", "9", "2"], ["6", "8", "2"], ["7", "2"]], 0, options, 5)
    acts = [(0, "play", ["5"]), (1, "pass"), (2, "play", ["7"]), (0, "pass"), (1, "play", ["8"]), (2, "pass")]
    assert results(deal, *acts) == ["lead", "pass", "raise", "pass", "raise", "pass"]
    assert deal.turn == 0
    assert results(deal, (0, "play", ["9"]), (1, "pass"), (2, "pass")) == ["raise", "pass", "pass"]
    assert (deal.turn, deal.number, deal.winners) == (0, 6, [0])


def test_a_rounds_always_have_one_turn_each() -> None:
    options = {"round_mode": "until_all_pass", "auto_pass": "off"}
    deal = Deal([["a", "9"], ["6", "8"], ["7", "2"]], 0, options, 5, {"a": 1})
    assert results(deal, (0, "play", ["a"]), (1, "play", ["6"]), (2, "play", ["7"])) == ["a_lead", "a_card", "a_card"]
    assert (deal.turn, deal.winners, deal.piles[2]) == (2, [2], ["a", "6", "7"])


@pytest.mark.parametrize("options", MODES, ids=str)
def test_naming_jokers(options: Options) -> None:
    deal = Deal([["5", "5", "9"], ["J", "J", "2"], ["8", "8"]], 0, {**options, "joker_only_sets": "declared"}, 5)
    assert results(deal, (0, "play", ["5", "5"]), (1, "play", ["J", "J"])) == ["lead", "name"]
    assert [rank for _, rank in deal.offers()] == list(range(6, 15))
    refused = [(1, "name", 5), (1, "pass"), (1, "play", ["2"]), (2, "name", 7), (1, "name", 15)]
    assert set(results(deal, *refused)) == {"illegal"}
    assert results(deal, (1, "name", 7)) == ["raise"]
    assert deal.top == (2, 7)
    assert deal.act(2, "play", ["8", "8"]) == "raise"


def test_named_fourteen_ends_the_round_by_itself() -> None:
    deal = Deal([["J", "J", "9"], ["13", "13", "13"], ["8", "8"]], 0, {"joker_only_sets": "declared"}, 5)
    assert results(deal, (0, "play", ["J", "J"]), (0, "name", 14)) == ["name", "lead"]
    assert [result for _, result, _ in deal.log] == ["name", "lead", "pass", "pass"]
    assert (deal.turn, deal.number) == (0, 6)


def test_jokers_on_thirteens_still_are_named() -> None:
    deal = Deal([["13", "13", "9"], ["J", "J", "2"], ["J", "J"]], 0, {"joker_only_sets": "declared"}, 5)
    assert results(deal, (0, "play", ["13", "13"]), (1, "play", ["J", "J"])) == ["lead", "name"]
    assert deal.offers() == [("name", 14)]


def test_jokers_on_fourteens_are_refused() -> None:
    options = {"joker_only_sets": "declared", "auto_pass": "off"}
    deal = Deal([["J", "J", "9"], ["J", "J"], ["2"]], 0, options, 5)
    assert results(deal, (0, "play", ["J", "J"]), (0, "name", 14), (1, "play", ["J", "J"]))[2] == "illegal"


def test_too_few_cards_besides_an_a_card_pass() -> None:
    deal = Deal([["5", "5", "9"], ["13", "A"], ["8", "8"]], 0, {}, 5, {"A": 2})
    deal.act(0, "play", ["5", "5"])
    assert (deal.turn, deal.log[-1]) == (2, (1, "pass", None))


@pytest.mark.parametrize(("hand", "log"), [(["13", "A"], (1, "a_card", ["13"])), (["A"], (1, "a_pass", None))])
def test_the_last_card_is_played_in_an_a_round(hand: list[str], log: tuple[Any, ...]) -> None:
    deal = Deal([["a", "9"], hand, ["8", "8"]], 0, {}, 5, {"a": 1, "A": 2})
    deal.act(0, "play", ["a"])
    assert (deal.turn, deal.log[-1]) == (2, log)


def test_a_deal_that_ends_in_its_first_round() -> None:
    deal = start([["5", "9"], ["6"], ["8", "8"]], 0, {"auto_pass": "off"})
    assert results(deal, (0, "play", ["5"]), (1, "play", ["6"]), (2, "play", ["8"])) == ["lead", "raise", "raise"]
    assert (deal.over, deal.holder("a"), deal.holder("A"), deal.penalties()) == (True, 2, None, [9, 0, 23])


def test_penalties_go_by_the_points_of_the_table() -> None:
    deal = Deal([["J", "2"], ["A"], ["a", "5"]], 0, {"joker_in_hand_points": 30, "big_a_in_hand_points": 1})
    assert deal.penalties() == [32, 1, 20]


def test_the_lead_of_a_player_without_cards_passes_on_in_turn_order() -> None:
    deal = Deal([["12"], ["9", "9"], ["3", "2"]], 0, {"auto_pass": "off"}, 2)
    assert results(deal, (0, "play", ["12"]), (1, "pass"), (2, "pass")) == ["lead", "pass", "pass"]
    assert (deal.turn, deal.number) == (1, 3)
    assert results(deal, (1, "play", ["9"]), (2, "pass"), (0, "pass")) == ["lead", "pass", "pass"]
    assert (deal.winners, deal.number, deal.turn) == ([0, 1], 4, 1)


def test_one_a_card_may_be_free_where_the_other_is_barred() -> None:
    deal = Deal([["12", "a", "9"], ["9", "9"], ["3", "2"]], 0, {"auto_pass": "off"}, 2, {"a": 1})
    assert results(deal, (0, "play", ["a"]), (0, "play", ["12"]), (1, "pass"), (2, "pass"))[0] == "illegal"
    assert (deal.number, deal.holder("A"), deal.is_barred("a"), deal.is_barred("A")) == (3, 0, False, True)
    assert results(deal, (0, "play", ["A"]), (0, "play", ["a"])) == ["illegal", "a_lead"]


def test_picked_up_cards_can_be_played_again() -> None:
    deal = Deal([["A", "2"], ["J", "5"], ["7", "3"]], 0, {"auto_pass": "off"}, 6, {"A": 4})
    assert results(deal, (0, "play", ["A"]), (1, "play", ["J"]), (2, "play", ["7"]))[0] == "a_lead"
    assert (deal.turn, sorted(deal.hands[2]), deal.is_barred("A")) == (2, ["3", "7", "A", "J"], True)
    assert ("play", ("7", "J")) in deal.offers()
    assert ("play", ("A",)) not in deal.offers()
    assert results(deal, (2, "play", ["J"])) == ["lead"]
    assert deal.top == (1, 14)
