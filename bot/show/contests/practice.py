"""Practice: what there is to do with a hand that one plays alone, beside playing it.

Refuses to know how a hand is begun.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from discord import ButtonStyle, ui

from bot.domain.level import Level
from bot.scene import Scene
from bot.show.kit.custom_ids import Browse, Press, Verb
from bot.show.kit.house_levels import next_levels
from bot.show.kit.layout import Block, button, row, small
from bot.show.kit.words import Words

BACK: Final = "↩"  # on a button beside the cards, where there is no room for words
ANOTHER: Final = "another"  # the verb: practise with other cards, as at this table


def practising(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Give what can be done with a hand that is played alone, and be chosen for the next; nothing at other tables.

    level: at which the viewer has house players play.
    """
    if scene.where.alone == "practice":
        yield row(*reversed(once_more(scene, w)))
        yield from next_hand(scene, w, level)


def once_more(scene: Scene, w: Words) -> tuple[ui.Button[Any], ...]:
    """Return the ways to another hand and back in this one: green is what most want once it is over."""
    table, style = scene.where.table, ButtonStyle.secondary if scene.open else ButtonStyle.success
    return (
        button(w("Other cards"), Browse.to(ANOTHER, table), style),
        button(w("Same cards again"), Press(table, Verb.SAME_CARDS)),
        undo(scene, w("Take back")),
    )


def undo(scene: Scene, label: str) -> ui.Button[Any]:
    """Return the button that takes back what the viewer has done last."""
    return button(label, Press(scene.where.table, Verb.UNDO), disabled=not scene.undo)


def next_hand(scene: Scene, w: Words, level: Level) -> Iterator[Block]:
    """Give what can be chosen for the next hand. level: at which the viewer has house players play."""
    yield small(w("How well house players play from the next hand on:"))
    yield next_levels(scene, w, level)
