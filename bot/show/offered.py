"""The plays that stand ready under a hand, one tap each, the weakest first, and the one button where there are none.

Knows how many fit into a row on a phone. Refuses to know what can be played: it asks ``view.plays``.
"""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.rules.asks import PlayAsk
from bot.rules.game import View
from bot.rules.trick import Combo
from bot.scene import Scene
from bot.show.faces import SUITS, ranks, symbol
from bot.show.ids import Press, Verb
from bot.show.layout import Row, button, row
from bot.show.width import brief, columns
from bot.show.words import Words, capital

MOST = 4
SIGNS = "".join(sign[:1] for sign in SUITS.values())
ROOM = 197  # pixels of a row that does not wrap on a phone of 360 and has the dots at its end
AROUND, COLUMN, SUIT = 32, 8, 14  # pixels of a button without its label, of a column of that, of the sign of a suit
SHORT, ALONE = 9, 20  # columns: of cards that always stand side by side, and of one label at most


def offered(view: View, w: Words, most: int = MOST) -> list[tuple[int, str]]:
    """Return the plays that stand ready, as many as fit into a row: their places among all, and their labels."""
    if not isinstance(view.ask, PlayAsk):
        return []
    ready, room = list[tuple[int, str]](), ROOM
    for at, play in enumerate(view.plays.ready(most)):
        said = next((label for label in _labels(play, w) if not ready or _width(label) <= room), None)
        if said is not None:
            ready.append((at, said))
            room -= _width(said)
    return ready


def _width(label: str) -> int:
    """Return about how many pixels a button takes."""
    suits = sum(sign in SIGNS for sign in label)
    return AROUND + COLUMN * (columns(label) - suits) + SUIT * suits


def offers(scene: Scene, view: View, w: Words, most: int = MOST) -> list[ui.Button[Any]]:
    """Return a button for each of them, made for this moment."""
    ready = offered(view, w, most)
    return [button(said, Press(scene.where.table, Verb.OFFER, scene.moment, at)) for at, said in ready]


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


def _labels(play: Combo, w: Words) -> tuple[str, str]:
    """Return what a button says with room, the cards side by side or a shorter name, and with little: their ranks."""
    shown, name = "".join(map(symbol, play.cards)), w.bare().name(play)
    whole = shown if columns(shown) <= min(ALONE, max(columns(name), SHORT)) else brief(capital(name), ALONE)
    return whole, ranks(play.cards)
