"""Turns under every choice a game can make: the next asked seat, the end of a trick, and the next leader."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.rules.core.cards import card
from bot.rules.core.trick import EMPTY, Combo, Trick
from bot.rules.core.turns import Articles, Turns

ARTICLES = Articles("5.1", "5.1", "5.1")
FOUR = Turns(4, ARTICLES)  # a pass holds until the next play
OUT = Turns(4, ARTICLES, holds="trick", may_return_after_pass=False)
CHOPS = replace(OUT, may_return_after_pass=True)  # who chops out of turn is in the trick again
EVERYBODY = (True,) * 4
PLAYED = Combo("single", card("5d"), (card("5d"),), 0, 0)


def trick(*moves: str) -> Trick:
    """A trick out of moves like "2" for a play of seat 2, "2 pass", and "again" where all passes become void."""
    now = EMPTY
    for move in moves:
        if move == "again":
            now = now.asked_again()
        else:
            now = now.passed(int(move[0])) if "pass" in move else now.played(int(move[0]), PLAYED)
    return now


def asked(turns: Turns, *moves: str, able: tuple[object, ...] = EVERYBODY) -> int | None:
    """Return the asked seat after these moves; None after the trick."""
    now = trick(*moves)
    return turns.following(now, now.moves[-1].seat, able)


# Round the table


def test_the_next_seat_is_asked_in_either_direction() -> None:
    assert asked(FOUR, "3") == 0
    assert asked(replace(FOUR, step=-1), "0") == 3


def test_a_trick_is_over_when_all_others_have_passed_since_the_last_play() -> None:
    assert asked(FOUR, "0", "1 pass", "2 pass") == 3
    assert asked(FOUR, "0", "1 pass", "2 pass", "3 pass") is None
    assert asked(FOUR, "0", "1 pass", "2", "3 pass", "0 pass") == 1
    assert asked(FOUR, "0", "1 pass", "2", "3 pass", "0 pass", "1 pass") is None


def test_a_seat_without_cards_is_not_awaited() -> None:
    assert asked(FOUR, "0", able=((), "cards", (), "cards")) == 1
    assert asked(FOUR, "0", "1 pass", able=(False, True, False, True)) == 3
    assert asked(FOUR, "0", "1 pass", "3 pass", able=(False, True, False, True)) is None


def test_a_leader_who_could_only_pass_is_asked_again() -> None:
    for turns in (FOUR, OUT):
        assert asked(turns, "0 pass") == 1
        assert asked(turns, "0 pass", "1", "2 pass", "3 pass") == 0


# Who is out


def test_a_pass_may_hold_until_the_next_lead() -> None:
    assert OUT.out(trick("0", "1 pass", "2")) == {1}
    assert asked(OUT, "0", "1 pass", "2", "3", "0 pass") == 2
    assert asked(OUT, "0", "1 pass", "2 pass", "3", "0 pass") is None
    assert FOUR.out(trick("0", "1 pass", "2")) == set()


def test_a_play_that_nobody_can_answer_ends_the_trick_at_once() -> None:
    assert asked(OUT, "0", "1 pass", "2 pass", "3 pass") is None
    assert asked(OUT, "0", "1 pass", "2 pass", "3", "0", able=(True, True, True, False)) is None


def test_the_owner_of_the_top_may_play_on_until_passing() -> None:
    own = replace(OUT, beats_own=True)
    assert asked(own, "0", "1 pass", "2 pass", "3 pass") == 0
    assert asked(own, "0", "1 pass", "2 pass", "3 pass", "0") == 0
    assert asked(own, "0", "1 pass", "2 pass", "3 pass", "0", "0 pass") is None


def test_each_seat_may_be_limited_to_one_turn() -> None:
    once = replace(FOUR, holds="once")
    assert asked(once, "2", "3", "0 pass") == 1
    assert asked(once, "2", "3", "0 pass", "1") is None


def test_the_seat_that_would_answer_a_future_play_is_found() -> None:
    assert FOUR.answering(trick("0", "1 pass", "2 pass"), 3, EVERYBODY) == 0  # all passes would be void
    assert OUT.answering(trick("0", "1 pass", "2"), 3, EVERYBODY) == 0
    assert OUT.answering(trick("0", "1 pass", "2 pass"), 3, (False, True, True, True)) is None


# Those who need no asking


def test_idle_seats_pass_without_being_asked() -> None:
    assert FOUR.advance(trick("0"), 0, EVERYBODY, lambda seat, _: seat == 1) == (trick("0", "1 pass"), 2)
    assert FOUR.advance(trick("0"), 0, EVERYBODY, lambda _, now: now.passes < 2) == (trick("0", "1 pass", "2 pass"), 3)
    over = trick("0", "1 pass", "2 pass", "3 pass")
    assert FOUR.advance(trick("0"), 0, EVERYBODY, lambda _seat, _now: True) == (over, None)


# Out of turn


def test_no_play_out_of_turn_beats_an_own_play_or_an_empty_table() -> None:
    assert CHOPS.interrupters(trick("0", "1"), {0, 1, 2, 3}) == {0, 2, 3}
    assert CHOPS.interrupters(EMPTY, {0, 1, 2, 3}) == set()


def test_a_seat_that_passed_may_or_may_not_play_out_of_turn() -> None:
    now = trick("0", "1 pass", "2 pass")
    assert OUT.interrupters(now, {1, 3}) == {3}
    assert CHOPS.interrupters(now, {1, 3}) == {1, 3}


def test_chopping_out_of_turn_returns_only_that_seat_to_the_trick() -> None:
    """Tiến Lên 4.7: play goes on with the next after that seat; who was passed over has not passed."""
    moves = ("0", "1 pass", "2 pass", "1")
    assert CHOPS.out(trick(*moves)) == {2}
    assert asked(CHOPS, *moves) == 3  # seat 2 stays out
    assert asked(CHOPS, *moves, "3", "0 pass") == 1  # as for seat 1: it is in
    assert asked(CHOPS, "0", "2") == 3
    assert asked(CHOPS, "0", "2", "3 pass", "0 pass") == 1  # passed over, not out


# The end of a trick and of a hand


def test_all_seats_with_cards_may_be_asked_again_when_a_seat_is_out() -> None:
    """Tiến Lên 5.3: every pass is void, and the trick continues."""
    gone = (True, True, True, False)
    assert asked(OUT, "0", "1 pass", "2 pass", "3", able=gone) == 0
    again = ("0", "1 pass", "2 pass", "3", "again")
    now = trick(*again)
    assert (now.passes, OUT.out(now), now.owner) == (0, frozenset(), 3)
    assert OUT.following(now, 3, gone) == 0
    assert asked(OUT, *again, "0 pass", able=gone) == 1
    assert asked(OUT, *again, "0 pass", "1 pass", "2", "1", able=gone) == 2
    assert asked(OUT, *again, "0 pass", "1 pass", "2 pass", able=gone) is None
    assert OUT.heir(3, gone) == 0


@pytest.mark.parametrize(
    ("able", "heir"), [(EVERYBODY, 1), ((True, False, False, True), 3), ((True, False, True, False), 2)]
)
def test_the_next_askable_seat_inherits_the_lead(able: tuple[bool, ...], heir: int) -> None:
    assert FOUR.heir(1, able) == heir


def test_the_lead_is_inherited_the_other_way_round_too() -> None:
    assert replace(FOUR, step=-1).heir(1, (True, False, True, True)) == 0


def test_frozen_seats_are_not_asked_though_they_hold_cards() -> None:
    """Tiến Lên 6.2, 8.4: seats that cannot be asked are no part of the able seats, regardless of cards."""
    frozen = (True, False, True, True)
    assert asked(OUT, "0", able=frozen) == 2
    assert asked(OUT, "0", "2 pass", "3 pass", able=frozen) is None


def test_a_hand_ends_with_the_first_seat_out_or_continues_for_places() -> None:
    assert FOUR.ended((False, True, True, True))
    places = replace(FOUR, plays_on=True)
    assert not places.ended((False, True, True, False))
    assert places.ended((False, True, False, False))
    assert places.ended((False, False, False, False))  # all others have stayed behind


# The moves of a trick


def test_the_top_stays_when_all_seats_are_asked_again() -> None:
    now = trick("0", "1 pass", "again", "2 pass")
    assert now.cards == PLAYED.cards
    assert (now.top, now.owner, now.passes) == (PLAYED, 0, 1)


def test_seats_follow_each_other_in_the_direction_of_play() -> None:
    assert list(FOUR.round(2)) == [2, 3, 0, 1]
    assert list(replace(FOUR, step=-1).round(2)) == [2, 1, 0, 3]
