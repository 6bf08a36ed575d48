"""What people read of a table without Discord and store: its board, a hand, its menu, drawn from its state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.domain.ids import UserId
from bot.scene import PublicScene, Scene
from bot.show.lobby.table_menu import menu
from bot.show.table.board import board
from bot.table.core.state import ruleset_of
from bot.table.sight import PaceView, ViewerScenes
from tests.support.scenes import EN, selects, texts
from tests.table.game import Game
from tests.table.world import DURATIONS


def scenes(game: Game) -> ViewerScenes:
    """Return the scenes of the table by viewer, made as the shell of a table makes them."""
    row, now = game.row, game.world.now
    owners = {chair.user: chair.seat for chair in row.chairs if chair.user is not None}
    hours = {seat: game.world.day_of(user) for user, seat in owners.items()} if row.pace.slow else {}
    return ViewerScenes(
        row=row,
        match=game.world.state.match,
        ruleset=ruleset_of(row),
        server=game.world.server,
        pacing=PaceView(DURATIONS.time_control(row.pace), hours, now, game.world.state.hand_duration),
        deleted=game.world.state.recent_deletions,
        rating_changes=game.world.state.rating_changes,
    )


def scene_of(game: Game, user: UserId) -> Scene:
    """Return what a person may see."""
    return scenes(game)[user]


def public_scene(game: Game) -> PublicScene:
    """Return what all may see."""
    scene = scenes(game)[None]
    assert isinstance(scene, PublicScene)
    return scene


def board_text(game: Game) -> str:
    """Return what the board says, with the labels of its buttons."""
    return texts(board(public_scene(game), EN))


def menu_options(game: Game, user: UserId) -> Mapping[str, tuple[str, ...]]:
    """Return the values of the selects in the menu of the table, by the verbs of their custom ids."""
    shown: list[Any] = selects(menu(scene_of(game, user), EN))
    return {each.custom_id.split(":")[2]: tuple(option.value for option in each.options) for each in shown}
