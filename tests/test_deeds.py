"""Achievements: of hands, of matches, and of careers, found in recorded matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from bot.domain.ids import PlayerId, TableId
from bot.domain.rating import PlayerResult, RatingEntry
from bot.games import GAMES
from bot.ratings.player_summary import CAREER_MINIMUMS, career_achievements, days_in_a_row
from bot.rules.core.cards import cards
from bot.rules.core.trick import Combo, Move, Trick
from bot.rules.matches.achievements import (
    IN_A_HAND,
    IN_A_MATCH,
    Achievement,
    MatchCourse,
    achievements_of_hand,
    achievements_of_match,
)
from bot.show.kit.custom_ids import Browse
from bot.show.table.achievements import MEDAL, QUIET, achievements, rarest_achievements
from tests.golden.test_golden import stored_record
from tests.store.sample_tables import NOON
from tests.support.scenes import check_limits, texts, words_of_every_language


def test_there_are_thirty_achievements_with_texts() -> None:
    assert set(MEDAL) == {*IN_A_HAND, *IN_A_MATCH, *CAREER_MINIMUMS}
    assert len(MEDAL) >= 30
    assert set(QUIET) < set(MEDAL)
    assert len({medal.sign for medal in MEDAL.values()}) == len(MEDAL)


def hand(*tricks: str, left: tuple[int, ...] = (0, 5, 5, 5)) -> set[str]:
    """Return what the first seat did in a hand of these tricks, which it won. left: the cards that each seat holds.

    A trick is written by its moves: the seat, and how many cards it played, 0 for a pass.
    """
    pack = cards("3d 3c 3h 3s 4d 4c 4h 4s 5d 5c 5h 5s 6d")
    made = []
    for trick in tricks:
        moves = [tuple(map(int, move.split(":"))) for move in trick.split()]
        combos = (Combo("single", pack[0], pack[:number], 0, 0) if number else None for _, number in moves)
        played = tuple(Move(seat, combo) for (seat, _), combo in zip(moves, combos, strict=True))
        owner = [move.seat for move in played if move.combo][-1]
        made.append(Trick(played, owner=owner))
    over = stored_record("big_two", "pagat").replay().view(None)
    assert over.result is not None
    result = replace(over.result, order=(0, 1, 2, 3), left=tuple(pack[:number] for number in left))
    view = replace(over, tricks=tuple(made[:-1]), trick=made[-1], result=result)
    return {deed.code for deed in achievements_of_hand(view) if deed.seat == 0}


@pytest.mark.parametrize(
    ("tricks", "done"),
    [
        (("0:13",), {"sprint", "blitz", "six", "dragon", "alone", "grand_exit"}),
        (("0:2 1:0", "0:2 1:2 0:2", "0:2", "0:2 1:0", "0:3"), {"conductor", "never_passed", "last_tricks"}),
        (("1:1 0:0", "1:1 0:0", "1:1 0:0 1:1 0:0", "1:1 0:0 1:1 0:1"), {"late_riser", "patient"}),
        (("0:5", "1:1 0:1", "0:5"), {"grand_exit"}),
        (("0:5 1:5 0:5", "0:3"), {"sprint", "blitz"}),
    ],
)
def test_achievements_of_a_hand_are_found(tricks: tuple[str, ...], done: set[str]) -> None:
    assert hand(*tricks) == done


def test_a_player_with_cards_gets_no_achievement_for_going_out() -> None:
    assert hand("0:13", left=(1, 5, 5, 5)) == {"six", "dragon", "so_close"}


def course(*ranks: tuple[int, ...], places: tuple[int, ...], winners: tuple[int, ...] = ()) -> set[tuple[str, int]]:
    """Return the actions of a match with these results. winners: of each hand."""
    found = achievements_of_match(MatchCourse(ranks, [[seat] for seat in winners] or [[] for _ in ranks], places))
    return {(deed.code, deed.seat) for deed in found}


def test_winning_every_hand_is_a_sweep_and_a_wire_to_wire_win() -> None:
    done = course((0, 5, 9), (0, 9, 15), (0, 12, 30), places=(1, 2, 3), winners=(0, 0, 0))
    assert done == {("perfect", 0), ("wire", 0)}


def test_winning_from_last_place_at_half_time_is_a_comeback() -> None:
    assert course((9, 5), (12, 6), (12, 20), (13, 40), places=(1, 2)) == {("comeback", 0)}


def test_a_win_by_one_point_is_a_photo_finish() -> None:
    assert ("photo", 1) in course((4, 3), places=(2, 1))
    assert course((3, 3), places=(1, 1)) == set()


def test_a_long_match_is_an_achievement_for_all_and_never_last_for_some() -> None:
    ranks = [(hand, 2 * hand, 3 * hand + 1) for hand in range(1, 21)]
    done = course(*ranks, places=(1, 2, 3))
    assert {seat for code, seat in done if code == "marathon"} == {0, 1, 2}
    assert {seat for code, seat in done if code == "steady"} == {0, 1}


def entries(*won: bool, game_days: int = 1, hands: int = 5) -> list[RatingEntry]:
    """Return entries of won or lost matches, one every few days."""
    return [
        RatingEntry(
            player=PlayerId(1),
            table=TableId(at),
            finished=NOON + timedelta(days=game_days * at),
            hands=hands,
            gain=0.0,
            part=PlayerResult(0, 1 if each else 2),
            rating=None,
        )
        for at, each in enumerate(won)
    ]


def test_career_achievements_follow_from_match_counts() -> None:
    assert career_achievements({}, GAMES) == {}
    assert set(career_achievements({"big_two": entries(True)}, GAMES)) == {"wins_1"}
    assert set(career_achievements({"big_two": entries(*[True] * 10, hands=10, game_days=2)}, GAMES)) == {
        "wins_1",
        "wins_10",
        "row_3",
        "row_5",
        "hands_100",
    }
    assert "week" in career_achievements({"big_two": entries(*[False] * 7)}, GAMES)


def test_an_explorer_has_played_every_registered_game() -> None:
    every = {game: entries(False) for game in GAMES}
    assert "all_games" in career_achievements(every, GAMES)
    assert "all_games" not in career_achievements(every, [*GAMES, "another"])
    assert "all_games" not in career_achievements({**every, "another": entries(False)}, [*GAMES, "one_more"])


def test_consecutive_days_are_counted_once_each() -> None:
    day = date(2026, 1, 30)
    assert days_in_a_row([]) == 0
    assert days_in_a_row([day, day, day + timedelta(days=1), day + timedelta(days=3)]) == 2


def test_recorded_matches_contain_the_achievements() -> None:
    matches = (
        stored_record(game, preset).replay() for game in ("big_two", "tien_len") for preset in GAMES[game].presets
    )
    seen = Counter(deed.code for match in matches for deed in match.deeds)
    assert set(seen) <= {*IN_A_HAND, *IN_A_MATCH}
    assert len(set(seen) & set(IN_A_HAND)) >= 10, seen


def test_every_achievement_can_be_shown() -> None:
    for w in words_of_every_language():
        for done in ({}, {"dragon": 3}, dict.fromkeys(MEDAL, 2)):
            check_limits(achievements("Ann", done, Browse.to("profile_back", 1, "big_two"), w))
    read = texts(achievements("Ann", {"dragon": 3, "wins_1": 1}, Browse.to("profile_back", 1, "big_two"), w))
    assert "×3" in read


@pytest.mark.parametrize(("codes", "signs"), [((), ""), (("so_close",), ""), (("sprint", "dragon", "blitz"), "🐉⚡")])
def test_an_end_card_shows_the_two_rarest_achievements(codes: tuple[str, ...], signs: str) -> None:
    w = next(iter(words_of_every_language()))
    line = rarest_achievements([Achievement(code, 0) for code in codes], w)
    assert "".join(sign for sign in line if sign in "🐉⚡🏃😩") == signs
