"""What the screens say of a table whose decisions are pure values: drawn without Discord or store."""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.scene import PublicScene, Scene
from bot.show.kit.words import words
from bot.show.table.board import board
from bot.table.core.state import ruleset_of
from bot.table.sight import PaceView, ViewerScenes
from tests.support.scenes import texts
from tests.table.game import Game
from tests.table.world import DURATIONS


def scene_of(game: Game, viewer: UserId | None = None) -> Scene:
    """Return the table as a viewer sees it, None for any spectator."""
    state, row = game.world.state, game.row
    hours = state.hours if row.pace.slow else {}
    pacing = PaceView(DURATIONS.tempo(row.pace), hours, game.world.now, state.hand_duration)
    ruleset = ruleset_of(row)
    scenes = ViewerScenes(row=row, match=state.match, ruleset=ruleset, server=game.world.server, pacing=pacing)
    return scenes[viewer]


def board_of(game: Game) -> str:
    """Return what the board says."""
    shown = scene_of(game)
    assert isinstance(shown, PublicScene)
    return texts(board(shown, words("en-US")))
