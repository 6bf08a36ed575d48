"""The plays that stand ready under a hand, one tap each, the weakest first, and the one button where there are none.

Knows how many fit into a row on a phone. Refuses to know what can be played: it asks ``view.plays``.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.rules.asks import PlayAsk
from bot.rules.game import View
from bot.rules.trick import Combo
from bot.scene.scene import Scene
from bot.show.faces import symbol
from bot.show.ids import Press, Verb
from bot.show.layout import Row, button, row
from bot.show.width import brief, columns
from bot.show.words import Words, capital

MOST = 4
ROOM = 27  # columns in a row that does not wrap at 390 pixels and has the dots at its end
PADDING = 5  # of them for each button
ALONE = 20  # columns of one label at most


def offered(view: View, w: Words, most: int = MOST) -> list[tuple[Combo, str]]:
    """Return the plays that stand ready, as many as fit into a row, with what their buttons say."""
    if not isinstance(view.ask, PlayAsk):
        return []
    ready, room = list[tuple[Combo, str]](), ROOM
    for play in view.plays.first(most):
        said = _label(play, w)
        room -= columns(said) + PADDING
        if ready and room < 0:
            break
        ready.append((play, said))
    return ready


def offers(scene: Scene, view: View, w: Words, most: int = MOST) -> list[ui.Button[Any]]:
    """Return a button for each of them, made for this moment."""
    ready = enumerate(offered(view, w, most))
    return [button(said, Press(scene.where.table, Verb.OFFER, scene.moment, at)) for at, (_, said) in ready]


def stuck(scene: Scene, view: View) -> bool:
    """Tell whether all that the viewer can do is pass."""
    ask = view.ask
    return isinstance(ask, PlayAsk) and ask.may_pass and scene.seat in scene.wait.awaited and not view.plays


def passing(scene: Scene, view: View, w: Words) -> Row | None:
    """Return the one button of whoever can only pass."""
    said = w("Pass (nothing of yours beats it)") if view.trick.top else w("Pass (you can play nothing now)")
    return row(button(said, Press(scene.where.table, Verb.PASS, scene.moment), ButtonStyle.primary))


def pass_on(scene: Scene, w: Words) -> ui.Button[Any]:
    """Return the button by which somebody passes until they can play, or no more."""
    said = w("Stop passing") if scene.passing else w("Pass until I can play")
    return button(said, Press(scene.where.table, Verb.PASS_ON, scene.tally.deal, int(scene.passing)))


def _label(play: Combo, w: Words) -> str:
    """Return the cards of a play, as close together as on a table; or what it is called where that is shorter."""
    shown, name = "".join(map(symbol, play.cards)), w.bare().name(play)
    return shown if columns(shown) <= min(ALONE, max(columns(name), ROOM // 3)) else brief(capital(name), ALONE)
