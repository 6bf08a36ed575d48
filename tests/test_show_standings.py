"""Pages of ladders: texts and the picture beside them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from discord import ui
from PIL import Image

from bot.domain.rating import LEADERBOARD_CRITERIA, LeaderboardCriterion
from bot.show.kit.custom_ids import Browse
from bot.show.kit.words import words
from bot.show.server.standings import ALL, OF_ALL, PAGE, StandingsMenu, leaderboard_picture, standings
from tests.support.leaderboards import leaderboard_page, ranked_row
from tests.support.scenes import check_limits, drawn_view, selects, texts, words_of_every_language

TEN = [f"Player {number}" for number in range(10)]
HERE = StandingsMenu(LEADERBOARD_CRITERIA, "Here")
EN = words("en")


@pytest.mark.parametrize("by", LEADERBOARD_CRITERIA)
def test_a_leaderboard_shows_the_same_in_text_and_picture(by: LeaderboardCriterion) -> None:
    own = ranked_row(41, "Zoe", by, mine=True)
    for w in words_of_every_language():
        found = leaderboard_page(TEN, by, own, page=1, last=3)
        picture = leaderboard_picture(found, HERE, w)
        assert picture is not None
        screen = standings(found, HERE, picture, w)
        check_limits(screen)
        for name in (*TEN, "Zoe"):
            assert f"**{name}**" in texts(screen)
            assert name in picture.alt_text


def test_a_rating_shows_its_certainty_and_change() -> None:
    found = leaderboard_page(["Ann", "Ben", "Cat", "Dev"])
    read = texts(standings(replace(found, rows=(*found.rows[:3], ranked_row(3, "Dev", settled=False))), HERE, None, EN))
    assert "🥇 **Ann** · 1800 ±155 · 30 matches · ▲\u00a012" in read
    assert "4\\. **Dev** · 1740 · provisional" in read
    assert "▼\u00a04" in texts(standings(leaderboard_page(TEN), HERE, None, EN))


def test_the_viewers_line_is_highlighted() -> None:
    found = leaderboard_page(["Ann", "Ben"])
    mine = replace(found, rows=(found.rows[0], replace(found.rows[1], mine=True)))
    assert "🥈 **Ben** (you) ·" in texts(standings(mine, HERE, None, EN))
    other = leaderboard_page(TEN, own=ranked_row(41, "Zoe", mine=True), last=4)
    assert "42\\. **Zoe** (you) ·" in texts(standings(other, HERE, None, EN))


def test_the_ranking_criterion_is_shown() -> None:
    for by, told in (("wins", "20 · 1 match"), ("points", "+1.2 · 10 hands"), ("units", "+5 · 1 match")):
        assert f"🥇 **Ann** · {told}" in texts(standings(leaderboard_page(["Ann"], by), HERE, None, EN))  # type: ignore[arg-type]


def test_an_empty_leaderboard_says_how_to_start() -> None:
    for w in words_of_every_language():
        empty = leaderboard_page([])
        assert leaderboard_picture(empty, HERE, w) is None
        check_limits(standings(empty, HERE, None, w))
    assert "Play one: /deal with a friend" in texts(standings(leaderboard_page([]), HERE, None, EN))


@pytest.mark.parametrize(("at", "before", "after"), [(0, True, False), (2, False, False), (4, False, True)])
def test_the_pages_lead_to_their_neighbours(at: int, before: bool, after: bool) -> None:
    screen = drawn_view(standings(leaderboard_page(TEN, page=at, last=4), HERE, None, EN))
    buttons = [item for item in screen.walk_children() if isinstance(item, ui.Button)]
    assert [(item.custom_id, item.disabled) for item in buttons] == [
        (str(Browse.to(PAGE, "rating", "big_two", at - 1, ALL)), before),
        (str(Browse.to(PAGE, "rating", "big_two", at + 1, ALL)), after),
    ]


def test_all_games_are_offered_only_for_additive_criteria() -> None:
    for by in LEADERBOARD_CRITERIA:
        _, games = selects(standings(leaderboard_page(TEN, by), HERE, None, EN))
        assert ("All games" in [option.label for option in games.options]) == (by in OF_ALL)


def test_the_leaderboard_picture_is_small() -> None:
    wide = ["W" * 32, "大" * 32, "ﷺ" * 8, "𝔄nn", "é" * 32, *TEN[:5]]
    for at, names in enumerate((TEN, wide, wide[::-1])):
        found = leaderboard_page(names, own=ranked_row(4122, "Zoe" * at, mine=True), last=9)
        picture = leaderboard_picture(found, HERE, EN)
        assert picture is not None
        bytes_ = picture.png()
        assert len(bytes_) < 80_000
        assert Image.open(BytesIO(bytes_)).width == 800
