"""The articles on options about going out and about the last card: the end of section 6, and section 8."""

import random
from typing import Any

import pytest

from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Action, Pass, Play, PlayAsk
from bot.rules.core.cards import SeededRandom, card, cards
from bot.rules.core.game import Result
from bot.rules.core.sentences import Illegal
from tests.rules.positions import after, named, nets, refusal, result, rules, table

TEN = "4c 4h 4s 5c 5h 5s 6c 6h 6s 7c"


def may_pass(game: BigTwoGame) -> bool:
    """Tell whether the seat on turn is offered to pass."""
    ask = game.view(game.turn).ask
    assert isinstance(ask, PlayAsk)
    return ask.may_pass


# 6 Going out


def test_c24_1_playing_on() -> None:
    game = after(table("4d 9d", "9c", "5d Td", "6d 8d Jd", end="play_on"), "4d", "9c")
    assert (game.result, game.turn, game.progress.out) == (None, 2, (1,))
    skipped = after(game, "Td", "Jd", "-", "-")
    assert (skipped.turn, skipped.trick.top) == (3, None)
    assert after(skipped, "6d").turn == 0  # seat 1 is out, and two passes end a trick
    end = after(skipped, "6d", "9d", "-", "-", "5d")
    assert (result(end).order, result(end).left[3]) == ((1, 0, 2, 3), cards("8d"))
    assert refusal(end, "8d", seat=3).article == "C24.1"


def test_c24_2_after_a_last_play() -> None:
    game = after(table("4d 9d", "Kh", "6c 8c", "7c Qc", end="play_on"), "4d", "Kh")
    assert after(game, "-", "-", "-").turn == 2
    assert after(game, "-", "-", "-").trick.top is None
    clockwise = after(table("4d 9d", "Kh", "6c 8c", "7c Qc", turn=2, end="play_on", direction="clockwise"), "6c", "Kh")
    assert after(clockwise, "-", "-", "-").turn == 0
    tried = after(table("4d Ad 9d", "Kh", "6c 8c", "7c Qc", end="play_on"), "4d", "Kh", "-", "-")
    assert after(tried, "Ad").trick.owner == 0  # it may still be beaten
    assert after(tried, "Ad", "-", "-").turn == 0


def test_c24_3_places() -> None:
    end = after(table("4d", "9c", "5d Td", "6d 8d", end="play_on"), "4d", "9c", "Td", "-", "5d")
    assert result(end).order == (0, 1, 2, 3)
    assert [len(left) for left in result(end).left] == [0, 0, 0, 2]


# 6 The last card


def test_c23_1_not_the_highest_two_at_the_end() -> None:
    game = after(table("As 3d", "2s", "5d 6d", "7d 8d", last_card_ban="highest_two"), "As")
    assert refusal(game, "2s").article == "C23.1"
    assert not game.view(1).plays
    assert result(after(table("As 3d", "2h", "5d", "7d", last_card_ban="highest_two"), "As", "2h")).order == (1,)
    philippine = rules("pusoy_dos", last_card_ban="highest_two")
    assert refusal(after(table("As 3d", "2d", "5d", "7d", of=philippine), "As"), "2d").article == "C23.1"
    assert result(after(table("As 3d", "2s", "5d", "7d", of=philippine), "As", "2s")).order == (1,)
    assert result(after(table("As 3d", "2s", "5d", "7d", last_card_ban="none"), "As", "2s")).order == (1,)


def test_c23_2_not_a_two_at_the_end() -> None:
    for two in ("2d", "2c", "2h", "2s"):
        game = after(table("As 3d", two, "5d 6d", "7d 8d", of=rules("hong_kong", stake=0)), "As")
        assert refusal(game, two).article == "C23.2"
    tiles = table("1s 3d", "2d", "5d 6d", "7d 8d", "9d 10d", of=rules("lectio_tiles", last_card_ban="any_two"), turn=2)
    assert refusal(after(tiles, "5d"), "2d").article == "C23.2"


@pytest.mark.parametrize("ban", ["highest_two", "any_two"])
def test_c23_3_only_alone_and_last(ban: str) -> None:
    def first(hand: str) -> BigTwoGame:
        return table(hand, "5d 6d", "7d 8d", "9d Td", last_card_ban=ban)

    assert result(after(first("2h 2s"), "2h 2s")).order == (0,)
    assert result(after(first("2s 3d 4d 5c 6c"), "2s 3d 4d 5c 6c")).order == (0,)
    assert after(first("2s 3d"), "2s").turn == 1
    kept = after(first("2s 3d"), "3d")
    assert (kept.turn, kept.hands[0]) == (1, cards("2s"))


@pytest.mark.parametrize("ban", ["highest_two", "any_two"])
def test_c23_4_stuck(ban: str) -> None:
    lead = table("2s", "5d 6d", "7d 8d", "9d Td", last_card_ban=ban)
    assert may_pass(lead)
    assert not lead.view(0).plays
    passed = after(lead, "-")
    assert (passed.turn, passed.trick.top) == (1, None)
    assert refusal(passed, "-").article == "6.7"  # who is not stuck has to lead
    assert after(passed, "5d", "-", "-", "-").turn == 1
    assert may_pass(after(passed, "5d", "7d", "9d"))
    assert refusal(after(passed, "5d", "7d", "9d"), "2s").article in ("C23.1", "C23.2")
    forced = table("8h 9h", "2s", "Kd", "7d 6d", last_card_ban=ban, one_card_rule="forced")
    assert after(forced, "9h", "-").turn == 2  # and the duty to beat the card (C22.3) does not bind it


@pytest.mark.parametrize("ban", ["highest_two", "any_two"])
def test_c23_4_who_is_stuck_cannot_be_blamed(ban: str) -> None:
    """8.2 asks for the highest card only where it could have been played."""
    game = table("2s", "Qs", "3c 3h", "8h Th", turn=3, last_card_ban=ban, pay_all_test="breach")
    over = result(after(game, "8h", "-", "Qs"))
    assert (over.notes, over.points) == ((), (1, 0, 2, 1))


@pytest.mark.parametrize(("draw", "ban"), [("one", "any_two"), ("combo_size", "highest_two")])
def test_c23_5_drawing_sets_free(draw: str, ban: str) -> None:
    of = rules("three_player_draw", draw_on_pass=draw, last_card_ban=ban)
    game = table("2s", "5c 6c", "7c 8c", stock="9h 4h", of=of)
    assert may_pass(game)
    passed = after(game, "-")
    assert (passed.view(None).counts, len(passed.hidden_cards)) == ((2, 2, 2), 1)
    assert (passed.turn, passed.trick.top) == (1, None)
    drawn = next(each for each in passed.hands[0] if each != card("2s"))
    assert str(drawn) in "9h 4h"
    assert after(passed, "5c", "7c", "2s").trick.owner == 0


def test_c23_6_when_all_are_stuck() -> None:
    of = rules("hong_kong")
    game = after(table("3c 2d", "2c", "2h", "2s", of=of), "3c")
    over = result(game)
    assert (over.order, over.points, over.payments) == ((), (0, 0, 0, 0), ())
    assert [note.article for note in over.notes] == ["C23.6"]
    assert [rules(dealer=each).next_dealer(2, (over,)) for each in ("winner", "loser", "rotate")] == [2, 2, 2]
    again = of.deal(SeededRandom("a"), 2, (over,))
    assert card("3d") in again.hands[next(iter(again.awaited))]
    assert again.view(None).must == card("3d")
    one_free = after(table("3c 2d", "2c", "2h", "2s", last_card_ban="highest_two"), "3c")
    assert one_free.result is None
    can_draw = rules("three_player_draw", last_card_ban="any_two")
    assert after(table("3c 2d", "2c", "2h", stock="9h", of=can_draw), "3c").result is None
    assert result(after(table("3c 2d", "2c", "2h", of=can_draw), "3c")).order == ()


# 8 The precaution rule


def passed_by(hand: str, last: str, rest: str, lead: str, **options: Any) -> Result:
    """Return the result where seat 0 passes on a single, and seat 1 goes out with its only card."""
    return result(after(table(hand, last, "3c 3h 3s", f"{rest} {lead}", turn=3, **options), lead, "-", last))


TWENTY = "4d 5d 6d 7d 8d 9d Td Jd Qd Kd"  # ten cards cost twenty points


def test_c22_8_on_the_score_sheet() -> None:
    over = passed_by(TWENTY, "Qs", TEN, "8h")  # the others have 3 and 20 points
    assert over.points == (43, 0, 0, 0)
    assert nets(over) == (-129, 43, 43, 43)
    unpaid = passed_by(TWENTY, "Qs", TEN, "8h", settlement="none", pay_all_basis="to_winner")
    assert (unpaid.points, unpaid.payments) == ((43, 0, 0, 0), ())


def test_c22_9_straight_to_the_winner() -> None:
    over = passed_by(TWENTY, "Qs", TEN, "8h", pay_all_basis="to_winner", stake=2)
    assert (over.points, over.payments) == ((43, 0, 0, 0), ((0, 1, 86),))


@pytest.mark.parametrize("basis", ["points", "to_winner"])
def test_c22_11_by_the_difference(basis: str) -> None:
    over = passed_by(TWENTY, "Qs", TEN, "8h", settlement="difference_banded", pay_all_basis=basis)
    assert over.points == (10 + 3 + 10, 0, 0, 0)
    assert over.payments == ((0, 1, 20 + 3 + 20),)  # ten cards more than the winner count twice


def test_c22_7_with_two_players() -> None:
    of = rules("two_player")
    careless = result(after(table("4d 9s Kd", "8h Qs", turn=1, of=of), "8h", "-", "Qs"))
    careful = result(after(table("4d 9s 3d", "8h Qs", turn=1, of=of), "8h", "-", "Qs"))
    assert careless.points == careful.points == (3, 0)
    assert careless.payments == careful.payments == ((0, 1, 3),)


def test_c22_10_every_breach_pays() -> None:
    def pays(last: str, test: str) -> bool:
        return passed_by("3d 5s 8d", last, "7c 7h", "4h", pay_all_test=test).points[2:] == (0, 0)

    assert pays("9s", "breach")
    assert not pays("9s", "causal")
    assert pays("6s", "causal")


def test_c22_1_no_such_rule_here() -> None:
    plain = passed_by("4d 9s Kd", "Qs", "7c 7h", "8h")
    assert plain.points == (8, 0, 0, 0)
    for options in ({"one_card_rule": "none"}, {"stake": 0}):
        assert passed_by("4d 9s Kd", "Qs", "7c 7h", "8h", **options).points == (3, 0, 3, 2)
    for scoring in ("indonesia", "pusoy_dos", "taiwan_loser"):
        pays = {"settlement": "loser_pays"} if scoring == "taiwan_loser" else {}
        over = passed_by("4d 9s Kd", "Qs", "7c 7h", "8h", scoring=scoring, **pays)
        assert "8.4" not in [note.article for note in over.notes]


def bound(*held: str, top: str = "", **options: Any) -> BigTwoGame:
    """Return the hand in which seat 0 acts under the strict rule, after seat 3 has played the top if there is one."""
    game = table(*held, turn=3 if top else 0, one_card_rule="forced", **options)
    return after(game, top) if top else game


def test_c22_2_the_highest_or_more_than_one() -> None:
    game = bound("4d 9s Kd", "Qs", "5c 5h", "8h 3s", top="8h")
    assert refusal(game, "9s").article == "C22.2"
    assert [str(combo) for combo in game.view(0).plays] == ["single Kd"]
    ask = game.view(0).ask
    assert isinstance(ask, PlayAsk)
    assert ask.limit
    assert ask.limit.article == "C22.2"
    lead = bound("4d 4c Kd", "Qs", "5c 5h", "8h 3s")
    assert refusal(lead, "4c").article == "C22.2"
    assert [str(combo) for combo in lead.view(0).plays] == ["single Kd", "pair 4d 4c"]
    assert after(bound("4d 9s Kd", "Qs Js", "5c 5h", "8h 3s", top="8h"), "9s").turn == 1
    # the seat that really acts next counts: seat 1 has passed and is skipped, and seat 2 has come down to one card
    held = ("4d 9s Kd", "Qc Qs", "6d Jd", "3d 8h 2d")
    skipped = table(*held, turn=3, one_card_rule="forced", pass_rule="locked")
    assert refusal(after(skipped, "3d", "4d", "-", "6d", "8h"), "9s").article == "C22.2"
    waiting = table(*held, turn=3, one_card_rule="forced", pass_rule="may_return")
    assert after(waiting, "3d", "4d", "-", "6d", "8h", "9s").turn == 1


def test_c22_3_when_you_may_not_pass() -> None:
    game = bound("4d 9s Kd", "Qs", "5c 5h", "8h 3s", top="8h")
    assert (refusal(game, "-").article, refusal(game, "-").values["card"]) == ("C22.3", card("Kd"))
    assert not may_pass(game)
    assert after(bound("4d 9s Kd", "Qs", "5c 5h", "As 3s", top="As"), "-").turn == 1
    assert after(bound("4d 4c Kd", "Qs", "5c 5h", "3d 3c 6s", top="3d 3c"), "-").turn == 1
    bomb = bound("4d 4c 4h 4s 5d Kd", "Qs", "5c 5h", "8h 3s", top="8h", honours_beat="any")
    assert refusal(bomb, "-").article == "C22.3"
    assert after(bomb, "4d 4c 4h 4s 5d").trick.top == named("4d 4c 4h 4s 5d")


def test_c22_12_a_lead_passed_on() -> None:
    held = ("9d", "4c", "Jd Kd")
    locked: dict[str, Any] = {"pass_rule": "locked", "end": "play_on", "one_card_rule": "forced"}
    for options in (locked, {**locked, "pass_rule": "locked_beat_own"}):
        game = after(table(*held, players=3, hand_size=17, **options), "9d", "-")
        assert (game.turn, refusal(game, "-").article) == (2, "C22.3")
        assert [str(combo) for combo in game.view(2).plays] == ["single Jd", "single Kd"]
        assert after(game, "Jd").turn == 2
    weak = after(table("Ad", "4c", "Jd Kd", players=3, hand_size=17, **locked), "Ad", "-")
    assert after(weak, "-").turn == 1  # too low to stop it
    two = after(table("9d", "4c 5c", "Jd Kd", players=3, hand_size=17, **locked), "9d", "-")
    assert after(two, "-").turn == 1


def test_c22_13_your_own_last_card() -> None:
    own: dict[str, Any] = {"pass_rule": "locked_beat_own", "one_card_rule": "forced", "players": 2, "hand_size": 17}
    game = after(table("4d 8c Ks", "6s Qs 2s", **own), "4d", "-", "8c")
    assert (game.turn, may_pass(game)) == (0, True)
    assert after(game, "-").trick.top is None
    assert result(after(game, "Ks")).order == (0,)
    assert after(table("4d 8c 9c Ks", "Qs", **own), "Ks", "-", "-").turn == 0


@pytest.mark.rotates(5)
@pytest.mark.parametrize("end", ["first_out", "play_on"])
@pytest.mark.parametrize("pass_rule", ["may_return", "locked", "locked_beat_own"])
@pytest.mark.parametrize("ban", ["none", "any_two"])
def test_c22_it_is_another_seat_whose_one_card_binds(pass_rule: str, end: str, ban: str) -> None:
    rng = random.Random(f"{pass_rule} {end} {ban}")
    options: dict[str, Any] = {"pass_rule": pass_rule, "end": end, "last_card_ban": ban, "players": 3, "hand_size": 17}
    bound, free = (rules(one_card_rule=rule, **options) for rule in ("forced", "none"))
    banned = 0
    for _ in range(60):
        shuffled = rng.sample(bound.pack, len(bound.pack))
        game = table(
            *(" ".join(map(str, shuffled[at : at + rng.choice((1, 2, 3, 5))])) for at in (0, 10, 20)), of=bound
        )
        while game.result is None:
            held, top, seat = game.hands[game.turn], game.trick.top, game.turn
            without_duty = game._replace(rules=free)
            if top is not None and not bound.stuck(held):
                following = without_duty.act(seat, Pass())
                beaten = bound.groups.power[held[-1]] > bound.groups.power[top.head] and len(top.cards) == 1
                alone = following.turn != seat and len(following.hands[following.turn]) == 1
                assert may_pass(game) == (not (alone and beaten))
                banned += not may_pass(game)
            moves: list[Action] = [Play(combo.cards) for combo in game.view(seat).plays]
            moves += [Pass()] * (may_pass(game) + bool(moves == []))
            for move in without_duty.view(seat).plays:
                following = without_duty.act(seat, Play(move.cards))
                answered = following.result is None and following.turn != seat and following.trick.top is not None
                lower = len(move.cards) == 1 and move.head != held[-1]
                bars = answered and lower and len(following.hands[following.turn]) == 1
                assert (Play(move.cards) not in moves) == bars
            game = game.act(seat, rng.choice(moves))
    assert banned


def test_c22_4_what_comes_first() -> None:
    game = bound("3d 9s Kd", "Qs", "5c 5h", "8h 3s", must="3d")
    assert after(game, "3d").turn == 1
    assert refusal(game, "Kd").article == "6.1"
    over = result(after(bound("4d 9s Kd", "As", "5c 5h", "8h 3s", top="8h"), "Kd", "As"))
    assert (over.points, over.notes) == ((2, 0, 2, 1), ())


def test_c22_6_what_comes_first_where_honours_come_out_of_turn() -> None:
    game = bound("3d 8c", "7s 8d", "4d 4c 4h 4s 6c Ks", "Qs", honours_beat="any", honours_out_of_turn=True)
    led = after(game, "3d")
    assert led.to_act == {1, 2}
    came = led.act(2, Play(cards("4d 4c 4h 4s 6c")))  # though seat 3 has one card and the king is the highest
    assert (came.trick.owner, came.turn) == (2, 3)
    with pytest.raises(Illegal) as caught:
        led.act(2, Pass())
    assert caught.value.article == "6.2"
