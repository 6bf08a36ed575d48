"""Practice: what there is to do with a hand that one plays alone, beside playing it.

Refuses to know how a hand is begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.ground.level import Level
from bot.scene import Scene
from bot.show.ids import Browse, Press, Verb
from bot.show.layout import Block, button, row, small
from bot.show.levels import next_levels
from bot.show.words import Words

ANOTHER: Final = "another"  # the verb: practise with other cards, as at this table


def practising(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Give what can be done with a hand that is played alone, and be chosen for the next; nothing at other tables.

    level: at which the viewer has house players play.
    """
    if scene.where.alone == "practice":
        yield row(*once_more(scene, w))
        yield from next_hand(scene, w, level)


def once_more(scene: Scene, w: Words) -> Iterator[ui.Button[Any]]:
    """Give the ways to another hand: green is the one that most want once it is over."""
    table, over = scene.where.table, ButtonStyle.secondary if scene.open else ButtonStyle.success
    yield button(w("Other cards"), Browse.to(ANOTHER, table), over)
    yield button(w("Same cards again"), Press(table, Verb.SAME_CARDS))
    yield button(w("Take back"), Press(table, Verb.UNDO), disabled=not scene.undo)


def next_hand(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Give what can be chosen for the next hand. level: at which the viewer has house players play."""
    yield small(w("How well house players play from the next hand on:"))
    yield next_levels(scene, w, level)
