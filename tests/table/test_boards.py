"""What a board says of a match under way, drawn from the table alone."""

from __future__ import annotations

from discord import ui

from bot.rules.core.asks import Pass, Play
from bot.rules.core.cards import cards
from bot.show.hand.hand import hand
from bot.show.table.board import board
from bot.table.core.commands import Act
from tests.support.scenes import EN, drawn_view, selects, texts
from tests.table.game import ANN, Game
from tests.table.screens import public_scene, scene_of

ANN_LEADS = "6"  # a seed: Ann's cards are 3d 3c 4d 7s 8c 8s 9d 9c 9h Jd Kh Ah As


def test_the_board_shows_turn_cards_and_recent_plays() -> None:
    game = Game(players=4, hands=3, seed=ANN_LEADS)
    for typed in ("3d 3c", "5d 5c", ""):
        game.send(Act(game.awaited, Play(cards(typed)) if typed else Pass()))
    shown = board(public_scene(game), EN)
    for part in (
        "Big Two, table 1",
        "Hand 1 of 3",
        "**ben** played a pair of 5s:\n## `5♢` `5♣︎`",
        "`3♢` `3♣︎`",
        "Passed: cat",
        "**ann** · 11 cards · 0 points",
        "👉 **dan**",
        "<t:",
    ):
        assert part in texts(shown)
    labels = [
        item.label or str(item.emoji) for item in drawn_view(shown).walk_children() if isinstance(item, ui.Button)
    ]
    assert labels == ["My hand", "Pass", "Last trick", "Rules", "Leave", "⋯", "😀"]
    assert not selects(shown)


def test_plays_cannot_be_taken_back_in_a_match_with_others() -> None:
    game = Game(seed=ANN_LEADS)
    game.play_awaited()
    assert not scene_of(game, ANN).undo
    assert "↩" not in texts(hand(scene_of(game, ANN), EN, where="here"))
