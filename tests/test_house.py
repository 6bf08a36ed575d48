"""The plain house player plays as a sensible person would, from nothing but its view.

Knows what it does in positions anybody can judge. Refuses to know how it finds that.
"""

import random
import statistics
import time

import pytest

from bot.house.plain import choose
from bot.rules.big_two import BigTwo
from bot.rules.big_two.play import BigTwoGame
from bot.rules.cards import SeededRandom
from bot.rules.game import Action, Pass, Play, View, write_action
from tests.rules.positions import after, table

MANY = "3c 4c 5c 7c 9c Tc Jc"
OTHERS = ("3h 4h 6h 7h 8h Th Qh", "3s 4s 6s 7s 8s Ts Qs")


def answer(game: BigTwoGame) -> str:
    """Return what the house does at the turn, as a record writes it."""
    return write_action(choose(game.view(game.turn)))


def facing(top: str, hand: str, *others: str) -> BigTwoGame:
    """Return the game in which seat 1, with this hand, has to beat what seat 0 led."""
    return after(table(f"{top} {MANY}", hand, *(others or OTHERS)), top)


def test_it_goes_out_when_it_can() -> None:
    assert answer(table("9d 9h", MANY, *OTHERS)) == "9d 9h"
    assert answer(facing("8c", "2s")) == "2s"
    assert answer(table("4d 5d 6d 7d 9d", MANY, *OTHERS)) == "4d 5d 6d 7d 9d"


def test_it_passes_when_nothing_can_be_played() -> None:
    assert answer(facing("Ad", "4d 5d Kd")) == "pass"


def test_it_leads_low_and_many() -> None:
    assert answer(table("3d 4d 5h 6d 7s Kd Ah 2s", MANY, *OTHERS)) == "3d 4d 5h 6d 7s"
    assert answer(table("4d 4h 9d Kd Ah 2s", MANY, *OTHERS)) == "4d 4h"
    assert answer(table("4d 8d Kd Ah 2s", MANY, *OTHERS)) == "4d"


def test_its_first_lead_of_a_hand_contains_the_card_it_must() -> None:
    game = table("3d 5d 5h 5s 6d 6h Kd Ah 2s", MANY, *OTHERS, must="3d")
    assert "3d" in answer(game)


def test_it_follows_cheaply() -> None:
    assert answer(facing("8c", "9d Jd Kd As 2s")) == "9d"


def test_it_breaks_no_better_combination() -> None:
    assert answer(facing("6c", "7d 8h 9d Ts Jd Qh 2s")) in {"Qh", "7d"}
    assert answer(facing("8c", "9d 9s Td Kd Kh 4d")) == "Td"


def test_it_keeps_the_two_for_need() -> None:
    early = "4d 5d 5h 6d 8d 8h Td Jd Jh 2s"
    full = ("3h 4h 6h 7h 9h Th Qh 3s 4s 6s 7s 8s", "3c 5c 5s 6c 7d 8c 9s Ts Qs Qd Ks Kh")
    start = after(table(f"Kc {MANY} 2c 2d Ac As", early, *full), "Kc")
    assert answer(start) == "pass"


def test_it_stops_whoever_is_about_to_go_out() -> None:
    early = "4d 5d 5h 6d 8d 8h Td Jd Jh 2s"
    assert answer(facing("Kc", early, "9s", OTHERS[1])) == "2s"
    assert answer(facing("7c", "8d Jh Ks 2d", "9s", OTHERS[1])) == "2d"


def test_it_leads_no_single_before_somebody_with_one_card() -> None:
    assert answer(table("4d 8d 8h Kd Ah", "9s", *OTHERS)) == "8d 8h"
    assert answer(table("4d 8d Td Kd Ah", "9s", *OTHERS)) == "Ah"


def test_it_leads_what_nobody_beats_when_that_wins() -> None:
    assert answer(table("4d 2s", MANY, *OTHERS)) == "2s"


def test_it_is_the_same_every_time_and_legal_with_any_dice() -> None:
    for game in dealt(6):
        view = game.view(game.turn)
        assert choose(view) == choose(view)
        action = choose(view, random.Random(1))
        assert game.act(game.turn, action) != game


def dealt(count: int) -> list[BigTwoGame]:
    """Return some hands at their first play."""
    return [BigTwo().deal(SeededRandom(str(seed)), 0) for seed in range(count)]


def at_random(view: View, rng: random.Random) -> Action:
    """Return any legal action."""
    plays = list(view.plays)
    passes = 1 if view.ask and view.ask.may_pass else 0
    at = rng.randrange(len(plays) + passes)
    return Play(plays[at].cards) if at < len(plays) else Pass()


def played_out(game: BigTwoGame, mine: int, rng: random.Random) -> BigTwoGame:
    """Return the hand after one seat was played by the house and the others at random."""
    while game.result is None:
        view = game.view(game.turn)
        game = game.act(game.turn, choose(view) if game.turn == mine else at_random(view, rng))
    return game


def test_it_is_far_better_than_chance() -> None:
    rng = random.Random(7)
    hands = [played_out(game, at % 4, rng).result for at, game in enumerate(dealt(100))]
    won = sum(result.order == (at % 4,) for at, result in enumerate(hands) if result)
    lost = sum(result.points[at % 4] for at, result in enumerate(hands) if result)
    others = sum(sum(result.points) for result in hands if result) - lost
    assert won > 60
    assert lost < others / 3 / 3


def test_it_never_pays_for_all() -> None:
    rng = random.Random(3)
    for at, game in enumerate(dealt(60)):
        result = played_out(game, at % 4, rng).result
        assert result is not None
        assert not result.notes or result.points[at % 4] == 0


def test_it_answers_at_once() -> None:
    views = [game.view(game.turn) for game in dealt(40)]
    assert {len(view.hand) for view in views} == {13}
    times = []
    for view in views:
        start = time.perf_counter()
        choose(view)
        times.append(time.perf_counter() - start)
    assert statistics.median(times) < 0.02


@pytest.mark.parametrize("seed", range(5))
def test_it_plays_from_its_view_alone(seed: int) -> None:
    rng = random.Random(seed)
    game = dealt(seed + 1)[-1]
    while game.result is None:
        view = game.view(game.turn)
        elsewhere = game.rules.imagine(view, rng).view(game.turn)  # other hands behind the same view
        assert choose(elsewhere) == choose(view)
        game = game.act(game.turn, choose(view))
