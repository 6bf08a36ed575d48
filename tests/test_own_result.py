"""The result on one's own screen: large for a winner, with the place of every other player."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.domain.rating import RatingChange
from bot.games import GAMES
from bot.rules.matches.match import Match
from bot.rules.matches.record import Record
from bot.scene import PublicScene, Scene, UncountedReason
from bot.show.hand.hand import hand
from bot.show.hand.panel import hand_menu
from bot.show.kit.words import words
from bot.show.table.board import board
from bot.show.table.hand_results import UNCOUNTED
from tests.golden.play import golden_path
from tests.support.scenes import check_limits, scene, texts, with_changes, words_of_every_language

EN = words("en")


def played(preset: str) -> Match:
    """Return a match that was played to its end, of Tiến Lên or else of Big Two."""
    game = "tien_len" if preset == "south" else "big_two"
    return Record.from_json(golden_path(game, preset).read_text(), GAMES).replay()


def ended(preset: str = "south", *, seat: int) -> Scene:
    """Return the end of a match as a seat sees it."""
    return scene(played(preset), 1, seat)


def public(preset: str) -> PublicScene:
    """Return the end of a match as every player sees it."""
    return scene(played(preset))


def own(here: Scene) -> list[str]:
    """Return the lines of a player's own screen."""
    return texts(hand(here, EN, where="")).splitlines()[1:]


def test_the_winner_sees_the_win_first_and_largest() -> None:
    here = ended(seat=0)
    assert own(here)[0] == "# You won! +10"
    rated = replace(here, rating_changes={0: RatingChange(1500, 1508), 1: RatingChange(1500, 1490)})
    assert own(rated)[:2] == ["# You won! +10", "# Rating 1508 ▲\u00a08"]


def test_other_players_see_their_place_and_the_winner() -> None:
    assert own(ended(seat=2))[:2] == ["## You came 2nd: −2", "-# Ann wins the match"]
    rated = replace(ended(seat=1), rating_changes={1: RatingChange(1498, 1490, settled=False)})
    assert own(rated)[:4] == [
        "## You came 4th: −5",
        "-# Ann wins the match",
        "-# Rating 1490 ▼\u00a08",
        "-# Provisional rating (reliable after 20 matches).",
    ]


def test_a_shared_win_is_a_win() -> None:
    assert [own(ended("pusoy_dos", seat=seat))[0] for seat in (0, 2)] == ["# You share the win! +1"] * 2


def test_low_score_games_show_points_without_sign_and_a_hint() -> None:
    assert own(ended("taiwan_latta", seat=2))[:2] == ["# You won! 1 point", "-# Low score wins."]
    assert own(ended("taiwan_latta", seat=1))[:2] == ["## You came 3rd: 7 points", "-# Low score wins."]
    assert "Low score wins." not in own(ended("south", seat=1))
    assert "Low score wins." in texts(board(public("taiwan_latta"), EN))
    assert "Low score wins." not in texts(board(public("south"), EN))


def test_between_hands_low_score_games_show_the_hint_too() -> None:
    record = Record.from_json(golden_path("big_two", "taiwan_latta").read_text(), GAMES)
    match = next(match for match in record.positions() if match.game.result and not match.over)
    for seat in range(4):
        assert own(scene(match, 1, seat))[1] == "-# Low score wins."
    assert "Low score wins." in texts(hand_menu(scene(match, 1, 0), EN))


def test_a_winner_without_points_sees_only_the_win() -> None:
    here = ended("taiwan_latta", seat=2)
    *before, last = here.tally.course
    perfect = last._replace(stands=tuple(0 if seat == 2 else stand for seat, stand in enumerate(last.stands)))
    here = replace(here, tally=replace(here.tally, course=(*before, perfect)))
    assert own(here)[0] == "# You won!"


def test_the_board_shows_settled_and_provisional_ratings() -> None:
    changes = {0: RatingChange(1500, 1508), 1: RatingChange(1500, 1490, settled=False), 2: RatingChange(1500, 1500)}
    read = texts(board(replace(public("south"), rating_changes=changes), EN))
    assert "-# Rating: Ann 1508 ▲\u00a08 · 陈小姐 1500\n" in read
    assert "-# Provisional rating: Ben\\_\\*the\\*\\_\\`Great\\` 1490 ▼\u00a010\n" in read


@pytest.mark.parametrize("reason", UNCOUNTED)
def test_the_board_says_why_a_match_does_not_count(reason: UncountedReason) -> None:
    for w in words_of_every_language():
        check_limits(board(with_changes(public("south"), uncounted=reason), w))
    assert UNCOUNTED[reason] in texts(board(with_changes(public("south"), uncounted=reason), EN))


def test_the_board_says_why_a_match_is_unrated() -> None:
    assert "Unrated: this match counts" in texts(board(with_changes(public("south"), unrated=True), EN))
    assert "Unrated: too much differs" in texts(board(with_changes(public("south"), rated=False), EN))
    assert "Unrated" not in texts(board(public("south"), EN))
