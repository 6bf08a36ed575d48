"""What a hand says of the other seats: card counts and actions."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.rules.matches.match import Match
from bot.scene import Scene
from bot.show.hand.hand import hand
from bot.show.kit.words import Words, words
from tests.support.languages import CODES
from tests.support.scenes import EN, match_after, scene, texts, with_changes

FLUSH = "3d 4d 5d 6d 8d"


def holding(match: Match, seat: int, *counts: int) -> Scene:
    """Return a seat's scene with given card counts."""
    here = scene(match, 5, seat)
    assert here.view
    return replace(here, view=replace(here.view, counts=counts))


def lines(here: Scene, w: Words = EN) -> list[str]:
    """Return the lines above the cards, without the heading of the table."""
    return texts(hand(here, w, where="")).split("\n")[1:]


def test_card_counts_of_opponents_are_below_the_turn() -> None:
    here = holding(match_after("3d"), 1, 12, 13, 2, 5)
    assert lines(here)[0].startswith("### Your turn · ")
    assert lines(here)[1] == "-# 陈小姐 **2** ⚠ · House Dora 5 · Ann 12", "in the order of turns, Ben's own cards apart"
    assert lines(holding(match_after("3d"), 2, 12, 13, 2, 5))[0].startswith("### **Ben"), "a heading of the same height"


def test_finished_opponents_are_marked_and_long_names_cut() -> None:
    assert lines(holding(match_after("3d"), 2, 0, 13, 2, 1))[1] == "-# House D… **1** ⚠ · Ann out · Ben\\_\\*th… 13"


@pytest.mark.parametrize("language", CODES)
def test_without_a_board_each_seat_has_a_line(language: str) -> None:
    match = match_after(FLUSH, "-", "3s 4s 5s 6s 8s")
    here = with_changes(holding(match, 0, 8, 13, 2, 13), solo="practice")
    shown = [line.replace("\ufe0e", "") for line in lines(here, words(language))]
    w = words(language).for_scene(here)
    flush = re.escape(w(w.kinds["flush"].plate, suit="♠"))
    assert re.fullmatch(r"-# \*\*Ben.*\*\* · 13 .* · \w+", shown[1])
    assert re.fullmatch(rf"-# \*\*陈小姐\*\* · \*\*2 .*\*\* ⚠ · {flush}", shown[2])
    assert re.fullmatch(r"-# 👉 \*\*House Dora\*\* · 13 .*", shown[3])


def test_passes_are_grouped_and_large_plays_named() -> None:
    flush = lines(scene(match_after("3d", "-", "-"), 5, 0))
    assert "-# Since your turn: Ben\\_\\*the\\*\\_\\`Great\\` and 陈小姐 pass" in flush
    lying = match_after(FLUSH, "-", "3s 4s 5s 6s 8s")
    assert any(line.startswith("-# So far: Ann flush ♢ · Ben") for line in lines(scene(lying, 5, 3)))


def test_passes_that_ended_the_last_trick_are_not_listed_after_a_new_lead() -> None:
    match = match_after("3d", "-", "-", "-", "3c")
    shown = lines(scene(match, 5, 1))
    assert not any("Since your turn" in line for line in shown), "the new lead itself is drawn large"
    led = lines(scene(match_after("3d", "-", "-", "-"), 5, 1))
    assert "pass" in next(line for line in led if "Since your turn" in line), "until then, the passes are the news"


def test_a_line_stays_empty_without_new_actions() -> None:
    shown, later = (lines(scene(match, 5, 0)) for match in (match_after("3d"), match_after("3d", "-")))
    assert "-# \u200b" in shown[4]
    assert later[4].startswith("-# Since your turn: ")
