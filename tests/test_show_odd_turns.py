"""Turns as some regions have them, on screens: forced cards, barred passes, dragons, places, tiles and chips.

Each match is played to its position by players who all play the weakest they can (see positions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from discord import ui

from bot.ai.plain import timeout_action
from bot.domain.chairs import Chair
from bot.games import GAMES
from bot.rules.core.asks import Pass, Play, Ready
from bot.rules.core.cards import cards, write
from bot.rules.core.sentences import Illegal
from bot.rules.matches.match import Match
from bot.rules.variants.ruleset import Ruleset, read_code
from bot.show.hand.hand import hand
from bot.show.kit.card_symbols import TEXT
from bot.show.table.board import board
from tests.people.positions import play_weakly
from tests.support.scenes import EN, Screen, buttons, drawn_view, person, scene, texts

LOCKED = "0"  # a seed of Indonesia: seat 0 leads, and play goes from there to seat 1
FORCED = "1"  # a seed: when seat 0 has 6h Qs Kc and the next one card, a single 9c lies before it
STUCK = "17"  # a seed of Hong Kong: seat 2 comes to lead with nothing but the 2 of diamonds
VOID = "66"  # a seed of two players who come to hold a two each, and neither may go out with it
DRAGON = "1895"  # a seed of Hong Kong: seat 2 is dealt thirteen ranks
PLAY_ON = "0"  # a seed; it does not matter who goes out first
TILES = "75"  # a seed: seat 0 leads from 3d 3c 3h 4d 4s 5d 5h 6d 10d 10c 15h 15s
NAMES = ("ann", "ben", "cleo", "dev", "eve")


def begun(seed: str, rules: str) -> Match:
    """Return a match by the rules of this code."""
    return Match.start(Ruleset.of(*read_code(rules, GAMES)).rules, seed)


def played(match: Match, wanted: Callable[[Match], bool]) -> Match:
    """Return the first position that is wanted."""
    while not wanted(match):
        (seat,) = match.awaited
        match = match.act(seat, play_weakly(match.view(seat)))
    return match


def before(seat: int, held: str, top: str = "") -> Callable[[Match], bool]:
    """Tell of a match whether it is the turn of this seat, with nothing but these cards, and with these before it."""

    def wanted(match: Match) -> bool:
        view = match.view(seat)
        lies = write(view.trick.top.cards) if view.trick.top else ""
        return seat in match.awaited and (write(view.hand), lies) == (held, top)

    return wanted


def is_over(match: Match) -> bool:
    """Tell whether the hand is over."""
    return match.game.result is not None


def chairs(match: Match) -> tuple[Chair, ...]:
    """Return a person on each seat."""
    return tuple(Chair(seat, person(seat), NAMES[seat]) for seat in range(match.rules.players))


def on_board(match: Match) -> str:
    """Return the text of a board, without the marks around cards."""
    return texts(board(scene(match, chairs=chairs(match)), EN)).replace("`", "")


def in_hand(match: Match, seat: int, chosen: str = "") -> Screen:
    """Return the private hand of a seat."""
    return hand(scene(match, 0, seat, chairs=chairs(match)), EN, where="", chosen=cards(chosen))


def in_hand_buttons(match: Match, seat: int) -> list[ui.Button[Any]]:
    """Return the buttons of a private hand."""
    return [item for item in drawn_view(in_hand(match, seat)).walk_children() if isinstance(item, ui.Button)]


def laid(match: Match, *actions: str) -> Match:
    """Return the match after these plays in turn, "-" for a pass."""
    for each in actions:
        (seat,) = match.awaited
        match = match.act(seat, Pass() if each == "-" else Play(cards(each)))
    return match


def test_a_player_who_has_passed_is_not_asked_again_in_the_trick() -> None:
    match = laid(begun(LOCKED, "B2:id"), "3d")
    (passing,) = match.awaited
    match = laid(match, "-")
    (beating,) = match.awaited
    assert laid(match, "5d", "-", "7h").awaited == {beating} != {passing}


def test_the_owner_of_the_trick_may_beat_their_own_play_or_end_the_trick() -> None:
    match = laid(begun(LOCKED, "B2:id"), "3d", "-", "-", "-")
    shown = in_hand(match, 0)
    assert "**You** played the 3 of diamonds:" in texts(shown)
    assert not buttons(shown)["pass"].disabled
    again = match.act(0, Play(cards("As")))
    assert again.awaited == {0}
    assert "New trick" in on_board(again.act(0, Pass()))


def test_the_highest_card_is_forced_and_a_pass_is_barred_also_for_the_clock() -> None:
    match = played(begun(FORCED, "B2:std+one_card=forced"), before(0, "6h Qs Kc", "9c"))
    advice = "The next player has one card: play your highest card, or more than one."
    shown = in_hand(match, 0)
    assert advice in texts(shown)
    assert buttons(shown)["pass"].disabled
    assert "Why not?" in texts(in_hand(match, 0, "Qs"))
    for action, why in (
        (Play(cards("Qs")), advice),
        (Pass(), "The next player has one card, so you can't pass: K♣︎ beats 9♣︎."),
    ):
        with pytest.raises(Illegal) as refused:
            match.act(0, action)
        assert EN(refused.value.sentence, **refused.value.values).replace("`", "") == why
    assert timeout_action(match.view(0)) == Play(cards("Kc"))


def test_a_leader_with_nothing_but_a_barred_two_has_to_pass() -> None:
    match = played(begun(STUCK, "B2:hk"), before(2, "2d"))
    shown = buttons(in_hand(match, 2))["pass"]
    assert (shown.label, shown.disabled) == ("Pass (nothing to play)", False)
    with pytest.raises(Illegal) as refused:
        match.act(2, Play(cards("2d")))
    assert EN(refused.value.sentence, **refused.value.values).replace("`", "") == "You can't go out with just 2♢."
    assert "New trick" in on_board(match.act(2, Pass()))


def test_a_hand_that_nobody_can_win_is_void() -> None:
    match = played(begun(VOID, "B2:two+last_ban=any_two"), is_over)
    said = on_board(match)
    assert "Nobody wins the hand" in said
    assert "Nobody can play any more, so this hand doesn't count.\n" in said
    assert "Settle up" not in said


def test_a_dragon_ends_the_hand_as_it_is_dealt() -> None:
    said = on_board(begun(DRAGON, "B2:hk"))
    assert "cleo was dealt a dragon, one card of each rank, and wins right away." in said
    assert "### cleo wins the hand\n" in said


def test_play_continues_for_places() -> None:
    match = played(begun(PLAY_ON, "B2:std+play_on=play_on,scoring=places"), lambda match: 0 in match.view(None).counts)
    winner = match.view(None).counts.index(0)
    name = NAMES[winner]
    assert f"Already out: {name}." in on_board(match)
    assert f"**{name}** · 0 cards" in on_board(match)
    assert buttons(in_hand(match, winner))["pass"].disabled
    over = played(match, is_over)
    assert over.game.result is not None
    assert sorted(over.game.result.points) == [0, 1, 3, 5]
    assert over.game.result.points[winner] == 5
    assert f"🥇 **{name}** · +5\n" in on_board(over)


def test_five_play_with_tiles_and_chips_which_are_paid_after_each_hand() -> None:
    match = begun(TILES, "B2:tiles")
    assert "Chips: ann 149, eve 149, dev 149, cleo 149, and ben 149." in on_board(match), "as turns go"
    shown = texts(in_hand(match, 0, "10d 10c"))
    assert "✓ You can lead a pair of 10s." in shown
    labels = {(item.label or "").removesuffix(TEXT) for item in in_hand_buttons(match, 0)}
    assert {"3♢", "10♢", "15♡"} <= labels
    over = played(match, is_over)
    assert sum(map(abs, over.nets)) > 0
    following = over
    for seat in range(5):
        following = following.act(seat, Ready())
    *others, last = (f"{NAMES[seat]} {149 + over.nets[seat]}" for seat in (0, 4, 3, 2, 1))
    assert f"Chips: {', '.join(others)}, and {last}." in on_board(following)
