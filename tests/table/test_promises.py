"""What a lobby says of stakes and ratings, and that a match is dealt as its lobby said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games import GAMES
from bot.table.core.commands import Agree, FollowStakes, Start
from tests.table.game import ANN, BEN, Game
from tests.table.screens import board_text, public_scene
from tests.table.world import THREAD


def lobby(game: str, *, stakes: bool, **changes: object) -> Game:
    """Return a lobby on a server with or without stakes."""
    known = GAMES[game]
    made = Game(game=game, preset=next(iter(known.presets)), players=max(known.seats), started=False, changes=changes)
    made.world.server = replace(made.world.server, stakes=stakes)
    return made


@pytest.mark.parametrize("game", ["tien_len", "a_bao", "big_a", "big_little_a"])
def test_3_4_the_lobby_shows_the_stake_a_point(game: str) -> None:
    made = lobby(game, stakes=True, stake=7)
    made.send(FollowStakes())
    assert "a point is worth 7" in board_text(made)
    made.world.server = replace(made.world.server, stakes=False)
    made.send(FollowStakes())
    assert "a point is worth" not in board_text(made)


def test_3_4_other_games_have_no_stake_by_default() -> None:
    for changes, paid in (({}, False), ({"stake": 5}, True)):
        made = Game(game="tien_len", preset="south", players=2, changes=changes, started=False)
        made.world.server = replace(made.world.server, stakes=True)
        made.send(FollowStakes())
        made.advance(seconds=2)
        for user in (ANN, BEN):
            made.send(Agree(user, made.row.edition))
        made.send(Start(ANN, THREAD, made.row.edition))
        while made.row.phase == "playing":
            made.play_awaited()
        assert bool(public_scene(made).tally.payments) is paid


def test_2_2_no_match_starts_with_stakes_that_its_lobby_did_not_show() -> None:
    made = Game(players=2, started=False)
    assert "stake" not in board_text(made)
    made.world.server = replace(made.world.server, stakes=True)  # and the lobby has not followed yet
    made.send(Start(ANN, THREAD, 1))
    assert made.row.phase == "lobby"
    assert "stake" in board_text(made)
    assert public_scene(made).wait.awaited == {0, 1}


def test_a_match_with_unusual_rules_is_marked_unrated() -> None:
    far = {"triples": False, "flushes": False, "pass_rule": "locked", "pile": "face_up"}
    for changes, unrated in ((far, True), ({}, False)):
        made = Game(players=2, changes=changes)
        while made.row.phase == "playing":
            made.play_awaited()
        assert ("Unrated: too much differs from the usual rules." in board_text(made)) is unrated
