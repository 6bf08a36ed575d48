"""What a reader understands at a glance: "you" for the viewer, whole names, each fact once, rows that stay rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from discord import ButtonStyle, ui

from bot.domain.chairs import Vote
from bot.domain.ids import UserId
from bot.domain.rating import Reliability
from bot.games import GAMES
from bot.ratings.player_summary import summarize
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.rules.matches.style import Style
from bot.scene import Scene
from bot.show.hand.desk import desk
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.show.kit.card_symbols import symbols
from bot.show.kit.row_width import label_width, wrapped_widths
from bot.show.kit.words import words
from bot.show.people.profile import Profile, profile
from bot.show.table.board import board
from bot.show.table.notices import last_trick
from bot.show.table.table_picture import picture
from tests.golden.play import golden_path
from tests.support.languages import CODES
from tests.support.scenes import (
    EN,
    GUILD,
    Screen,
    drawn_view,
    match_after,
    persons_on_seats,
    scene,
    texts,
    with_changes,
)

BIG = "The Grand Old Kitchen Table Card Club of Greater Manila"


def rows(view: Screen) -> list[list[ui.Button[ui.LayoutView]]]:
    """Return the buttons of each row of a screen."""
    found = (item.children for item in drawn_view(view).walk_children() if isinstance(item, ui.ActionRow))
    return [[each for each in row if isinstance(each, ui.Button)] for row in found]


def lines(row: list[ui.Button[ui.LayoutView]]) -> int:
    """Return on how many lines a row stands on a phone of 360 pixels."""
    return len(wrapped_widths([label_width(each.label or "", picture=bool(each.emoji)) for each in row]))


# The viewer is "you"


def own_view(here: Scene) -> str:
    """Return the texts of the viewer's hand."""
    return texts(hand(here, EN, where=""))


def test_a_hand_calls_its_viewer_you_where_their_play_lies() -> None:
    match = match_after("3d 3c", "-")
    assert "**You** played a pair of 3s:" in own_view(scene(match, 3, 0))
    assert "**Ann** played a pair of 3s:" in own_view(scene(match, 3, 2))
    assert "**Ann** played a pair of 3s:" in texts(board(scene(match, 3), EN))


def test_the_last_trick_calls_its_viewer_you() -> None:
    match = match_after("3d", "-", "-", "-")
    assert "You: `3♢`" in texts(last_trick(scene(match, 9, 0), EN))
    assert "You passed" in texts(last_trick(scene(match, 9, 1), EN))
    assert "You: " not in texts(last_trick(scene(match, 9), EN))
    assert "You: `3♢`" in texts(hand_menu(scene(match, 9, 0), EN))


def voting(here: Scene, vote: Vote, agreeing: frozenset[int]) -> Scene:
    """Return the scene with this vote, which these seats ask for; house players have no say."""
    chairs = tuple(replace(chair, vote=vote if chair.seat in agreeing else "") for chair in here.chairs)
    return with_changes(here, vote=vote, agreeing=agreeing, undecided=frozenset(range(3)) - agreeing, chairs=chairs)


def test_a_vote_calls_its_viewer_you() -> None:
    here = scene(match_after(), 9, 0)
    assert "You would like a break. Waiting for Ben" in own_view(voting(here, "pause", frozenset({0})))
    assert "would like a break. Waiting for you and 陈小姐 to agree." in own_view(voting(here, "pause", frozenset({1})))
    assert "You would like to give up: " in own_view(voting(here, "concede", frozenset({0})))


# Names


@pytest.mark.parametrize("server", ["Home", "Bigger's kitchen table", "打大老友会"])
def test_a_server_is_named_in_full(server: str) -> None:
    here = scene(match_after(), 9, 0)
    assert texts(hand(here, EN, where=server)).splitlines()[0].endswith(f") · {server.replace('_', '')}")
    assert f")** · {server}\n" in texts(desk([here], {GUILD: server}, EN))


def test_a_long_name_of_a_server_has_each_whole_word_that_fits() -> None:
    club = "The Big Two Club of New Orleans and more"
    head = texts(hand(scene(match_after(), 9, 0), EN, where=club)).splitlines()[0]
    assert head.endswith(" · The Big Two Club of New Orleans…")


def test_a_very_long_name_of_a_server_ends_after_a_word() -> None:
    head = texts(hand(scene(match_after(), 9, 0), EN, where=BIG)).splitlines()[0]
    assert head.endswith(") · The Grand Old Kitchen Table…")


def test_a_profile_says_round_where_its_game_does() -> None:
    style = Style({"play:pair": 9, "play:three": 9, "take:pair": 8, "once:": 2, "hands:": 9})
    said = {game: texts(profile(_profile(game, style), None, None, EN)) for game in ("big_little_a", "big_two")}
    assert "Wins most rounds with: pairs (8 of 9)" in said["big_little_a"]
    assert "Out in one round 2 times" in said["big_little_a"]
    assert "trick" not in said["big_little_a"]
    assert "Out in one trick 2 times" in said["big_two"]


def _profile(game: str, style: Style) -> Profile:
    """Return a profile without matches, with this style."""
    return Profile(
        user=UserId(1),
        name="Ann",
        where="Home",
        records={game: summarize(())},
        game=game,
        rating=None,
        mine=True,
        reliability=Reliability(0, 0),
        style=style,
    )


# The end of a match


@pytest.mark.parametrize("code", CODES)
def test_after_a_match_three_things_to_do_look_different(code: str) -> None:
    match = Record.from_json(golden_path("tien_len", "south").read_text(), GAMES).replay()
    here, w = scene(match, 1, 0), words(code)
    again, review = rows(hand(here, w, where="Home"))
    assert [(each.label, each.style, str(each.emoji or "")) for each in (*again, *review)] == [
        (w("Rematch"), ButtonStyle.success, ""),
        (w("Replay"), ButtonStyle.secondary, "▶️"),
        (w("Review my play"), ButtonStyle.secondary, "💡"),
    ]
    assert lines(again) == lines(review) == 1
    there = rows(board(scene(match, 1), w, picture(scene(match, 1), w)))[0]
    assert [str(each.emoji or "") for each in there][:2] == ["", "▶️"]
    assert lines(there) == 1


# The board


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_each_row_of_a_board_is_a_line_of_several_buttons(name: str, code: str) -> None:
    match = Match.start(GAMES[name].rules(next(iter(GAMES[name].presets))), "rows")
    here, w = scene(match, 1, chairs=persons_on_seats(match)), words(code)
    for together in (False, True):
        shown = with_changes(here, awaited=frozenset(range(match.rules.players)) if together else frozenset({0}))
        for row in rows(board(shown, w, picture(shown, w))):
            assert lines(row) == 1, [each.label for each in row]
        assert all(len(row) > 1 for row in rows(board(shown, w, picture(shown, w))))


def test_where_points_decide_the_board_says_who_went_out() -> None:
    record = Record.from_json(golden_path("big_little_a", next(iter(GAMES["big_little_a"].presets))).read_text(), GAMES)
    match = next(match for match in record.positions() if match.game.result and match.game.result.by_points)
    assert match.game.result
    out, *_ = [seat for seat, left in enumerate(match.game.result.left) if not left]
    here = scene(match, 1, chairs=persons_on_seats(match))
    said = texts(board(here, EN, picture(here, EN)))
    assert f"Player{out} went out, so the hand is over." in said


# Calls of Tàihé A Bāo


def positions_with_calls() -> Iterator[tuple[Match, list[str]]]:
    """Yield the positions after a call in a kept match, each with the calls so far, as sentences tell them."""
    record = Record.from_json(golden_path("a_bao", "standard").read_text(), GAMES)
    for match in record.positions():
        known = dict(match.view(None).facts)
        if calls := known.get("called", ()):
            yield match, [f"Player{one.seat} got {symbols(one.amount)} from Player{one.giver}" for one in calls]


def test_a_call_is_told_once_on_each_screen_and_who_holds_what_in_a_sentence() -> None:
    bidding = playing = 0
    for match, calls in positions_with_calls():
        here = scene(match, 1, chairs=persons_on_seats(match))
        assert here.view
        drawn_board, written = texts(board(here, EN, picture(here, EN))), texts(board(here, EN))
        assert not any(call in drawn_board for call in calls), "the picture has the cards at their seats"
        for seat in range(match.rules.players):
            mine = texts(hand(scene(match, 1, seat, chairs=persons_on_seats(match)), EN, where=""))
            assert mine.count("Called: ") == bool(here.view.phase_note)
        bidding += here.view.phase_note is not None
        if here.view.phase_note:
            assert all(written.count(call.replace("\ufe0e", "")) <= 1 for call in calls)
        if "held" in dict(here.view.facts):
            playing += 1
            assert re.search(r"Everyone knows that Player\d has `", drawn_board)
    assert bidding
    assert playing
