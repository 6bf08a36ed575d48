"""The largest tables and hands there are: nine people with long names, and a hand into which whole tricks have gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.domain.chairs import Chair
from bot.domain.ids import UserId
from bot.domain.preferences import Preferences
from bot.games import GAMES
from bot.rules.core.asks import Action, Pass, Play, PlayAsk, Ready
from bot.rules.core.cards import Cards, number_pack
from bot.rules.core.game import Result, View
from bot.rules.matches.match import Match
from bot.scene import PublicScene, Scene
from bot.show.hand.hand import hand
from bot.show.hand.selection import CardSelection, repicked
from bot.show.lobby.menu import remove
from bot.show.table.board import board
from bot.show.table.notices import last_trick, leaving, ping
from tests.support.scenes import (
    EN,
    buttons,
    check_limits,
    lobby,
    person,
    scene,
    selects,
    texts,
    with_changes,
    words_of_every_language,
)

RULES = GAMES["big_little_a"].rules("standard", players=9, hands_per_match=2, auto_pass="off")
LONG = ("W" * 40, "*" * 40, "陈" * 40)  # a star takes two characters once it is escaped
CHAIRS = tuple(Chair(seat, None if seat == 8 else person(seat), LONG[seat % 3], house=seat == 8) for seat in range(9))
EVERY = 11  # so many positions apart are those that are looked at


def meanly(view: View) -> Action:
    """Lead A cards as soon as possible, and play the weakest there is."""
    plays = list(view.plays)
    mean = [each for each in plays if view.trick.top is None and each.kind in ("little_a", "big_a")]
    may_pass = isinstance(view.ask, PlayAsk) and view.ask.may_pass
    return Pass() if not plays or (may_pass and len(view.trick.moves) > 4) else Play((mean or plays)[0].cards)


def positions() -> Iterator[Match]:
    """Yield every position of a match for nine."""
    match = Match.start(RULES, "nine")
    yield match
    while not match.over:
        seat = min(match.awaited)
        match = match.act(seat, Ready() if match.game.result else meanly(match.view(seat)))
        yield match


POSITIONS = list(positions())
ENDED = next(match for match in POSITIONS if match.game.result)


def nine(match: Match) -> PublicScene:
    """A table of nine with long names."""
    return scene(match, 1, chairs=CHAIRS)


def one_of_nine(match: Match, seat: int) -> Scene:
    """The same board, as a player sees it."""
    return scene(match, 1, seat, chairs=CHAIRS)


def test_every_screen_of_a_match_of_nine_keeps_to_the_limits() -> None:
    for at in (*range(0, len(POSITIONS), EVERY), POSITIONS.index(ENDED), -1):
        match = POSITIONS[at]
        for w in words_of_every_language():
            check_limits(board(nine(match), w))
            check_limits(last_trick(nine(match), w))
            for seat in {0, *match.awaited}:
                here, held = one_of_nine(match, seat), match.view(seat).hand
                check_limits(hand(here, w, where="A *server*", chosen=held, preferences=Preferences(by_suit=True)))


def test_an_a_round_of_nine_is_shown_whole() -> None:
    under = max(
        (match for match in POSITIONS if not match.game.result),
        key=lambda match: (match.view(None).rules.a_round, len(match.view(None).trick.moves)),  # type: ignore[attr-defined]
    )
    moves = under.view(None).trick.moves
    assert len(moves) == 8  # the ninth ends it
    read = texts(board(nine(under), EN))
    assert "is highest so far with" in read
    (order,) = [line for line in read.splitlines() if line.startswith("-# In order: ")]
    assert order.count(" → ") == 7
    follows = POSITIONS[POSITIONS.index(under) + 1]
    (last,) = [line for line in texts(board(nine(follows), EN)).splitlines() if "Last round: " in line]
    assert last.count(" → ") == 8


@pytest.mark.parametrize("size", [0, 1, 8, 9])
def test_a_lobby_for_nine_keeps_to_the_limits(size: int) -> None:
    for w in words_of_every_language():
        here = lobby(RULES, CHAIRS[:size], players=9, hands_per_match=2, auto_pass="off")
        check_limits(board(here, w))
        check_limits(remove(here, w))


def test_scores_of_nine_players_with_all_cards_left_keep_within_limits() -> None:
    everything = number_pack()
    left: tuple[Cards, ...] = ((), *(everything[at::8] for at in range(8)))
    assert ENDED.game.result
    result = replace(ENDED.game.result, left=left, order=tuple(range(9)), points=tuple(range(0, 900, 100)))
    for match in (ENDED, POSITIONS[-1]):
        here = nine(match)
        assert here.view
        for w in words_of_every_language():
            check_limits(board(replace(here, view=replace(here.view, result=result)), w))


def test_nine_awaited_players_are_all_named() -> None:
    everybody = with_changes(nine(ENDED), awaited=frozenset(range(9)))
    for w in words_of_every_language():
        check_limits(board(everybody, w))
        check_limits(leaving(one_of_nine(POSITIONS[0], 1), w))
        assert len(ping(everybody, w, map(UserId, range(10**18, 10**18 + 9)))) < 2000


# A hand into which tricks have gone


def swallowed(count: int) -> Scene:
    """The scene of an owner on lead with a number of cards."""
    here = one_of_nine(POSITIONS[0], min(POSITIONS[0].awaited))
    assert here.view
    held = RULES.sort(number_pack()[:-2][:: 108 // count][:count])
    return replace(here, view=replace(here.view, hand=held))


@pytest.mark.parametrize("count", [26, 40, 60, 100])
def test_a_large_hand_keeps_to_the_limits(count: int) -> None:
    here = swallowed(count)
    assert here.view
    assert len(here.view.hand) == count
    for w in words_of_every_language():
        for chosen in ((), here.view.hand[:2], here.view.hand):
            check_limits(hand(here, w, where="Home", chosen=chosen))


def test_equal_cards_are_selected_together_in_a_large_hand() -> None:
    here = swallowed(100)
    first, *others = selects(hand(here, EN, where="Home"))
    assert len(first.options) <= 25
    assert here.view
    chosen = repicked(CardSelection.of(here.view, (), Preferences()), 0, [each.value for each in first.options[:7]])
    assert len(set(map(str, chosen))) == 1
    assert buttons(hand(here, EN, where="Home", chosen=chosen))["play"].label == "Play 1 ×7"
    assert others


# Places


def result(points: tuple[int, ...], out: tuple[int, ...]) -> Result:
    """A hand that ended like this, counted in penalty points."""
    order = sorted(range(len(points)), key=lambda seat: (points[seat], seat))
    card = number_pack()[:1]
    left = tuple(() if seat in out else card for seat in range(len(points)))
    return Result(tuple(order), left, points, by_points=True)


def test_equal_points_share_a_place() -> None:
    assert result((5, 0, 9, 5, 0, 14, 20, 30, 30), out=(1, 4)).places == (3, 1, 5, 3, 1, 6, 7, 8, 8)


def test_the_first_out_has_won_while_others_play_on() -> None:
    card = number_pack()[:1]
    ended = replace(result((5, 4, 0, 3), out=()), order=(2, 0, 3, 1), left=((), card, (), ()), by_points=False)
    assert ended.places == (2, 4, 1, 3)


def test_players_with_cards_share_a_place_unless_places_are_separate() -> None:
    card = number_pack()[:1]
    shared = replace(result((5, 4, 0, 3), out=()), order=(2, 0, 3, 1), left=(card, card, (), card), by_points=False)
    assert shared.places == (2, 2, 1, 2)
    assert replace(shared, apart=True).places == (2, 4, 1, 3)
