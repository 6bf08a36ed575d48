"""The plain house player plays as a sensible person would, from nothing but its view.

Knows what it does in positions anybody can judge. Refuses to know how it finds that.
"""

import random
import statistics
import time

import pytest

from bot.house.plain import choose
from bot.rules.actions import Action, Give, write_action
from bot.rules.big_two import BigTwo
from bot.rules.big_two.dealt import Progress
from bot.rules.big_two.play import BigTwoGame
from bot.rules.cards import SeededRandom, cards
from bot.rules.game import Result
from tests.laws.matches import offered
from tests.rules.positions import after, rules, table

MANY = "3c 4c 5c 7c 9c Tc Jc"
OTHERS = ("3h 4h 6h 7h 8h Th Qh", "3s 4s 6s 7s 8s Ts Qs")


def answer(game: BigTwoGame, seat: int | None = None) -> str:
    """Return what the house does at the turn, or at another seat, as a record writes it; "" where it does nothing."""
    action = choose(game.view(game.turn if seat is None else seat))
    return write_action(action) if action else ""


def facing(top: str, hand: str, *others: str, of: BigTwo | None = None) -> BigTwoGame:
    """Return the game in which seat 1, with this hand, has to beat what seat 0 led."""
    return after(table(f"{top} {MANY}", hand, *(others or OTHERS), of=of), top)


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


def test_it_comes_in_out_of_turn_only_when_somebody_is_about_to_go_out() -> None:
    of, four = rules("da_lao_er"), "5d 8d Jd Kd Kc Kh Ks"
    early = "3h 4h 6h 7h 8h Th Qh 4d 6d 9d", "3s 4s 6s 7s 8s Ts Qs 5h 5s 9h"
    start = table(f"6c 2c 2d Ac Ad {MANY}", early[0], four, early[1], of=of)
    near = facing("6c", "9s", four, OTHERS[1], of=of)
    assert [answer(after(start, "6c"), seat) for seat in (2, 3)] == ["", ""]
    assert [answer(near, seat) for seat in (2, 3)] == ["Kd Kc Kh Ks 5d", ""]
    assert answer(facing("6c", OTHERS[0], "5d Kd Kc Kh Ks", OTHERS[1], of=of), 2) == "5d Kd Kc Kh Ks", "it goes out"


def test_it_gives_away_what_it_has_no_use_for() -> None:
    of = rules("three_player", exchange="loser_highest_for_any")
    hands = "3d 3c 4h 5s 6d 7c 8d Td As 2s", OTHERS[0], OTHERS[1]
    game = table(*hands, of=of)._replace(progress=Progress(0, giving=2))
    assert answer(game) == "give Td"
    assert game.act(0, Give(cards("Td"))) != game


def test_it_gets_rid_of_a_two_that_may_not_be_its_last_card() -> None:
    for ban, kept in (("any_two", "2d"), ("any_two", "2s"), ("highest_two", "2s")):
        of = rules("pagat", last_card_ban=ban)
        assert answer(facing("3h", f"4d {kept}", of=of)) == kept
        assert answer(table(f"4d 4h {kept}", MANY, *OTHERS, of=of)) == kept
    assert answer(facing("3h", "4d 2d", of=rules("pagat", last_card_ban="highest_two"))) == "4d"
    assert answer(facing("3h", "4d 2s")) == "4d"


def test_it_passes_when_it_is_stuck() -> None:
    assert answer(table("2s", MANY, *OTHERS, of=rules("hong_kong"))) == "pass"


def test_it_plays_what_it_is_forced_to() -> None:
    of = rules("pagat", one_card_rule="forced")
    assert answer(facing("7c", "8d Jh 2d", "9s", OTHERS[1], of=of)) == "2d"
    assert answer(table("4d 8d Td Kd Ah", "9s", *OTHERS, of=of)) == "Ah"


def test_it_is_the_same_every_time_and_legal_with_any_dice() -> None:
    for game in dealt(6):
        view = game.view(game.turn)
        assert choose(view) == choose(view)
        action = choose(view, random.Random(1))
        assert action
        assert game.act(game.turn, action) != game


def dealt(count: int, of: BigTwo | None = None) -> list[BigTwoGame]:
    """Return some hands at their first play."""
    return [(of or BigTwo()).deal(SeededRandom(str(seed)), 0) for seed in range(count)]


def played_out(game: BigTwoGame, mine: int, rng: random.Random) -> Result:
    """Return how the hand ended of which one seat was played by the house and the others at random."""
    while game.result is None:
        wish = choose(game.view(mine)) if mine in game.to_act else None
        game = game.act(mine, wish) if wish else game.act(*by_another(game, mine, rng))
    return game.result


def by_another(game: BigTwoGame, mine: int, rng: random.Random) -> tuple[int, Action]:
    """Return anything that anybody else may do."""
    seats = rng.sample(sorted(game.to_act - {mine}), len(game.to_act - {mine}))
    return next((seat, rng.choice(actions)) for seat in seats if (actions := offered(game.view(seat))))


@pytest.mark.parametrize(
    "preset", ["pagat", "hong_kong", "indonesia", "pusoy_dos", "taiwan", "da_lao_er", "three_player_draw", "two_player"]
)
def test_it_is_far_better_than_chance(preset: str) -> None:
    of, rng = rules(preset), random.Random(7)
    hands = [played_out(game, at % of.players, rng) for at, game in enumerate(dealt(60, of))]
    won = sum(result.order[:1] == (at % of.players,) for at, result in enumerate(hands))
    mine = sum(result.points[at % of.players] for at, result in enumerate(hands)) / len(hands)
    theirs = sum(sum(result.points) for result in hands) / len(hands) - mine
    theirs /= of.players - 1
    assert won > 0.6 * len(hands)
    assert mine > 2 * theirs if of.options.positive else mine < theirs / 3


def test_it_never_pays_for_all() -> None:
    rng = random.Random(3)
    for at, game in enumerate(dealt(60)):
        result = played_out(game, at % 4, rng)
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
        action = choose(view)
        assert action
        assert choose(elsewhere) == action
        game = game.act(game.turn, action)
