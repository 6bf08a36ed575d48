"""Section 2 of the rule page of Big A, an article at a time: from the first card to the first lead.

In most of the hands seat 3 gets an ace of diamonds as the fourth card and seat 1 the other one; seat 0 an ace of clubs
and both aces of spades, the second of them late; seats 2 and 4 one ace of hearts each. See ACES.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from bot.rules.big_a.hands import imagine
from bot.rules.core.asks import Choose, ChooseAsk
from bot.rules.core.cards import cards
from tests.rules.big_a_positions import (
    after,
    began,
    begun,
    drawing,
    drawn,
    fact,
    held_by,
    named,
    offered,
    refusal,
    rules,
    say,
    shown,
    silent,
    standing,
)

BOTH_D = {"Ad": (3, 43)}  # both of seat 3
HIDDEN: dict[str, Any] = {"aces": {"Ah": (104, 106)}}  # both aces of hearts face down


def test_2_1_shuffling() -> None:
    deals = [drawn(rules().deal(Random(seed), 2)) for seed in range(3)]
    assert len({deal.stack.order for deal in deals}) == 3
    assert {frozenset(Counter(deal.stack.order).items()) for deal in deals} == {
        frozenset(Counter(rules().pack).items())
    }
    assert [int(fact(deal, "starter")) for deal in deals] == [2, 2, 2]


def test_o2_1_chance_says_who_draws_first() -> None:
    game = rules(first_starter="random", first_seat=3)
    assert Counter(game.first_dealer(Random(seed)) for seed in range(200)).keys() == set(range(5))


@pytest.mark.parametrize("first_seat", [1, 2, 3, 4, 5])
def test_o2_2_the_host_says_who_draws_first(first_seat: int) -> None:
    game = rules(first_starter="host_choice", first_seat=first_seat)
    assert {game.first_dealer(Random(seed)) for seed in range(20)} == {first_seat - 1}


def test_2_2_one_card_at_a_time() -> None:
    draw = drawing(starter=3)
    for count in (1, 4, 5, 7, 35):
        now = standing(draw, count)
        for seat in range(5):
            mine = [draw.stack.order[index] for index in range(count) if (3 + index) % 5 == seat]
            assert held_by(now, seat) == now.rules.sort(tuple(mine))


@pytest.mark.parametrize("starter", range(5))
def test_2_3_twenty_two_or_twenty_one(starter: int) -> None:
    counts = begun(silent(drawing(starter))).view(None).counts
    assert [counts[(starter + ahead) % 5] for ahead in range(5)] == [22, 22, 22, 21, 21]


def test_2_4_the_last_card_stays_face_down() -> None:
    draw = drawn(silent(drawing(), "last"))
    assert draw.view(None).counts == (21, 21, 21, 20, 20)
    game = begun(silent(draw))
    for index in range(103, 108):
        seat, last = index % 5, draw.stack.order[index]
        assert Counter(held_by(game, seat)) - Counter(held_by(draw, seat)) == Counter([last])


def test_2_5_a_face_down_card_counts_for_nothing() -> None:
    draw = drawn(silent(drawing(aces={"Ad": (3, 103), "As": (30, 105), "Ah": (104, 64), "Ac": (0, 107)}), "last"))
    assert offered(draw, 0) == ["nothing", "expose:c", "expose:s"]  # of its two aces of spades one lies face down
    assert offered(draw, 2) == ["nothing"]
    assert began(silent(draw))["declarer"] == 4  # seat 4 has seen the one of hearts of 64, not that of 104
    declared = say(draw, {3: "expose:d"})
    assert offered(declared, 3) == ["nothing"]  # the twin cannot protect


def test_2_6_exposing_an_ace() -> None:
    draw = drawing()
    assert offered(standing(draw, 3), 3) == ["nothing"]
    assert offered(standing(draw, 4), 3) == ["nothing", "expose:d"]
    assert "expose:h" in offered(standing(draw, 8), 2)  # with the very card, and long after it
    assert "expose:h" in offered(standing(draw, 70), 2)
    game = begun(silent(say(draw, {3: "expose:d"})))
    assert began(game) == {
        "status": "single",
        "starter": 0,
        "declarer": 3,
        "big": "d",
        "partner": 1,
        "leader": 3,
        "table": "basic",
    }
    assert fact(game, "partner") is None
    assert (3, cards("Ad")[0]) in game.view(0).known
    assert after(game, "Ad").turn == 4  # the exposed ace was still in hand


def test_2_7_only_the_first_single_one() -> None:
    draw = say(drawing(), {3: "expose:d"})
    assert drawn(draw).drawn == 70
    assert [offered(draw, seat) for seat in range(5)] == [["nothing"]] * 5
    assert refusal(draw, Choose(("expose:c",)), 0).article in ("2.7", "O12.4")


def test_2_8_the_twin_keeps_silent() -> None:
    draw = drawn(say(drawing(aces={"As": (31, 96)}), {3: "expose:d"}))
    assert cards("Ad")[0] in held_by(draw, 1)
    assert offered(draw, 1) == ["nothing"]
    last = silent(draw, "last")
    assert offered(last, 1) == ["nothing", "pair:s"]  # with a pair of another suit it may act
    game = begun(silent(last))
    assert [note.article for note in game.view(1).private_notes] == ["2.8"]
    assert "secret partner" in game.view(1).private_notes[0].sentence


def test_2_9_overcalling_with_a_pair() -> None:
    draw = silent(say(drawing(), {3: "expose:d"}), "last")
    assert offered(draw, 0) == ["nothing", "pair:s"]
    game = begun(say(draw, {0: "pair:s"}))
    assert began(game) == {
        "status": "pair",
        "starter": 0,
        "declarer": 0,
        "big": "s",
        "partner": None,
        "leader": 0,
        "table": "lone_both",
    }
    assert int(fact(game, "alone")) == 0
    assert cards("Ad")[0] in held_by(game, 3)
    assert (plain := named("Ad", big="s"))
    assert plain.kind == "single"


def test_2_10_protecting() -> None:
    draw = say(drawing(aces=BOTH_D), {3: "expose:d"})
    assert [offered(draw, seat) for seat in (0, 1, 3)] == [["nothing"], ["nothing"], ["nothing", "protect"]]
    game = begun(say(draw, {3: "protect"}))  # nobody is asked any more, though seat 0 would have had a pair
    assert shown(game) == [(3, "Ad"), (3, "Ad Ad")]
    assert (began(game)["status"], began(game)["table"], int(fact(game, "alone"))) == ("pair", "lone_both", 3)
    assert "protect" not in offered(say(drawing(), {3: "expose:d"}), 3)  # without the twin


def test_2_11_a_pair_ends_it() -> None:
    aces = {"Ad": (3, 43), "As": (30, 65)}
    later = say(say(drawing(aces=aces), {3: "expose:d"}), {3: "protect", 0: "pair:s"})
    assert shown(begun(later)) == [(3, "Ad"), (3, "Ad Ad")]  # 43 comes before 65
    at_once = say(silent(drawing(aces=aces), "last"), {3: "pair:d", 0: "pair:s"})
    assert shown(begun(at_once)) == [(3, "Ad Ad")]


def test_2_12_a_pair_at_once() -> None:
    draw = say(drawing(aces=BOTH_D))
    assert offered(draw, 3) == ["nothing", "expose:d", "pair:d"]
    game = begun(say(draw, {3: "pair:d"}))
    assert (began(game)["status"], began(game)["declarer"], began(game)["partner"]) == ("pair", 3, None)
    assert offered(say(drawing()), 3) == ["nothing", "expose:d"]  # not with one


def test_2_13_no_duty_to_show_the_second() -> None:
    game = begun(silent(say(drawing(aces=BOTH_D), {3: "expose:d"})))
    assert (began(game)["partner"], began(game)["table"]) == (None, "lone_one")
    assert (fact(game, "alone"), fact(game, "partner")) == (None, None)
    assert [note.article for note in game.view(3).private_notes] == ["2.13"]
    secret = begun(silent(say(drawing(), {3: "expose:d"})))
    assert game.view(4).private_notes == secret.view(4).private_notes  # who has neither is told the same in both


OWN_PAIR: dict[str, Any] = {"aces": {"Ad": (5, 40)}}  # seat 0 has both, and one of spades


def test_o7_1_overcalling_oneself() -> None:
    draw = say(drawing(self_overcall=True, **OWN_PAIR), {0: "expose:s"})
    assert offered(draw, 0) == ["nothing", "pair:d"]
    game = begun(say(draw, {0: "pair:d"}))
    assert (began(game)["big"], began(game)["declarer"], began(game)["table"]) == ("d", 0, "lone_both")


def test_o7_2_not_oneself() -> None:
    draw = say(drawing(self_overcall=False, **OWN_PAIR), {0: "expose:s"})
    assert offered(draw, 0) == ["nothing"]
    assert offered(silent(draw, "last"), 0) == ["nothing", "protect"]
    others = say(drawing(self_overcall=False, **OWN_PAIR), {3: "nothing", 2: "expose:h"})
    assert offered(others, 0) == ["nothing", "pair:d"]  # over another player it goes


def test_2_14_last_call() -> None:
    draw = drawn(silent(drawing(draw_checkpoints=()), "last"))
    assert (draw.drawn, draw.view(None).counts) == (108, (21, 21, 21, 20, 20))
    again = drawn(say(draw, {3: "expose:d"}))
    assert (again.kind, offered(again, 0)) == ("last", ["nothing", "pair:s"])
    assert began(say(again, {0: "pair:s"}))["declarer"] == 0
    assert drawn(say(again)).kind == "reveal"
    protected = drawing(aces=BOTH_D, draw_checkpoints=())
    assert began(say(say(protected, {3: "expose:d"}), {3: "protect"}))["table"] == "lone_both"


@pytest.mark.parametrize(("starter", "declarer", "partner"), [(0, 2, 4), (3, 0, 2), (1, 3, 0), (4, 1, 3)])
def test_2_15_the_question_for_hearts(starter: int, declarer: int, partner: int) -> None:
    game = begun(silent(drawing(starter)))
    assert began(game) == {
        "status": "forced",
        "starter": starter,
        "declarer": declarer,
        "big": "h",
        "partner": partner,
        "leader": declarer,
        "table": "basic",
    }
    first = begun(silent(drawing(starter, aces={"Ah": (64, 75)})))  # the starter has one too, and is asked first
    assert began(first)["declarer"] == starter


def test_2_16_picking_up() -> None:
    draw = say(drawing(aces={"Ad": (3, 103), "Ac": (10, 105)}), {3: "expose:d"})
    reveal = drawn(silent(draw, "reveal"))
    assert reveal.view(None).counts == (22, 22, 22, 21, 21)
    assert cards("Ac Ac") == tuple(each for each in held_by(reveal, 0) if str(each) == "Ac")
    for seat, code in ((0, "pair:c"), (3, "protect"), (2, "expose:h")):  # the cards are there, and it is too late
        assert code not in offered(reveal, seat)
        refusal(reveal, Choose((code,)), seat)


def test_2_17_revealing_the_twin() -> None:
    reveal = drawn(silent(say(drawing(), {3: "expose:d"}), "reveal"))
    assert offered(reveal, 1) == ["nothing", "reveal"]
    ask = reveal.view(1).ask
    assert isinstance(ask, ChooseAsk)
    assert ask.question.sentence == "Show the other Big Ace? That doubles the points."
    game = begun(say(reveal, {1: "reveal"}))
    assert (began(game)["table"], int(fact(game, "partner"))) == ("revealed", 1)
    assert began(say(reveal))["table"] == "basic"  # nobody has to
    picked_up = silent(say(drawing(aces={"Ad": (3, 104)}), {3: "expose:d"}), "reveal")
    assert began(say(picked_up, {4: "reveal"}))["partner"] == 4
    alone = begun(say(silent(say(drawing(aces={"Ad": (3, 103)}), {3: "expose:d"}), "reveal"), {3: "reveal"}))
    assert (began(alone)["table"], int(fact(alone, "alone"))) == ("lone_both", 3)


def test_2_18_nothing_to_reveal_after_a_pair() -> None:
    game = begun(say(say(drawing(aces=BOTH_D)), {3: "pair:d"}))  # play has begun without a window
    assert (began(game)["table"], fact(game, "revealed")) == ("lone_both", None)


FORCED_LONE: dict[str, Any] = {"aces": {"Ah": (7, 62)}}  # both of seat 2


def test_o8_1_nothing_after_a_forced_declaration() -> None:
    for aces, table in ((FORCED_LONE, "lone_one"), ({}, "basic")):
        last = silent(drawing(forced_lone_may_reveal=False, **aces), "last")
        assert began(begun(say(last)))["table"] == table  # play begins at once


def test_o8_2_after_a_forced_declaration_who_is_alone_may() -> None:
    reveal = silent(drawing(forced_lone_may_reveal=True, **FORCED_LONE), "reveal")
    assert [offered(reveal, seat) for seat in range(5)] == [["nothing"]] * 2 + [["nothing", "reveal"]] + [
        ["nothing"]
    ] * 2
    assert began(say(reveal, {2: "reveal"}))["table"] == "lone_both"
    assert began(say(reveal))["table"] == "lone_one"
    of_partner = drawn(silent(drawing(forced_lone_may_reveal=True), "reveal"))  # every player is asked there too
    assert [offered(of_partner, seat) for seat in range(5)] == [["nothing"]] * 5
    assert began(say(of_partner))["table"] == "basic"


def test_o6_1_shown_and_drawn_anew() -> None:
    draw = drawing(2, hidden_hearts="expose_and_redeal", **HIDDEN)
    again = drawn(silent(draw))
    assert (again.drawn, again.dealer, again.declaration.acts) == (35, 2, ())
    assert fact(again, "redealt") == draw.stack.order[103:]
    assert again.stack.order != draw.stack.order


def test_o6_2_drawn_anew_unseen() -> None:
    draw = drawing(2, hidden_hearts="redeal_unseen", **HIDDEN)
    again = drawn(silent(draw))
    assert (again.drawn, again.dealer) == (35, 2)
    assert (fact(again, "redealt"), "unseen" in dict(again.view(None).facts)) == (None, True)
    assert again.stack.order != draw.stack.order


def test_o6_3_asked_again_after_picking_up() -> None:
    game = begun(silent(drawing(hidden_hearts="ask_after_pickup", forced_lone_may_reveal=True, **HIDDEN)))
    assert began(game) == {
        "status": "forced",
        "starter": 0,
        "declarer": 1,
        "big": "h",
        "partner": 4,
        "leader": 1,
        "table": "basic",
    }
    other = begun(silent(drawing(2, hidden_hearts="ask_after_pickup", **HIDDEN)))  # now they are of 1 and of 3
    assert (began(other)["declarer"], began(other)["partner"]) == (3, 1)
    assert fact(other, "forced_late") == 3
    partners = {begun(imagine(other.view(2), Random(seed))).sides.partner for seed in range(40)}
    assert partners == {0, 1, 4}  # the other ace was the last card of a player who was asked later


def test_2_19_one_ace_of_hearts_face_down() -> None:
    other = began(silent(drawing(aces={"Ah": (7, 104)})))
    assert (other["declarer"], other["partner"], other["table"]) == (2, 4, "basic")
    own = began(silent(drawing(aces={"Ah": (7, 107)})))
    assert (own["declarer"], own["partner"], own["table"]) == (2, None, "lone_one")


def test_2_20_who_leads_first() -> None:
    reveal = silent(say(drawing(), {3: "expose:d"}), "reveal")
    assert begun(say(reveal, {1: "reveal"})).turn == 1
    assert begun(say(reveal)).turn == 3
    alone = silent(say(drawing(aces=BOTH_D), {3: "expose:d"}), "reveal")
    assert begun(say(alone, {3: "reveal"})).turn == begun(say(alone)).turn == 3
    assert begun(silent(drawing())).turn == 2
