"""Practice: what there is to do at a hand that one plays alone, beside playing it.

Refuses to know how a hand is begun.
"""

from __future__ import annotations

from collections.abc import Iterator

from bot.ground.level import Level
from bot.scene import Scene
from bot.show.layout import Block, small
from bot.show.levels import next_levels
from bot.show.words import Words


def next_hand(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Give what can be chosen for the next hand; nothing where nobody practises.

    level: at which the viewer has house players play.
    """
    if scene.where.alone == "practice":
        yield small(w("How well house players play from the next hand on:"))
        yield next_levels(scene, w, level)
