"""The plain house player plays as a sensible person would, from nothing but its view.

Tests its play in positions with an obvious answer, regardless of its method.
"""

import random
import statistics
from collections import Counter
from typing import Any

import pytest

from bot.ai.plain import plain_action
from bot.rules.big_a import BigA
from bot.rules.big_a import Options as BigAOptions
from bot.rules.big_a.declarations import Declaration, ShownAces, Stack
from bot.rules.big_a.play import BigAGame
from bot.rules.big_a.resolution import WindowKind
from bot.rules.big_a.score import Sides
from bot.rules.big_a.windows import BigADraw
from bot.rules.big_two import BigTwo
from bot.rules.big_two.play import BigTwoGame
from bot.rules.big_two.state import HandProgress
from bot.rules.core.asks import Action, Give, Play, write_action
from bot.rules.core.cards import SeededRandom, Suit, cards, double_pack
from bot.rules.core.game import Game, Result
from tests.bench.house_big_a import play_against_random, views_of_large_hands
from tests.laws.matches import offered
from tests.rules.positions import after, rules, table
from tests.support.call_counts import count_calls
from tests.support.law_settings import is_thorough

MANY = "3c 4c 5c 7c 9c Tc Jc"
OTHERS = ("3h 4h 6h 7h 8h Th Qh", "3s 4s 6s 7s 8s Ts Qs")


def answer(game: BigTwoGame, seat: int | None = None) -> str:
    """Return the house player's action in record notation, on turn or at another seat; "" for none."""
    action = plain_action(game.view(game.turn if seat is None else seat))
    return write_action(action) if action else ""


def facing(top: str, hand: str, *others: str, of: BigTwo | None = None) -> BigTwoGame:
    """Return the game in which seat 1, with this hand, has to beat what seat 0 led."""
    return after(table(f"{top} {MANY}", hand, *(others or OTHERS), of=of), top)


def test_goes_out_when_possible() -> None:
    assert answer(table("9d 9h", MANY, *OTHERS)) == "9d 9h"
    assert answer(facing("8c", "2s")) == "2s"
    assert answer(table("4d 5d 6d 7d 9d", MANY, *OTHERS)) == "4d 5d 6d 7d 9d"


def test_passes_without_a_legal_play() -> None:
    assert answer(facing("Ad", "4d 5d Kd")) == "pass"


def test_leads_long_low_combinations() -> None:
    assert answer(table("3d 4d 5h 6d 7s Kd Ah 2s", MANY, *OTHERS)) == "3d 4d 5h 6d 7s"
    assert answer(table("4d 4h 9d Kd Ah 2s", MANY, *OTHERS)) == "4d 4h"
    assert answer(table("4d 8d Kd Ah 2s", MANY, *OTHERS)) == "4d"


def test_the_first_lead_contains_the_required_card() -> None:
    game = table("3d 5d 5h 5s 6d 6h Kd Ah 2s", MANY, *OTHERS, must="3d")
    assert "3d" in answer(game)


def test_follows_with_cheap_cards() -> None:
    assert answer(facing("8c", "9d Jd Kd As 2s")) == "9d"


def test_does_not_break_better_combinations() -> None:
    assert answer(facing("6c", "7d 8h 9d Ts Jd Qh 2s")) in {"Qh", "7d"}
    assert answer(facing("8c", "9d 9s Td Kd Kh 4d")) == "Td"


def test_saves_the_two() -> None:
    early = "4d 5d 5h 6d 8d 8h Td Jd Jh 2s"
    full = ("3h 4h 6h 7h 9h Th Qh 3s 4s 6s 7s 8s", "3c 5c 5s 6c 7d 8c 9s Ts Qs Qd Ks Kh")
    start = after(table(f"Kc {MANY} 2c 2d Ac As", early, *full), "Kc")
    assert answer(start) == "pass"


def test_stops_a_player_about_to_go_out() -> None:
    early = "4d 5d 5h 6d 8d 8h Td Jd Jh 2s"
    assert answer(facing("Kc", early, "9s", OTHERS[1])) == "2s"
    assert answer(facing("7c", "8d Jh Ks 2d", "9s", OTHERS[1])) == "2d"


def test_leads_no_single_before_a_player_with_one_card() -> None:
    assert answer(table("4d 8d 8h Kd Ah", "9s", *OTHERS)) == "8d 8h"
    assert answer(table("4d 8d Td Kd Ah", "9s", *OTHERS)) == "Ah"


def test_leads_unbeatable_cards_when_that_wins() -> None:
    assert answer(table("4d 2s", MANY, *OTHERS)) == "2s"


def test_plays_out_of_turn_only_to_stop_a_player_going_out() -> None:
    of, four = rules("da_lao_er"), "5d 8d Jd Kd Kc Kh Ks"
    early = "3h 4h 6h 7h 8h Th Qh 4d 6d 9d", "3s 4s 6s 7s 8s Ts Qs 5h 5s 9h"
    start = table(f"6c 2c 2d Ac Ad {MANY}", early[0], four, early[1], of=of)
    near = facing("6c", "9s", four, OTHERS[1], of=of)
    assert [answer(after(start, "6c"), seat) for seat in (2, 3)] == ["", ""]
    assert [answer(near, seat) for seat in (2, 3)] == ["Kd Kc Kh Ks 5d", ""]
    assert answer(facing("6c", OTHERS[0], "5d Kd Kc Kh Ks", OTHERS[1], of=of), 2) == "5d Kd Kc Kh Ks", "it goes out"


def test_gives_away_useless_cards() -> None:
    of = rules("three_player", exchange="loser_highest_for_any")
    hands = "3d 3c 4h 5s 6d 7c 8d Td As 2s", OTHERS[0], OTHERS[1]
    game = table(*hands, of=of)._replace(progress=HandProgress(0, giving=2))
    assert answer(game) == "give Td"
    assert game.act(0, Give(cards("Td"))) != game


def test_gets_rid_of_a_two_that_may_not_be_last() -> None:
    for ban, kept in (("any_two", "2d"), ("any_two", "2s"), ("highest_two", "2s")):
        of = rules("pagat", last_card_ban=ban)
        assert answer(facing("3h", f"4d {kept}", of=of)) == kept
        assert answer(table(f"4d 4h {kept}", MANY, *OTHERS, of=of)) == kept
    assert answer(facing("3h", "4d 2d", of=rules("pagat", last_card_ban="highest_two"))) == "4d"
    assert answer(facing("3h", "4d 2s")) == "4d"


def test_passes_when_stuck() -> None:
    assert answer(table("2s", MANY, *OTHERS, of=rules("hong_kong"))) == "pass"


def test_makes_forced_plays() -> None:
    of = rules("pagat", one_card_rule="forced")
    assert answer(facing("7c", "8d Jh 2d", "9s", OTHERS[1], of=of)) == "2d"
    assert answer(table("4d 8d Td Kd Ah", "9s", *OTHERS, of=of)) == "Ah"


def test_is_reproducible_and_legal_with_any_seed() -> None:
    for game in dealt(6):
        view = game.view(game.turn)
        assert plain_action(view) == plain_action(view)
        action = plain_action(view, random.Random(1))
        assert action
        assert game.act(game.turn, action) != game


def dealt(count: int, of: BigTwo | None = None) -> list[BigTwoGame]:
    """Return some hands at their first play."""
    return [(of or BigTwo()).deal(SeededRandom(str(seed)), 0) for seed in range(count)]


def played_out(game: BigTwoGame, mine: int, rng: random.Random) -> Result:
    """Return how the hand ended of which one seat was played by the house and the others at random."""
    while game.result is None:
        wish = plain_action(game.view(mine)) if mine in game.to_act else None
        game = game.act(mine, wish) if wish else game.act(*by_another(game, mine, rng))
    return game.result


def by_another(game: BigTwoGame, mine: int, rng: random.Random) -> tuple[int, Action]:
    """Return anything that any other player may do."""
    seats = rng.sample(sorted(game.to_act - {mine}), len(game.to_act - {mine}))
    return next((seat, rng.choice(actions)) for seat in seats if (actions := offered(game.view(seat))))


@pytest.mark.rotates(3)
@pytest.mark.parametrize(
    "preset", ["pagat", "hong_kong", "indonesia", "pusoy_dos", "taiwan", "da_lao_er", "three_player_draw", "two_player"]
)
def test_is_far_better_than_chance(preset: str) -> None:
    of, rng = rules(preset), random.Random(7)
    hands = [played_out(game, at % of.players, rng) for at, game in enumerate(dealt(60 if is_thorough() else 30, of))]
    won = sum(result.order[:1] == (at % of.players,) for at, result in enumerate(hands))
    mine = sum(result.points[at % of.players] for at, result in enumerate(hands)) / len(hands)
    theirs = sum(sum(result.points) for result in hands) / len(hands) - mine
    theirs /= of.players - 1
    assert won > 0.6 * len(hands)
    assert mine > 2 * theirs if of.options.positive else mine < theirs / 3


def test_never_pays_for_all() -> None:
    rng = random.Random(3)
    for at, game in enumerate(dealt(60 if is_thorough() else 20)):
        result = played_out(game, at % 4, rng)
        assert not result.notes or result.points[at % 4] == 0


def test_a_whole_hand_takes_little_computation() -> None:
    """How long that takes says the bench."""
    views = [game.view(game.turn) for game in dealt(8)]
    assert {len(view.hand) for view in views} == {13}
    assert max(count_calls(plain_action, view) for view in views) < 20_000


@pytest.mark.parametrize("seed", range(5))
def test_plays_from_its_view_alone(seed: int) -> None:
    rng = random.Random(seed)
    game = dealt(seed + 1)[-1]
    while game.result is None:
        view = game.view(game.turn)
        elsewhere = view.rules.imagine(view, rng).view(game.turn)  # other hands behind the same view
        action = plain_action(view)
        assert action
        assert plain_action(elsewhere) == action
        game = game.act(game.turn, action)


# Big A

SPREAD = tuple(f"5{suit} 6{suit} 8{suit} 9{suit} T{suit} J{suit} Q{suit} K{suit}" for suit in "dchsd")
NOTHING_SHOWN = Declaration()
OPEN = Sides(0, Suit.HEARTS, 1, known=True)  # every player knows who is with whom


def five(*held: str, sides: Sides | None = None, turn: int = 0) -> BigAGame:
    """Return a hand of Big A with hearts as the Big suit; seats without cards here get some that matter little."""
    of = BigA().in_force(Suit.HEARTS)
    hands = tuple(of.sort(cards(each)) for each in (*held, *SPREAD[len(held) :]))
    return BigAGame(of, sides or Sides(0, Suit.HEARTS, 1), (("starter", 0),), hands, turn)


def after_lead(top: str, hand: str, *others: str, sides: Sides | None = None) -> BigAGame:
    """Return the game in which seat 1, with this hand, has to act on what seat 0 led."""
    return five(f"{top} {SPREAD[0]}", hand, *others, sides=sides or Sides(0, Suit.HEARTS, 2)).act(0, Play(cards(top)))


def said(game: BigAGame | BigADraw, seat: int) -> str:
    """Return the house player's action in Big A, in record notation; "" for none."""
    action = plain_action(game.view(seat))
    return write_action(action) if action else ""


def drawn(*own: str, rounds: int, kind: WindowKind = "round", shown: Declaration = NOTHING_SHOWN) -> BigADraw:
    """Return a draw after a number of rounds; the first seats hold the given cards."""
    left = Counter(double_pack()) - Counter(held for each in own for held in cards(each))
    rest = sorted(left.elements(), key=lambda held: held.rank == "A")  # the aces last
    columns = [iter(cards(own[seat]) if seat < len(own) else ()) for seat in range(5)]
    order = tuple(next(columns[at % 5], None) or rest.pop(0) for at in range(108))
    return BigADraw(BigA(), Stack(order, 0), 0, rounds * 5, kind, shown)


def test_big_a_goes_out_when_it_can() -> None:
    assert said(five("9d 9c 9h"), 0) == "9d 9c 9h"
    assert said(after_lead("8d 8c", "5d 5c 5h"), 1) == "5d 5c 5h"
    assert said(after_lead("8d", "Jc", sides=OPEN), 1) == "Jc", "over its own partner too"


def test_big_a_leads_cards_that_will_not_win_the_lead() -> None:
    assert said(five("4d 3d 3c RJ Ah Kd"), 0) == "4d"
    assert said(five("4d 9c 9d 3d 3c RJ Ah Kd"), 0) == "9d 9c"
    assert said(five("4d RJ RJ Ah"), 0) in {"RJ RJ", "Ah"}, "nobody stops it any more"


def test_big_a_does_not_beat_its_partner() -> None:
    hand = "4d 6d 9c 2d 3d 3c Jd Qh"
    assert said(after_lead("2s", hand, sides=OPEN), 1) == "pass"
    assert said(after_lead("2s", hand, sides=Sides(0, Suit.HEARTS, 1)), 1) == "pass", "though only it knows that it is"
    assert said(after_lead("5s", hand, sides=OPEN), 1) == "6d", "a low card would be beaten anyway"


def test_big_a_saves_its_bombs() -> None:
    full = "4c 6d 7c 9c 9d Jd Qh Kd 2d 5d 5c 5h 4s"
    many = f"{SPREAD[0]} 7d 7h 8s 2c"
    assert said(after_lead("Kd Ks", full, many, many, many, sides=OPEN), 1) == "pass", "its partner leads safely"
    assert said(after_lead("3d 3c", full, many, many, many), 1) == "pass", "nobody is near"
    near = five(f"3d 3c {SPREAD[0]}", full, "9s", sides=Sides(0, Suit.HEARTS, 3)).act(0, Play(cards("3d 3c")))
    assert said(near, 1) == "5d 5c 5h"


def test_big_a_takes_an_egg_with_two_fours_when_that_pays() -> None:
    assert said(after_lead("Kd Kc Kh", "4d 4c 6d 9s Jd"), 1) == "4d 4c"
    four = after_lead("Kd Kc Kh", "4d 4c 4h 4s 6d 9s Jd", sides=OPEN)
    assert said(four, 1) == "pass", "not from its partner"
    assert said(after_lead("Kd Kc Kh", "4d 4c"), 1) == "4d 4c", "though it does not go out with that"


GOOD, POOR = "Ah 3d 3c 2s 2d RJ BJ", "Ah 4d 6c 8h Ts Qd 5c"
RICH = "As As 3d 3c 3h 2s 2d RJ BJ Kd Kc Kh Ks 9d 9c 9h Qd Qc 8d 8c 4d"
FAIR = "As As 3d 5c 6h 2s Td 7s 8s Kd Kc 4h Js 9d 9c Jh Qd Qc 8d 6c 4d"


def test_big_a_shows_an_ace_with_a_strong_hand() -> None:
    assert said(drawn(GOOD, rounds=7), 0) == "choose expose:h"
    assert said(drawn(POOR, rounds=7), 0) == "choose nothing"
    assert said(drawn(GOOD.replace("Ah", "Kh"), rounds=7), 0) == "choose nothing", "it has none"


def test_big_a_plays_alone_only_late_and_with_a_very_strong_hand() -> None:
    assert said(drawn(RICH, rounds=22, kind="last"), 0) == "choose pair:s"
    assert said(drawn(FAIR, rounds=22, kind="last"), 0) == "choose nothing"
    assert said(drawn(RICH, rounds=7), 0) == "choose nothing"


def test_big_a_overcalls_another_and_protects_its_exposure() -> None:
    other = Declaration((ShownAces(1, Suit.HEARTS, 1, 35),))
    assert said(drawn(RICH, "Ah", rounds=22, kind="last", shown=other), 0) == "choose pair:s"
    own = Declaration((ShownAces(0, Suit.SPADES, 1, 35),))
    assert said(drawn(RICH, rounds=22, kind="last", shown=own), 0) == "choose protect"
    assert said(drawn(FAIR, rounds=22, kind="last", shown=own), 0) == "choose nothing"


def test_big_a_reveals_itself_as_partner_with_a_strong_hand() -> None:
    other = Declaration((ShownAces(1, Suit.SPADES, 1, 35),))
    strong, weak = (f"{each} 5h" for each in (RICH.replace("As As", "As Ks"), FAIR.replace("As As", "As Ks")))
    assert said(drawn(strong, "As", rounds=22, kind="reveal", shown=other), 0) == "choose reveal"
    assert said(drawn(weak, "As", rounds=22, kind="reveal", shown=other), 0) == "choose nothing"


def test_big_a_answers_once() -> None:
    game = drawn(GOOD, rounds=7)
    action = plain_action(game.view(0))
    assert action
    assert plain_action(game.act(0, action).view(0)) is None


@pytest.mark.parametrize("mode", ["checkpoints", "live", "sealed_once"])
def test_big_a_always_answers_from_its_view_alone(mode: Any) -> None:
    rules, rng = BigA(BigAOptions(draw_mode=mode, bomb_ladder="homygames")), random.Random(2)
    game: Game = rules.deal(SeededRandom(mode), 0)
    while game.result is None:
        seat = min(game.awaited)
        view = game.view(seat)
        action = plain_action(view)
        assert action
        assert plain_action(rules.imagine(view, rng).view(seat)) == action
        game = game.act(seat, action)


def test_big_a_is_far_better_than_chance() -> None:
    points = [ended.points for ended in play_against_random(plain_action, 40 if is_thorough() else 15)]
    assert statistics.mean(points) > 2


def test_big_a_needs_little_computation_with_many_cards() -> None:
    views = views_of_large_hands()[:12]
    assert {len(view.hand) for view in views} == {40}
    assert max(count_calls(plain_action, view) for view in views) < 300_000
