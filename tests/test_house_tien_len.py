"""The house plays Tiến Lên as a sensible person would, from nothing but its view.

Tests its play in positions with an obvious answer, regardless of its method.
"""

import random
import statistics
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.games import GAMES
from bot.rules.core.asks import write_action
from bot.rules.core.cards import SeededRandom
from bot.rules.core.game import Game
from bot.rules.tien_len.play import TienLenGame
from tests.laws.matches import offered
from tests.rules.tien_len_positions import after, begun, rules, table, up

MANY = ("4c 6c 8d 9h Th Jc Qs Kc", "4d 6d 8h 9c Tc Jd Qd Kd", "4h 6h 8c 9d Td Jh Qh Kh")
FOUR_PAIRS = up("5678")


def answer(game: TienLenGame, seat: int | None = None) -> str:
    """Return the house player's action in record notation, on turn or at another seat; "" for none."""
    action = plain_action(game.view(game.turn if seat is None else seat))
    return write_action(action) if action else ""


def facing(top: str, hand: str, *others: str, **options: Any) -> str:
    """Return seat 1's reply with this hand to seat 0's lead."""
    return answer(after(table(f"{top} {MANY[0]}", hand, *(others or MANY[1:]), **options), top))


def test_goes_out_when_possible() -> None:
    assert answer(table("9d 9h", *MANY)) == "9d 9h"
    assert facing("8s", "2h") == "2h"
    assert facing("2s", up("5", 4)) == up("5", 4)


def test_passes_without_a_legal_play() -> None:
    assert facing("Ah", "4s 5d 7d") == "pass"


def test_leads_long_low_combinations() -> None:
    assert answer(table("4s 9s 9d Ks As 2s", *MANY)) == "4s"
    assert answer(table("3s 4s 5d 6s 7d Ks As 2s", *MANY)) == "3s 4s 5d 6s 7d"


def test_the_first_play_contains_the_required_card() -> None:
    game = begun("3s 5s 5d 9s 9d Ks 2h", *MANY)
    assert "3s" in answer(game)


def test_follows_with_cheap_cards_and_saves_the_two() -> None:
    assert facing("8s", "5s 5d 9s Js Ks As 2s") == "9s"
    assert facing("Qc", "4s 5s 5d 7s 7d 9s 2h", *MANY[1:]) in {"pass", "2h"}
    assert facing("7c", "8s 9s Ts 2h 2d") != "2h"


def test_stops_a_last_card_that_would_cost_it_everything() -> None:
    duty: dict[str, Any] = {"one_card_rule": "pay_all"}
    hand, last = "5s 6c 8d 9h Jc Kd", ("Qd", *MANY[2:])
    assert facing("4s", hand, *last, **duty) == "Kd", "the highest that can be played"
    assert facing("4s", "5s 6c 8d 9h Jc Kd 2h", *last, **duty) == "2h", "even a 2"
    assert facing("4s", "5s", "6c", "9d Td", **duty) == "5s", "or it goes out itself"
    assert facing("4s", hand, "Qd Qh", *MANY[2:], **duty) != "Kd", "nobody is about to go out"
    leading = table("4s 5d 9s 9d Kh", "Qd", *MANY[1:3], **duty)
    assert answer(leading) == "9s 9d", "two cards rather than one"
    assert answer(table("4s 5d 9s Kh", "Qd", *MANY[1:3], **duty)) == "Kh"


def test_never_pays_for_all() -> None:
    duty = rules(one_card_rule="pay_all", play_on="first", scoring="cards", frozen=False)
    for seed in range(20):
        game: Any = duty.deal(SeededRandom(f"last card {seed}"), 0)
        while game.result is None:
            game = game.act(game.turn, plain_action(game.view(game.turn)))
        assert "8.8" not in [note.article for note in game.result.notes]


def test_chops_when_paid_for_it() -> None:
    assert facing("2h", f"{up('5', 4)} 9s Ks") == up("5", 4)
    assert facing("2d", f"{up('567')} 9s Ks") == up("567")


def test_chops_out_of_turn() -> None:
    game = table(f"2h {MANY[0]}", MANY[1], f"{FOUR_PAIRS} 9s As", MANY[2], out_of_turn_four_pairs=True)
    led = after(game, "2h")
    assert answer(led, 2) == FOUR_PAIRS
    assert answer(led, 3) == ""


def test_leads_no_single_before_a_player_with_one_card() -> None:
    assert answer(table("4s 7s 7d Ks As", "9s", *MANY[1:])) == "7s 7d"
    assert answer(table("4s 7s 9d Ks As", "9s", *MANY[1:])) == "As"


def test_stops_a_player_about_to_go_out() -> None:
    assert facing("Ks", "4s 5d 5h 6s 8s 8d 2s", "9s") == "2s"


def test_keeps_no_two_that_may_not_be_last() -> None:
    assert answer(table("4s 4d 2s", *MANY, last_card_two=False)) == "2s"
    assert facing("3h", "9s 2s", last_card_two=False) == "2s"


def test_plays_a_card_before_being_frozen() -> None:
    whole = "4s 4d 5s 6d 8s 9s Ts Tc Js Qc Ks As 2d"
    hand = table(f"Kc {MANY[0]}", whole, "7s", MANY[1], idle=(1,))
    assert answer(after(hand, "Kc")) != "pass"


# Against others


def played_out(game: Game, mine: int, rng: random.Random) -> tuple[int, bool]:
    """Play a seat as the house against random players; return its points and whether it won."""
    while game.result is None:
        [seat] = game.awaited
        view = game.view(seat)
        action = plain_action(view) if seat == mine else rng.choice(offered(view))
        assert action
        game = game.act(seat, action)
    return game.result.points[mine], game.result.order[0] == mine


@pytest.mark.rotates(3)
@pytest.mark.parametrize("preset", GAMES["tien_len"].presets)
def test_is_far_better_than_chance(preset: str) -> None:
    of = rules(preset)
    played = [played_out(of.deal(SeededRandom(str(at)), 0), at % 4, random.Random(at)) for at in range(24)]
    assert sum(first for _, first in played) > 12, "of 24 hands 6 are won by chance"
    assert statistics.mean(points for points, _ in played) > 0.5
