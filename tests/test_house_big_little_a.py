"""The house plays The Big and the Little A as a sensible person would, from nothing but its view.

Tests its play in positions with an obvious answer, regardless of its method.
"""

import random
import statistics
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.big_little_a import BigLittleA
from bot.rules.big_little_a.play import BigLittleAGame
from bot.rules.core.asks import Name, Pass
from bot.rules.core.cards import SeededRandom
from tests.bench.house_big_little_a import play_against_random, play_equal_players, rules_for, views_of_large_hands
from tests.laws.matches import offered
from tests.rules.big_little_a_positions import after, asking, said, table
from tests.support.call_counts import count_calls

MANY = "2 3 4 5 6 7 8 9 10 11"  # others that are far from going out


def answer(game: BigLittleAGame) -> str:
    """Say what the house does at the turn."""
    done = plain_action(game.view(game.turn))
    assert done
    assert game.act(game.turn, done) != game
    if isinstance(done, Pass):
        return "-"
    return f"as {said((done.card,))}" if isinstance(done, Name) else said(done.cards)  # type: ignore[union-attr]


def leading(hand: str, *others: str, **position: Any) -> str:
    """Say what the house leads with this hand."""
    return answer(table(hand, *(others or (MANY,) * 3), of=asking(players=1 + len(others or "123")), **position))


def facing(*moves: str, hand: str, others: tuple[str, ...] = (), **position: Any) -> str:
    """Say what the house does with this hand after these moves, the first seats having been dealt what they played."""
    played = [f"{move} {MANY}" if move != "-" else MANY for move in moves]
    hands = (*played, hand, *others)
    return answer(after(table(*hands, of=asking(players=len(hands)), **position), *moves))


# Normal rounds


def test_goes_out_when_possible() -> None:
    assert leading("5 5 J") == "5 5 J"
    assert facing("4 4", "-", hand="7 J") == "7 J"
    assert leading("a") == "a"


def test_leads_weak_sets_and_keeps_strong_ones() -> None:
    assert leading("2 2 6 6 13 13") in {"2 2", "6 6"}
    assert leading("5 5 11 13 13") == "5 5"
    assert leading("4 4 7 9 10 12 13") in {"4 4", "7", "9"}
    assert leading("1 1 1 8 12 13 J") == "8"


def test_leads_unbeatable_cards_when_that_wins() -> None:
    assert leading("2 13 13 13 13") == "13 13 13 13"
    assert leading("4 13 13 13 13 J") in {"13 13 13 13", "J"}


def test_passes_without_a_legal_play() -> None:
    assert facing("9 9", "-", hand="2 3 3 13") == "-"


def test_follows_with_useless_cards() -> None:
    assert facing("4", "5", hand="2 2 9 12 12 13 13") == "9"


def test_does_not_break_a_long_set_for_a_low_card() -> None:
    assert facing("4", "5", hand="1 3 7 7 7 7 7 9", others=(MANY,)) == "9"


def test_saves_jokers_while_no_player_is_near_the_end() -> None:
    assert facing("12", hand="2 3 4 5 6 7 8 9 9 10 J", others=(MANY, MANY)) == "-"


def test_sheds_costly_cards_when_the_hand_is_about_to_end() -> None:
    last = table("5", "2 13 13 J", "1 2 3", of=asking(players=3))
    assert answer(after(last, "5")) == "J"
    pair = table("5 5", "7 7 12 12 J", "1 2 3", of=asking(players=3))
    assert answer(after(pair, "5 5")) == "12 J"


# Getting rid of an A card


def test_leads_an_a_card_as_soon_as_possible() -> None:
    assert leading("a 3 4 4 9 12") == "a"
    assert leading("A 3 4 4 9 12") == "A"
    assert leading("a A 3 4 4 9 12") in {"a", "A"}


def test_goes_out_with_an_a_card_after_a_certain_lead() -> None:
    assert leading("A J") == "J"
    assert leading("a 13 13 13 13 13") == "13 13 13 13 13"


def test_wins_a_round_to_lead_its_a_card() -> None:
    assert facing("8", hand="A 2 3 4 5 5 6 13", others=(MANY,)) == "13"
    assert facing("12", "-", hand="A 2 3 4 5 5 6 J") == "J"


# A rounds


def test_plays_the_highest_card_below_the_top() -> None:
    assert facing("a", "9", hand="2 6 8 11") == "8"
    assert facing("A", "9", hand="2 6 8 11 13") == "8"
    assert facing("a", "9", "4", hand="2 9 12") == "9", "the first of equal cards takes the trick"


def test_plays_a_joker_as_a_one_to_stay_low() -> None:
    assert facing("A", "2", hand="J 5 9") == "J"
    assert facing("A", "1", hand="J 5 9 9") == "J"


def test_plays_low_while_others_follow() -> None:
    assert facing("A", hand="1 6 8 11 13", others=(MANY, MANY)) == "1"
    assert facing("a", "2", hand="1 6 8 11 13", others=(MANY,)) == "1"


def test_takes_an_unavoidable_little_a_with_a_useful_card() -> None:
    assert facing("a", "2", hand="3 4 12 13 13") in {"3", "4"}


# What else it is asked


def test_bare_jokers_are_the_highest() -> None:
    of = asking("named_jokers", players=3)
    game = after(table("5 5 1", "J J", MANY, of=of), "5 5", "J J")
    assert answer(game) == "as J"


def test_is_reproducible_and_legal_with_any_seed() -> None:
    for seed in range(6):
        view = rules_for(4).deal(SeededRandom(str(seed)), 0).view(1)
        assert plain_action(view) == plain_action(view)
        assert plain_action(view, random.Random(1)) in offered(view)


VARIANTS: dict[str, dict[str, Any]] = {
    **{preset: {} for preset in GAMES["big_little_a"].presets},
    "standard, jokers never bare": {"joker_only_sets": "single_only"},
    "go_round, nine, always asked": {"players": 9, "auto_pass": "off"},
}


@pytest.mark.rotates(3)
@pytest.mark.parametrize("variant", VARIANTS)
def test_always_answers_from_its_view_alone(variant: str) -> None:
    of, rng = GAMES["big_little_a"].rules(variant.partition(",")[0], **VARIANTS[variant]), random.Random(2)
    assert isinstance(of, BigLittleA)
    game = of.deal(SeededRandom(variant), 0)
    while game.result is None:
        view = game.view(game.turn)
        done = plain_action(view)
        assert done in offered(view)
        assert plain_action(of.imagine(view, rng).view(game.turn)) == done
        game = game.act(game.turn, done)


@pytest.mark.rotates(3)
@pytest.mark.parametrize("players", [3, 4, 9])
def test_is_far_better_than_chance(players: int) -> None:
    found = play_against_random(plain_action, 6, rules_for(players))
    assert statistics.mean(each.points for each in found) < 0.6 * statistics.mean(each.others for each in found)
    assert statistics.mean(each.place for each in found) < 2


def test_hands_of_house_players_end() -> None:
    assert max(play_equal_players(plain_action, 2, rules_for(5)).rounds) < 60


def test_many_cards_take_little_computation() -> None:
    views = views_of_large_hands()[:8]
    assert {len(view.hand) for view in views} == {60}
    assert max(count_calls(plain_action, view) for view in views) < 300_000
