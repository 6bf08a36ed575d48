"""Section 2 of the rule page of Big A, the articles on when all players are asked in the draw, and their answers.

Where the aces lie is said in the positions (ACES) and in the other file on section 2.
"""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from bot.rules.big_a.declarations import Declaration, sealed_order
from bot.rules.core.asks import Choose, ChooseAsk
from bot.rules.core.cards import cards
from bot.rules.core.game import View
from bot.rules.variants.registration import FIRST
from tests.rules.big_a_positions import (
    Hand,
    began,
    begun,
    drawing,
    drawn,
    fact,
    offered,
    order,
    refusal,
    rules,
    say,
    shown,
    silent,
)

LATE: dict[str, Any] = {"Ad": (83, 91), "Ac": (80, 92), "Ah": (87, 94), "As": (90, 95)}  # nobody sees an ace before


def asked(draw: Hand, seat: int) -> ChooseAsk:
    """Return what a seat is asked."""
    ask = draw.view(seat).ask
    assert isinstance(ask, ChooseAsk)
    return ask


def windows(draw: Hand) -> list[int]:
    """Return the numbers of cards after which all players are asked, without exposures."""
    found = []
    while drawn(draw).kind == "round":
        found.append(drawn(draw).drawn)
        draw = say(draw)
    return [*found, drawn(draw).drawn]


def test_o12_1_windows() -> None:
    for aces in (LATE, {}):  # whatever any player holds
        draw = drawing(draw_mode="checkpoints", aces=aces)
        assert windows(draw) == [35, 70, 108]
        assert draw.view(None).awaited == frozenset(range(5))
    pair = say(drawing(aces={"Ad": (3, 13)}), {3: "pair:d"})
    begun(pair)  # two aces are shown: the windows after 70 and 108 are left out


@pytest.mark.parametrize("draw_checkpoints", [(), (11,), (5, 10, 15), (7, 14), (0, 20)])
def test_o13_1_after_which_rounds(draw_checkpoints: tuple[int, ...]) -> None:
    draw = drawing(draw_checkpoints=draw_checkpoints)
    assert windows(draw) == [*(5 * each for each in draw_checkpoints), 108]


def test_o12_2_a_live_draw() -> None:
    draw = drawing(draw_mode="live")
    assert windows(draw) == [*range(5, 101, 5), 108]
    at_15 = say(say(draw))
    both = {2: "expose:h", 0: "expose:c"}  # as of 7 and as of 10
    for seats in permutations(range(5)):  # a player who was faster
        now = at_15
        for seat in seats:
            now = now.act(seat, Choose((both.get(seat, "nothing"),)))
        assert shown(now) == [(2, "Ah")]
    assert (draw.tick, drawn(say(at_15, both)).tick, drawn(say(at_15)).tick) == (6, 12, 6)
    last = drawn(silent(draw, "last"))
    assert last.tick == 12
    four = draw
    for seat in (0, 1, 2, 3):
        four = drawn(four.act(seat, Choose(("nothing",))))
        assert four.drawn == 5
    assert drawn(four.act(4, Choose(("nothing",)))).drawn == 10  # with the fifth it closes


@pytest.mark.parametrize("tick_seconds", [2, 6, 60])
def test_o14_1_the_pace(tick_seconds: int) -> None:
    now: Hand = drawing(draw_mode="live", tick_seconds=tick_seconds, aces=LATE)
    seconds = 0
    while drawn(now).tick and drawn(now).kind == "round":
        seconds += drawn(now).tick or 0
        now = say(now)
    seconds += drawn(now).tick or 0
    assert seconds == 22 * tick_seconds
    assert drawing(draw_mode="checkpoints", tick_seconds=tick_seconds).tick is None


def test_o12_3_one_sealed_plan() -> None:
    draw = drawing(draw_mode="sealed_once")
    assert (draw.kind, draw.view(None).counts) == ("last", (21, 21, 21, 20, 20))
    rounds = [(note.article, dict(note.values)) for note in draw.view(0).private_notes]
    assert rounds == [
        ("O12.3", {"card": cards(text)[0], "round": at}) for text, at in (("Ac", 3), ("As", 7), ("As", 20))
    ]
    assert draw.view(1).private_notes != draw.view(3).private_notes
    plans = {0: "order pair:s", 2: "order expose:h", 3: "order expose:d"}
    assert shown(say(draw, plans)) == [(3, "Ad"), (0, "As As")]  # the ace of diamonds came first
    later = plans | {3: "order expose:d from:5"}
    assert shown(say(draw, later)) == [(2, "Ah"), (0, "As As")]  # as of round 5, and hearts came in round 2
    assert drawn(say(draw, {2: "order expose:h"})).kind == "reveal"  # nobody is asked a second time
    protected = drawing(draw_mode="sealed_once", aces={"Ad": (3, 43)})
    assert shown(say(protected, {3: "order expose:d protect_late"})) == [(3, "Ad"), (3, "Ad Ad")]
    assert shown(say(draw, {2: "expose:h"})) == [(2, "Ah")]  # a single answer is a plan too


def private(view: View) -> tuple[Any, ...]:
    """Return what is asked, told and shown to one seat."""
    return view.ask, view.private_notes, view.facts, view.known, view.awaited, view.counts


def test_o12_4_sealed_answers() -> None:
    draw = drawing()
    now = draw.act(2, Choose(("expose:h",)))
    assert [private(now.view(seat)) for seat in (0, 1, 3, 4, None)] == [
        private(draw.view(seat)) for seat in (0, 1, 3, 4, None)
    ]
    assert asked(now, 2).given == ("expose:h",)
    changed = drawn(now).act(2, Choose(("nothing",)))
    assert asked(changed, 2).given == ("nothing",)
    with_c = say(changed, {0: "expose:c"})
    assert shown(with_c) == [(0, "Ac")]

    both = drawn(say(now, {0: "expose:c"}))  # as of 7 and as of 10
    assert shown(both) == [(2, "Ah")]
    late = [["O12.4" in [note.article for note in both.view(seat).private_notes]] for seat in range(5)]
    assert late == [[True], [False], [False], [False], [False]]


def test_o12_4_a_late_answer_is_reported_even_if_it_ends_the_draw() -> None:
    draw = drawing(aces={"Ad": (3, 13), "Ac": (5, 25)})
    game = begun(say(draw, {0: "pair:c", 3: "pair:d"}))
    assert shown(game) == [(3, "Ad Ad")]
    assert "O12.4" in [note.article for note in game.view(0).private_notes]


def test_o12_4_a_pair_counts_from_its_second_ace() -> None:
    draw = drawing(aces={"Ad": (3, 33), "Ac": (5, 25)})
    assert shown(say(draw, {0: "pair:c", 3: "expose:d"})) == [(3, "Ad"), (0, "Ac Ac")]
    assert shown(say(draw, {0: "pair:c", 3: "pair:d"})) == [(0, "Ac Ac")]
    assert shown(say(draw, {0: "pair:c", 2: "expose:h", 3: "pair:d"})) == [(2, "Ah"), (0, "Ac Ac")]


def test_o12_4_nothing_counts_as_before_what_was_declared() -> None:
    draw = say(drawing(aces={"Ad": (3, 13), "Ac": (5, 25), "As": (1, 16)}), {3: "expose:d"})
    assert shown(say(draw, {0: "pair:c", 1: "pair:s"})) == [(3, "Ad"), (0, "Ac Ac")]  # both as of 35: by turn
    assert shown(say(draw, {1: "pair:s"})) == [(3, "Ad"), (1, "As As")]
    assert shown(say(draw, {0: "pair:c", 3: "protect"})) == [(3, "Ad"), (3, "Ad Ad")]  # protecting goes first
    other = say(drawing(starter=1, aces={"Ad": (2, 12), "Ac": (4, 24), "As": (0, 15)}), {3: "expose:d"})
    assert shown(say(other, {0: "pair:c", 1: "pair:s"})) == [(3, "Ad"), (1, "As As")]  # by turn from the starter
    next_card = say(drawing(aces={"Ad": (3, 83), "Ac": (6, 16), "As": (30, 35)}), {3: "expose:d"})
    assert shown(say(next_card, {0: "pair:s", 1: "pair:c"})) == [(3, "Ad"), (1, "Ac Ac")]  # as of 34, and as of 35


def test_o12_5_standing_orders() -> None:
    draw = drawing(draw_checkpoints=(0, 7))
    now = draw.act(3, order("expose:d")).act(2, order("expose:h"))
    assert asked(now, 2).standing == ("expose:h",)
    assert [asked(now, seat).standing for seat in (0, 1, 4)] == [(), (), ()]  # nobody else is shown them
    assert shown(say(now, {0: "order expose:c"})) == [(3, "Ad")]  # the fourth card, before the eighth and the eleventh
    after_all = drawing().act(2, order("expose:h")).act(3, order("expose:d"))
    assert shown(say(after_all)) == [(3, "Ad")]  # said in the window after 35, and carried out in the same order
    from_round = draw.act(3, order("expose:d", "from:5")).act(2, order("expose:h", "from:10"))
    assert shown(say(from_round)) == [(3, "Ad")]
    assert shown(drawn(say(draw, {2: "order expose:h from:10"}))) == []
    assert shown(silent(say(draw, {2: "order expose:h from:10"}), "last")) == [(2, "Ah")]


def test_o12_5_orders_stand_in_place_of_answers_until_they_are_taken_back() -> None:
    now = drawn(say(drawing(), {0: "order pair:s", 3: "expose:d"}))
    assert (now.drawn, asked(now, 0).given) == (70, ("order", "pair:s"))
    assert shown(begun(say(now))) == [(3, "Ad"), (0, "As As")]  # with the card of 95, without asking seat 0 again
    taken_back = drawn(now.act(0, order()))
    assert (asked(taken_back, 0).given, asked(taken_back, 0).standing) == ((), ())
    assert shown(drawn(say(taken_back))) == [(3, "Ad")]


def test_o12_5_another_answer_withdraws_orders() -> None:
    ordered = drawing().act(3, order("expose:d", "silent"))
    now = drawn(ordered.act(3, Choose(("nothing",))))
    assert (asked(now, 3).given, asked(now, 3).standing) == (("nothing",), ("silent",))
    assert shown(drawn(say(now))) == []


def test_o12_5_orders_for_the_reveal_alone_answer_no_window_of_the_draw() -> None:
    now = drawn(drawing().act(3, order("silent")))
    assert (asked(now, 3).given, asked(now, 3).standing) == ((), ("silent",))


def test_o12_5_orders_survive_a_redrawn_hand() -> None:
    draw = drawing(aces={"Ah": (104, 106)}).act(4, order("protect_late"))
    again = drawn(silent(draw))
    assert again.redealt
    assert asked(again, 4).standing == ("protect_late",)


HIDDEN = {"Ah": (104, 106)}  # and nobody shows another one


def test_o12_3_a_plan_is_only_for_the_cards_it_was_made_for() -> None:
    """The source: "the whole deck should be shuffled for a new deal with the same starting player"."""
    plans = {0: "order expose:h protect", 1: "order pair:d reveal", 2: "order expose:h", 3: "order protect_late"}
    again = drawn(say(drawing(draw_mode="sealed_once", aces=HIDDEN), plans))
    assert again.redealt
    assert (again.kind, again.awaited, again.declaration.acts) == ("last", frozenset(range(5)), ())
    assert [asked(again, seat).standing for seat in range(5)] == [()] * 5
    assert shown(say(again, {0: "nothing"})) == []  # nobody is bound by what was said of other cards


def test_o12_3_in_the_first_version_a_plan_stayed_when_the_cards_were_drawn_anew() -> None:
    first = replace(rules(draw_mode="sealed_once"), version=FIRST)
    plans = dict.fromkeys(range(5), "order protect_late")
    after = begun(say(drawing(of=first, aces=HIDDEN), plans))  # the plans answered for the new cards, unseen
    assert (len(fact(after, "redealt")), began(after)["status"]) == (5, "forced")


def test_o12_4_what_one_answer_orders_has_its_own_moments() -> None:
    aces: dict[str, Any] = {"aces": {"Ah": (7, 42), "As": (30, 65)}}
    at_70 = say(drawing(**aces))
    both = {2: "order expose:h protect", 0: "pair:s"}  # as of 7 and of 42, and as of 65
    assert shown(say(at_70, both)) == [(2, "Ah"), (2, "Ah Ah")]
    assert shown(say(at_70, {2: "order protect expose:h", 0: "order pair:s"})) == [(2, "Ah"), (2, "Ah Ah")]
    sooner = say(drawing(aces={"Ah": (7, 67), "As": (30, 65)}))
    assert shown(say(sooner, both)) == [(2, "Ah"), (0, "As As")]  # as of 65, and as of 67
    first = say(drawing(of=replace(rules(), version=FIRST), **aces))
    assert shown(say(first, both)) == [(2, "Ah"), (0, "As As")]  # protecting came last, so that it came too late


@pytest.mark.parametrize("late", [15, 22, 23, 99])
def test_o12_5_from_a_round_past_the_end_still_means_the_last_call(late: int) -> None:
    """O12.3: the plan counts for the last call as well."""
    stack, options = drawing(aces=LATE).stack, rules().options
    orders: dict[int, tuple[str, ...]] = dict.fromkeys(range(5), ("expose:h", f"from:{late}"))
    wished = {
        drawn: list(sealed_order(stack, Declaration(), orders, drawn, options=options)) for drawn in (70, 95, 108)
    }
    assert not wished[70]
    assert bool(wished[95]) == (late <= 19)
    assert wished[108]


def test_o12_5_only_offered_rounds_can_be_queued() -> None:
    draw = drawing()
    assert refusal(draw, order("expose:h", "from:23"), seat=2).article == "O12.5"
    assert [code for code in (each.code for each in asked(draw, 2).orders) if code.startswith("from")] == [
        "from:5",
        "from:10",
        "from:15",
    ]


def test_o12_5_protecting_at_once_or_at_the_last_call() -> None:
    pairs: dict[str, Any] = {"aces": {"Ad": (3, 43), "As": (30, 65)}}
    at_once = say(drawing(**pairs), {3: "expose:d", 0: "order pair:s"})
    assert shown(at_once) == [(3, "Ad"), (0, "As As")]
    orders = {3: "order expose:d protect", 0: "order pair:s"}
    assert shown(say(drawing(**pairs), orders)) == [(3, "Ad"), (3, "Ad Ad")]  # at 43
    late = {3: "order expose:d protect_late", 0: "order pair:s"}
    assert shown(say(drawing(**pairs), late)) == [(3, "Ad"), (0, "As As")]  # at 65
    alone = say(say(drawing(aces={"Ad": (3, 43)}), {3: "order expose:d protect_late"}))
    assert shown(begun(alone)) == [(3, "Ad"), (3, "Ad Ad")]


def test_o12_5_orders_for_the_reveal() -> None:
    for wish, table in (("reveal", "revealed"), ("silent", "basic")):
        reveal = drawn(silent(say(drawing(), {3: "expose:d", 1: f"order {wish}"}), "reveal"))
        assert asked(reveal, 1).given == ({"reveal": "reveal", "silent": "nothing"}[wish],)
        assert began(say(reveal))["table"] == table
    in_vain = drawn(silent(say(drawing(), {3: "expose:d", 4: "order reveal"}), "reveal"))
    assert asked(in_vain, 4).given == ("nothing",)


def test_o12_6_the_reveal_asks_everybody() -> None:
    reveal = drawn(silent(say(drawing(), {3: "expose:d"}), "reveal"))
    assert reveal.view(None).awaited == frozenset(range(5))
    assert [offered(reveal, seat) for seat in range(5)] == [["nothing"], ["nothing", "reveal"], *[["nothing"]] * 3]
    assert refusal(reveal, Choose(("reveal",)), 4).article == "2.17"
    answered = drawn(reveal.act(1, Choose(("reveal",))))
    assert [private(answered.view(seat)) for seat in (0, 2, 3, 4, None)] == [
        private(reveal.view(seat)) for seat in (0, 2, 3, 4, None)
    ]
    for seat in (0, 2, 3):
        answered = drawn(answered.act(seat, Choose(("nothing",))))
    assert begun(answered.act(4, Choose(("nothing",)))).turn == 1
