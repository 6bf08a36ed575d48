"""The house bids for and plays Tàihé A Bāo as a sensible person would, from nothing but its view.

Tests its play in positions with an obvious answer, regardless of its method.
"""

import random
import statistics
from typing import Any

import pytest

from bot.ai.games.a_bao import codes
from bot.ai.games.a_bao_bidding import CallsSoFar
from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.a_bao.bidding import PASS, ABaoBidding
from bot.rules.core.asks import Choose, ChooseAsk, NameAsk, Pass, write_action
from bot.rules.core.cards import SeededRandom
from tests.bench.house_a_bao import (
    always_declared_hands,
    deal_hand,
    hands_among_random_players,
    hands_of_equal_players,
)
from tests.laws.matches import offered
from tests.rules.a_bao_positions import Hand, after, bid, bidding, calling, rules, table
from tests.support.law_settings import is_thorough

# Cards that matter little, and as many as are dealt
PLAIN = (
    "4c 5s 7d 9c 9s Jd Qc Ks Ad As",
    "4d 6c 7s Th Jh Qd Kc 5h 6h Ac",
    "4s 5c 6d 7c 9h Tc Js Qh Kh Ah",
)
STRONG = "4d 4c 4h Kd Kc Kh Ad Ac Ah As"
GOOD = "9d 9c 9h Td Tc Jd Jc Kd Kc Ah"
POOR = "4d 5c 7h 9d Jc Jh 4s 7d Ks 9s"
DEALS = 60 if is_thorough() else 16  # against chance


def said(hand: Hand, seat: int = 0) -> str:
    """Return the house player's action in record notation; "" for none."""
    action = plain_action(hand.view(seat))
    return write_action(action) if action else ""


def facing(top: str, hand: str, *others: str, declarer: int = 0, beside: str = PLAIN[0]) -> str:
    """Return seat 1's reply with this hand to seat 0's lead, with the other cards at seat 0."""
    game = table(f"{top} {beside}", hand, *(others or PLAIN[1:]), declarer=declarer, turn=0)
    return said(after(game, top), 1)


# What it may count on


@pytest.mark.parametrize("three_kings_top", [False, True])
@pytest.mark.parametrize("aces", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_knows_exactly_the_combinations_of_the_pack(players: int, *, aces: bool, three_kings_top: bool) -> None:
    """With five players and without aces, one king is left out: there are no four kings."""
    given = rules(players=players, aces=aces, three_kings_top=three_kings_top)
    groups = given.groups
    held = {(combo.kind, len(combo.cards), combo.strength) for combo in groups.over(groups.deck.cards, None)}
    assert set(codes(given).samples) == held


# Bidding


def test_declares_only_with_a_nearly_certain_hand() -> None:
    assert said(bidding(STRONG)) == "choose declare"
    assert said(bidding(POOR)) == "choose pass"
    assert said(bidding(GOOD.replace("9h", "5h"))) == "choose pass"


def test_declares_sooner_if_a_shutout_counts_double() -> None:
    hand = "4c 4s 5c 5d Ah Jc Js Kd Qs Tc"
    assert said(bidding(hand)) == "choose pass"
    assert said(bidding(hand, double_shutout=True)) == "choose declare"


def test_declares_later_if_a_lone_lead_counts_double() -> None:
    hand = "5d 6c 7d Ac Ah As Jd Js Kd Qs"
    assert said(bidding(hand)) == "choose declare"
    assert said(bidding(hand, double_lead_only=True)) == "choose pass"


@pytest.mark.parametrize("options", [{"single_caller_wins": True}, {"scoring": "simplified"}])
def test_declares_later_if_calling_is_better(options: dict[str, Any]) -> None:
    hand = "4d 5s 6d 7d Ad Jd Kh Qc Qs Ts"
    assert said(bidding(hand)) == "choose declare"
    assert said(bidding(hand, **options)) == "choose pass"


def test_answers_once() -> None:
    waiting = bidding(POOR, starter=1)
    passed = plain_action(waiting.view(0))
    assert passed
    assert plain_action(waiting.act(0, passed).view(0)) is None


def test_calls_for_the_most_useful_card() -> None:
    assert said(calling("4d 4c 5c 7c 9d Jh Qd Kd Ad Ac")) == "name 6d", "it makes a sequence of four"
    pairs = calling("4d 4c 7s 9h 9d Jc Js Kd Kc Ad", starter_must_call=True)
    assert said(pairs) in {"name Jd", "name Kh"}, "it makes a bomb"


def test_passes_without_a_useful_call_after_other_calls() -> None:
    hand = calling("9d 9c Td Tc Qd Qc Kd Kh Ah 4s", POOR)
    after_call = bid(hand, "call 9h", "give 4s")
    assert said(after_call, 1) == "pass"


def test_calls_sooner_after_more_passes() -> None:
    fair, poor = "4d 4h 5c 6c 6h 9d Ad Qh Qs Ts", "4h 5h 7d 9d 9h Ah As Kh Qs Ts"
    first, second, last = ([said(after_passes(hand, count)) for hand in (fair, poor)] for count in (0, 1, 3))
    assert first == ["pass", "pass"]
    assert second == ["name 5d", "pass"]
    assert last == ["name 5d", "name Jd"]


def after_passes(hand: str, count: int) -> ABaoBidding:
    """Return the second round with seat 0 to speak after a number of passes."""
    return bid(calling(hand, starter=-count % 4), *["-"] * count)


@pytest.mark.parametrize("preset", ["standard", "three", "five"])
def test_counts_the_players_still_to_speak(preset: str) -> None:
    rng, seen = random.Random(preset), set[int]()
    for seed in range(6):
        game: Hand = deal_hand(rules(preset), seed)
        while isinstance(game, ABaoBidding):
            seat = min(game.awaited)
            view = game.view(seat)
            if isinstance(view.ask, NameAsk):
                assert CallsSoFar.of(view).left == still_to_speak(game, seat)
                seen.add(CallsSoFar.of(view).left)
            first = isinstance(view.ask, ChooseAsk)  # in which nobody declares
            game = game.act(seat, Choose((PASS.code,)) if first else rng.choice(offered(view)[-3:]))
    assert len(seen) > 2


def still_to_speak(game: Hand, seat: int) -> int:
    """Return how many others are asked for a call after this seat, if all pass from here on."""
    count, thrown = 0, game.bid.thrown
    while True:
        game = game.act(seat, Pass())
        if not isinstance(game, ABaoBidding) or game.bid.thrown != thrown:
            return count
        count, seat = count + 1, min(game.awaited)


def test_calls_sooner_after_cancelled_deals() -> None:
    game = calling("4d 4h 5c 6c 6h 9d Ad Qh Qs Ts")
    assert said(game) == "pass"
    assert said(game._replace(bid=game.bid._replace(thrown=3))) == "name 5d"


def test_calls_when_required() -> None:
    assert said(calling(POOR, starter_must_call=True)).startswith("name ")


def test_always_makes_a_winning_last_call() -> None:
    worst = "4d 5c 7h 9d Jc Qh 6s Jd Qd Tc"
    last = bid(calling(worst, starter=1, single_caller_wins=True), "-", "-", "-")
    assert said(last).startswith("name ")


def test_gives_back_a_useless_card() -> None:
    hand = bid(calling("4d 9d 9c Td Tc Jd Jc Kd Kc Ah"), "call 9h")
    assert said(hand) == "give 4d"
    bound = bid(calling("4h 5c 9d 9c Td Tc Jd Kc Kd Ah", bound=True), "call 9h")
    assert said(bound) == "give 5c", "the four of hearts stays"


def test_never_gives_back_a_forbidden_card() -> None:
    for seed in range(20 if is_thorough() else 9):
        hand: Hand = deal_hand(rules(may_return_called_card=seed % 3 == 0), seed)
        while isinstance(hand, ABaoBidding):
            seat = min(hand.awaited)
            action = plain_action(hand.view(seat))
            assert action
            hand = hand.act(seat, action)
        assert not any(hand.trick.moves)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("preset", list(GAMES["a_bao"].presets))
def test_does_not_pass_in_every_deal(preset: str) -> None:
    ended = hands_of_equal_players(rules(preset), plain_action, 12 if is_thorough() else 8)
    assert max(each.redeals for each in ended) < 6


# Play


def test_goes_out_when_possible() -> None:
    assert said(table("9d 9c 9h")) == "9d 9c 9h"
    assert facing("7d", "Jc") == "Jc"
    assert facing("7d", "Jc", declarer=3) == "Jc", "over an ally too"


def test_leads_cards_that_will_not_win_the_lead() -> None:
    assert said(table("4d 5c 6h 9d Kd Kc Kh Ad", *PLAIN)) == "4d 5c 6h"
    assert said(table("4d 4c 9d Kd Kc Kh Ad Ah", *PLAIN)) == "4d 4c"


def test_a_declarer_with_one_weak_card_left_plays_it_last() -> None:
    assert said(table("4d Kd Kc Kh Ks", *PLAIN)) == "Kd Kc Kh Ks"


def test_leads_no_single_to_a_rival_with_one_card() -> None:
    assert said(table("9h", "4d 7d 7c Jh Qs", *PLAIN[1:], turn=1), 1) == "7d 7c"


def test_leads_low_for_an_ally_with_one_card() -> None:
    assert said(table(PLAIN[0], "4d 7d 7c Jh Qs Kd", "6s", PLAIN[2], turn=1), 1) == "4d"


def test_follows_with_cheap_cards() -> None:
    assert facing("6d", "7c 9d Td Jd Kd Ks 4h 4s Ah As") in {"7c", "4h"}
    assert facing("4d", "6c Td Jc Qd Kd Ks Ah As") == "6c"


def test_does_not_beat_an_ally_who_keeps_the_lead() -> None:
    hand = "4d 6s 9d 9h Jc Qs Kd Ah"
    assert facing("Ad Ac", f"{hand} 5d 5c 5h", declarer=3) == "pass"
    assert said(after(table(f"Kc {PLAIN[0]}", PLAIN[1], hand, declarer=1, turn=0), "Kc", "-"), 2) == "pass"


def test_stops_the_declarer_from_going_out() -> None:
    hand = "4d 4s 4h 6s 9d Jc Qs"
    assert facing("Kc Kh", hand, beside="9s") == "4d 4h 4s", "one card more and it would be lost"
    high = "5d 6s 9d Jc Qs Kd Ah"
    game = after(table(f"7d {PLAIN[0]}", high, PLAIN[1], "Qd", declarer=3, turn=0), "7d")
    assert said(game, 1) == "Ah", "over an ally's low card, before the declarer goes out on it"


def test_a_declarer_keeps_bombs_to_get_the_lead_back() -> None:
    bombs = "4d 4c 4h 6s 9d 9c Jc Qs Qd Ad"
    assert said(table(bombs, *PLAIN)) != "4c 4d 4h"
    assert facing("5d", f"{bombs} 7s", declarer=1) != "4d 4c 4h"


# Any hand


@pytest.mark.rotates(3)
@pytest.mark.parametrize("preset", list(GAMES["a_bao"].presets))
def test_bids_and_plays_from_its_view_alone(preset: str) -> None:
    of, rng = GAMES["a_bao"].rules(preset), random.Random(5)
    for seed in range(2):
        game = of.deal(SeededRandom(f"{preset} {seed}"), seed)
        while game.result is None:
            seat = min(game.awaited)
            view = game.view(seat)
            action = plain_action(view)
            assert action
            assert plain_action(of.imagine(view, rng).view(seat)) == action
            assert game.act(seat, plain_action(view, rng) or action) != game
            game = game.act(seat, action)


def test_is_far_better_than_chance() -> None:
    assert statistics.mean(each.points for each in hands_among_random_players(rules(), plain_action, DEALS)) > 2
    played = hands_among_random_players(rules(), plain_action, DEALS, bids=False)
    assert statistics.mean(each.points for each in played) > 1.5
    assert statistics.mean(each.points for each in always_declared_hands(rules(), plain_action, DEALS)) > 1


def test_declarers_win_about_half_of_their_hands() -> None:
    found = hands_of_equal_players(rules(), plain_action, DEALS)
    assert 0.4 < sum(each.won for each in found) / len(found) < 0.75
