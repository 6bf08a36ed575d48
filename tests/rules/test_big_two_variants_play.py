"""The articles on options in section 6 of the rule page: out of turn, passing, drawing, tricks and announcing."""

from typing import Any

import pytest

from bot.rules.big_two.play import BigTwoGame
from bot.rules.core.asks import Play, PlayAsk
from bot.rules.core.cards import Cards, card, cards
from tests.rules.positions import after, named, refusal, result, rules, table

FOURS, FIVES = "4d 4c 4h 4s", "5d 5c 5h 5s"


def fact(game: BigTwoGame, name: str) -> Any:
    """Return a fact that every player knows, or None."""
    return dict(game.view(None).facts).get(name)


def drawn(game: BigTwoGame, seat: int) -> Cards:
    """Return the cards that a seat alone was told it drew."""
    [note] = game.view(seat).private_notes
    assert note.article == "C41.1"
    found: Cards = dict(note.values)["cards"]
    return found


# 6 Out of turn


def interrupted(game: BigTwoGame, seat: int, played: str) -> BigTwoGame:
    """Return the game after a seat came in, on turn or not."""
    return game.act(seat, Play(cards(played)))


def bombs(*held: str, **options: Any) -> BigTwoGame:
    """Return the hand of four players in which honour hands come in out of turn."""
    return table(*held, of=rules("da_lao_er", one_card_rule="none", **options))


def nine_led(**options: Any) -> BigTwoGame:
    """Return the hand in which 9d was led by seat 0, and seats 2 and 3 have four of a kind."""
    game = bombs("9d 8c 7h", "Td Ad Kd 3s", f"{FOURS} 6c Ts", f"{FIVES} 6d 6s", **options)
    return after(game, "9d")


def test_c16_5_never_out_of_turn() -> None:
    game = after(table("9d 8c", "Td Ad", f"{FOURS} 6c Ts", "6h 7h", of=rules("lukang")), "9d")
    assert game.to_act == {1}
    assert game.view(2).ask is None
    assert refusal(game, f"{FOURS} 6c", seat=2).article == "6.2"
    assert interrupted(after(game, "-"), 2, f"{FOURS} 6c").turn == 3  # in turn it is another matter


def test_c16_1_honour_hands_out_of_turn() -> None:
    game = nine_led()
    assert (game.turn, game.awaited, game.to_act) == (1, frozenset({1}), frozenset({1, 2, 3}))
    ask = game.view(2).ask
    assert isinstance(ask, PlayAsk)
    assert not ask.may_pass
    assert ask.limit
    assert ask.limit.article == "C16.1"
    assert {combo.kind for combo in game.view(2).plays} == {"quads"}
    came = interrupted(game, 2, f"{FOURS} 6c")
    assert (came.turn, came.trick.owner, came.trick.top) == (3, 2, named(f"{FOURS} 6c"))
    assert refusal(game, "Ts", seat=2).article == "C16.1"
    assert refusal(game, "-", seat=2).article == "6.2"
    run = interrupted(after(bombs("9d 8c", "Td Ad", "6h 7h 8h 9h Th 3c", "3d 4c"), "9d"), 2, "6h 7h 8h 9h Th")
    assert run.turn == 3
    on_five = rules(honours_out_of_turn=True)  # where they beat only five cards
    straight = table("6c 7d 8d 9d Tc 3d", "3c 3h", f"{FOURS} 6h 7s", "Td Jd", of=on_five)
    assert interrupted(after(straight, "6c 7d 8d 9d Tc"), 2, f"{FOURS} 6h").turn == 3
    assert refusal(after(straight, "3d"), f"{FOURS} 6h", seat=2).article == "6.2"


def test_c16_2_only_on_the_tables_top() -> None:
    game = bombs(f"{FOURS} 6c 2s", "9d 9c", "8d 8c", f"{FIVES} 6d 7s")
    assert game.to_act == {0}
    assert refusal(game, f"{FIVES} 6d", seat=3).article == "6.2"
    swept = after(game, "2s", "-", "-", "-")
    assert (swept.trick.top, swept.to_act) == (None, frozenset({0}))
    assert refusal(swept, f"{FIVES} 6d", seat=3).article == "6.2"


def test_c16_9_not_after_the_last_play() -> None:
    game = after(bombs("9d", "9c 8c", "8d 8h", f"{FIVES} 6d 7s"), "9d")
    assert game.to_act == frozenset()
    assert refusal(game, f"{FIVES} 6d", seat=3).article == "6.10"
    goes_on = after(bombs("9d", "9c 8c", "8d 8h", f"{FIVES} 6d 7s", end="play_on"), "9d")
    assert interrupted(goes_on, 3, f"{FIVES} 6d").turn == 1


def test_c16_3_whom_you_may_interrupt() -> None:
    both = f"{FOURS} 6c 7d 7c 7h 7s 8h 9h"
    came = interrupted(after(bombs("9d 8c", "Td Ad", both, f"{FIVES} 6d 6s Jd"), "9d"), 2, f"{FOURS} 6c")
    assert came.to_act == {3}
    assert refusal(came, "7d 7c 7h 7s 8h", seat=2).article == "6.2"
    higher = interrupted(interrupted(after(came, "-"), 3, f"{FIVES} 6d"), 2, "7d 7c 7h 7s 8h")
    assert (higher.turn, higher.trick.owner) == (3, 2)
    lower = interrupted(after(bombs("9d 8c", "Td Ad", f"{FOURS} 6c Ts", f"{FIVES} 6d 6s"), "9d"), 3, f"{FIVES} 6d")
    assert refusal(lower, f"{FOURS} 6c", seat=2).article == "4.12"


def test_c16_6_passes_are_forgotten() -> None:
    game = after(bombs("9d 8c", f"{FOURS} 6c Ts", f"{FIVES} 6d 6s", "Td Jd"), "9d", "-", "-")
    came = interrupted(game, 1, f"{FOURS} 6c")
    assert came.turn == 2
    assert interrupted(came, 2, f"{FIVES} 6d").trick.owner == 2  # who had passed before
    assert after(came, "-", "-").trick.top == named(f"{FOURS} 6c")
    assert (after(came, "-", "-", "-").turn, len(after(came, "-", "-", "-").tricks)) == (1, 1)


@pytest.mark.parametrize("pass_rule", ["locked", "locked_beat_own"])
def test_c16_7_whoever_has_passed_stays_out(pass_rule: str) -> None:
    game = after(bombs("9d 8c", f"{FOURS} 6c Ts", f"{FIVES} 6d 6s", "Td Jd", pass_rule=pass_rule), "9d", "-")
    assert game.to_act == {2}
    assert refusal(game, f"{FOURS} 6c", seat=1).article == "6.2"


def test_c16_4_who_is_first() -> None:
    game = nine_led()
    came = interrupted(game, 2, f"{FOURS} 6c")
    assert interrupted(came, 3, f"{FIVES} 6d").trick.owner == 3
    assert refusal(interrupted(game, 3, f"{FIVES} 6d"), f"{FOURS} 6c", seat=2).article == "4.12"  # too late now
    out = interrupted(after(bombs("9d 8c", "Td Ad", f"{FOURS} 6c", "7d 7s"), "9d"), 2, f"{FOURS} 6c")
    assert result(out).order == (2,)
    assert interrupted(after(game, "-", "-"), 2, f"{FOURS} 6c").turn == 3  # it has passed, and comes in all the same
    assert after(game, "-").awaited == {2}


def test_c16_4_nobody_is_ever_shown_who_could() -> None:
    could = nine_led()
    could_not = after(bombs("9d 8c 7h", "Td Ad Kd 3s", "4d 4c 4h 5s 6c Ts", "5d 5c 5h 4s 6d 6s", bands="gamesky"), "9d")
    assert (bool(could.view(2).plays), bool(could_not.view(2).plays)) == (True, False)
    assert could.to_act == could_not.to_act == {1, 2, 3}
    for seat in (0, 1, None):
        assert could.view(seat) == could_not.view(seat)
    assert could.view(2).ask == could_not.view(2).ask


def test_c16_8_who_is_first_where_a_pass_is_for_good() -> None:
    game = nine_led(pass_rule="locked")
    assert game.to_act == {1, 2, 3}
    passed = after(game, "-", "-")
    assert passed.to_act == {3}
    assert interrupted(after(game, "-"), 3, f"{FIVES} 6d").trick.owner == 3
    out = after(bombs("9d 8c", "Td Ad", f"{FOURS} 6c", "7d 7s", pass_rule="locked"), "9d")
    assert result(interrupted(out, 2, f"{FOURS} 6c")).order == (2,)


# 6 Passing


def test_c22_5_beating_is_hardly_ever_a_duty() -> None:
    game = after(table("8h 3d", "4d Kd", "Qs 5c", "6d 7d", one_card_rule="forced"), "8h")
    assert after(game, "-").turn == 2
    assert refusal(after(table("8h 3d", "4d Kd", "Qs", "6d 7d", one_card_rule="forced"), "8h"), "-").article == "C22.3"


def test_c20_2_a_pass_is_for_good() -> None:
    game = table("4c 9c 3c", "5h Jc Kd 3s", "6c 8c 2c", "7c Qc 3h", pass_rule="locked")
    locked = after(game, "4c", "5h", "-", "Qc", "-")
    assert (locked.turn, locked.to_act) == (1, frozenset({1}))
    assert refusal(locked, "2c", seat=2).article == "6.2"
    beaten = after(locked, "Kd")
    assert beaten.turn == 3  # seats 2 and 0 are skipped
    led = after(beaten, "-")
    assert (led.turn, led.trick.top, len(led.tricks)) == (1, None, 1)
    assert after(led, "Jc").turn == 2  # a new lead brings every player back
    assert after(led, "Jc", "2c").trick.owner == 2
    alone = table("9d", "5c 6c", "5h 6h", "Td 3c", pass_rule="locked", end="play_on")
    assert after(alone, "9d", "-", "-", "Td").trick.top is None  # nobody is left who may answer
    assert after(alone, "9d", "-", "-", "Td").turn == 3


# 6 Drawing


def drawing(stock: str, *held: str, **options: Any) -> BigTwoGame:
    """Return the hand of three players who draw whenever they pass."""
    held = held or ("4d 4c 9c 9d", "5h Jc Kd", "6c 8c 2h")
    return table(*held, stock=stock, of=rules("three_player_draw", **options))


def test_c41_2_whoever_passes_draws() -> None:
    assert drawing("Qs Qd 3h").view(0).ask == PlayAsk(may_pass=False)  # who leads cannot pass
    game = after(drawing("Qs Qd 3h"), "4d")
    ask = game.view(1).ask
    assert isinstance(ask, PlayAsk)
    assert (ask.may_pass, ask.draws) == (True, 1)  # though it could have played the five
    passed = after(game, "-")
    [new] = drawn(passed, 1)
    assert new in passed.hands[1]
    assert str(new) in "Qs Qd 3h"
    assert (passed.turn, passed.view(None).counts, fact(passed, "stock")) == (2, (3, 4, 3), 2)
    assert refusal(passed, str(new), seat=1).article == "6.2"
    assert after(passed, "6c", "9c").turn == 1
    short = after(drawing("Qs", draw_on_pass="combo_size"), "4d 4c", "-")
    assert (drawn(short, 1), short.view(None).counts) == (cards("Qs"), (2, 4, 3))


def test_c41_2_what_is_drawn_is_told_to_nobody_else() -> None:
    one, other = (after(drawing(stock), "4d", "-") for stock in ("Qs Qd", "Ts Qd"))
    assert one.hands[1] != other.hands[1]
    for seat in (0, 2, None):
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).private_notes == ()
    heard = after(one, "-", "9c")
    assert drawn(heard, 1) == drawn(one, 1)  # it can be read until the seat acts again
    assert after(heard, "Jc").view(1).private_notes == ()


def test_c41_4_one_card() -> None:
    for led in ("4d", "4d 4c"):
        game = after(drawing("Qs Qd 3h", draw_on_pass="one"), led, "-")
        assert (game.view(None).counts[1], fact(game, "stock")) == (4, 2)


def test_c41_5_as_many_as_were_needed() -> None:
    run = ("4d 5c 6h 7d 8d 9d 9s 9h", "Jc Kd", "Tc 2h")
    stock = "Qs Qd 3h Th Ts Js"
    for led, count in (("4d", 1), ("9d 9s", 2), ("9d 9s 9h", 3), ("4d 5c 6h 7d 8d", 5)):
        game = after(drawing(stock, *run, draw_on_pass="combo_size"), led)
        ask = game.view(1).ask
        assert isinstance(ask, PlayAsk)
        assert ask.draws == count
        assert (len(drawn(after(game, "-"), 1)), fact(after(game, "-"), "stock")) == (count, 6 - count)


def test_c41_6_when_the_stock_is_used_up() -> None:
    game = after(drawing("Qs"), "4d", "-", "-")  # the second pass finds nothing
    assert (game.view(None).counts, fact(game, "stock")) == ((3, 4, 3), 0)
    again = after(game, "4c", "-")
    assert (again.turn, again.view(None).counts) == (2, (2, 4, 3))
    ask = again.view(2).ask
    assert isinstance(ask, PlayAsk)
    assert (ask.may_pass, ask.draws) == (True, 0)


def test_c41_3_a_new_stock() -> None:
    hands = ("4d 4c 4h 4s 5d 5c 5h", "Jc Kd")
    game = table(*hands, stock="Qs", of=rules("three_player_draw", players=2, stock_exhausted="reshuffle"))
    found = []
    for led in hands[0].split()[:6]:
        game = after(game, led, "-")
        found.append((len(game.hands[1]), fact(game, "reshuffles"), card(led) in game.hands[1]))
    # Qs; then three times the only card of the trick before, never the one that lies on the table; then no more
    assert found == [(3, None, False), (4, 1, False), (5, 2, False), (6, 3, False), (6, 3, False), (6, 3, False)]
    assert set(game.hands[1]) == set(cards("Jc Kd Qs 4d 4c 4h"))
    of = rules("three_player_draw", players=2, draw_on_pass="combo_size", stock_exhausted="reshuffle")
    short = after(table("4d 4c 4h 9c", "5h Jc", stock="Qs Qd", of=of), "4d", "-", "4c 4h", "-")
    assert set(drawn(short, 1)) == set(cards("Qd 4d"))  # half of them from the new stock
    assert (fact(short, "stock"), fact(short, "reshuffles")) == (0, 1)


@pytest.mark.parametrize("reshuffles", [1, 2, 5, 10])
def test_c41_3_as_many_new_stocks_as_agreed(reshuffles: int) -> None:
    """The source sets no limit: "the played cards that have been set aside are shuffled and used as a new stock"."""
    hands = ("4d 4c 4h 4s 5d 5c 5h 5s 6d 6c 6h 6s 7d 7c", "Jc Kd")
    of = rules("three_player_draw", players=2, stock_exhausted="reshuffle", reshuffles=reshuffles)
    game = table(*hands, stock="Qs", of=of)
    for led in hands[0].split()[:-1]:
        game = after(game, led, "-")
    assert (fact(game, "reshuffles"), len(game.hands[1])) == (reshuffles, 2 + 1 + reshuffles)


# 6 The end of a trick


@pytest.mark.parametrize(
    ("preset", "passes"), [("lectio_tiles", 4), ("pagat", 3), ("three_player", 2), ("two_player", 1)]
)
def test_c20_1_passes_in_a_row(preset: str, passes: int) -> None:
    of = rules(preset)
    held = ("4d 9d 9h", "5h 8h 3c", "6c 8c 3h", "7s 8s 3s", "5d 7d 5s")[: of.players]
    assert len(after(table(*held, of=of), "4d", *["-"] * passes).tricks) == 1
    assert not after(table(*held, of=of), "4d", *["-"] * (passes - 1)).tricks
    again = after(table(*held, of=of), "4d", *["-"] * (passes - 1))  # the last one plays, and the count begins again
    last = again.turn
    played = after(again, str(again.hands[last][-1]))
    assert not after(played, *["-"] * (passes - 1)).tricks
    assert after(played, *["-"] * passes).turn == last


def test_c20_3_beating_your_own_cards() -> None:
    held = ("3c 3h 8c 8h 9c 9h", "2c 2h 4d", "5c 6d 9s", "7c 9d Jh")
    game = after(table(*held, of=rules(pass_rule="locked_beat_own")), "3c 3h", "-", "-", "-")
    assert (game.turn, game.to_act, game.trick.top, game.tricks) == (0, frozenset({0}), named("3c 3h"), ())
    assert refusal(game, "2c 2h", seat=1).article == "6.2"
    assert refusal(game, "8c").article == "4.15"
    assert result(after(game, "8c 8h", "9c 9h")).order == (0,)
    assert after(table(*held, of=rules("indonesia")), "3c 3h", "-", "-", "-", "8c 8h").turn == 0
    plain = after(table(*held, of=rules(pass_rule="locked")), "3c 3h", "-", "-", "-")
    assert (plain.turn, plain.trick.top) == (0, None)


def test_c20_4_closing_the_trick() -> None:
    held = ("9c 9h 3c 4c", "2c 2h 4d", "5c 6d 9s", "7c 9d Jh")
    game = after(table(*held, of=rules(pass_rule="locked_beat_own")), "9h", "-", "-", "-")
    assert refusal(game, "3c").article == "4.2"
    closed = after(game, "-")
    assert (closed.turn, closed.trick.top, len(closed.tricks)) == (0, None, 1)
    assert after(closed, "3c").turn == 1  # every player is back in
    assert after(closed, "3c", "4d").trick.owner == 1


def test_c20_6_closing_the_trick_costs_no_draw() -> None:
    game = after(drawing("Qs Qd 3h", pass_rule="locked_beat_own"), "9c", "-", "-")
    assert (game.turn, game.view(None).counts) == (0, (3, 4, 4))
    ask = game.view(0).ask
    assert isinstance(ask, PlayAsk)
    assert (ask.may_pass, ask.draws) == (True, 0)
    closed = after(game, "-")
    assert (closed.view(None).counts, fact(closed, "stock"), closed.view(0).private_notes) == ((3, 4, 4), 1, ())
    assert (closed.turn, closed.trick.top) == (0, None)


def test_c25_1_the_open_heap() -> None:
    game = after(table("4d 9d", "Jh 7c", "2c Kd", "As Ts", pile="face_up"), "4d", "Jh", "-", "-", "-")
    for seat in (0, 1, 2, 3, None):
        [trick] = game.view(seat).tricks
        assert trick.cards == cards("4d Jh")


# 6 Announcing


def announced(*moves: str, **options: Any) -> Any:
    """Return what is announced after these moves by players of three cards."""
    game = after(table("3c 4c 5c", "6c 7c 8c", "9c Tc Jc", "Qc Kc Ac", **options), *moves)
    return [(int(each.seat), each.amount) for each in fact(game, "announced") or ()]


def test_c21_1_announcing_few_cards() -> None:
    assert announced("3c", "6c", announce_at=(1, 2)) == [(0, 2), (1, 2)]
    assert announced("3c", "6c", announce_at=()) == []
    with_one = table("3c 4c", "6c 7c", "9c Tc", announce_at=(1,))
    assert {after(with_one, "3c").view(seat).facts for seat in (0, 1, None)} == {after(with_one, "3c").view(2).facts}


def test_c21_2_at_one_card() -> None:
    assert announced("3c", "6c", announce_at=(1,)) == []
    assert announced("3c", "6c", "9c", "Qc", "-", "-", "-", "Kc", announce_at=(1,)) == [(3, 1)]


def test_c21_3_at_two_cards_and_at_one() -> None:
    assert announced("3c", announce_at=(1, 2)) == [(0, 2)]
    assert announced("3c", "-", "-", "-", "4c", announce_at=(1, 2)) == [(0, 1)]
    assert rules("indonesia").options.announce_at == (1, 2)
