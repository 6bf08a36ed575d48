"""The plays that stand ready under a hand, one tap each, the weakest first, and the one button where there are none.

Knows how many fit into a row on a phone. Refuses to know what can be played: it asks ``view.plays``.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot.rules.asks import PlayAsk
from bot.rules.game import View
from bot.rules.trick import Combo
from bot.scene.scene import Scene
from bot.show.faces import symbol
from bot.show.ids import Press, Verb
from bot.show.layout import Row, button, cut, row
from bot.show.words import Words, capital

MOST = 4
AS_TEXT = "\ufe0e"  # follows a sign, and is not seen
ROOM = 33  # characters in a row that does not wrap at 390 pixels
PADDING = 5  # of them for each button
ALONE = 24  # characters of one label at most


def offered(view: View, w: Words) -> list[tuple[Combo, str]]:
    """Return the plays that stand ready, at most four and as many as fit into a row, with what their buttons say."""
    if not isinstance(view.ask, PlayAsk):
        return []
    ready, room = list[tuple[Combo, str]](), ROOM
    for play in view.plays.first(MOST):
        said = _label(play, w)
        room -= _length(said) + PADDING
        if ready and room < 0:
            break
        ready.append((play, said))
    return ready


def offers(scene: Scene, view: View, w: Words) -> Row | None:
    """Return the row of them; each is made for this moment."""
    ready = enumerate(offered(view, w))
    return row(*(button(said, Press(scene.where.table, Verb.OFFER, scene.moment, at)) for at, (_, said) in ready))


def stuck(scene: Scene, view: View) -> bool:
    """Tell whether all that the viewer can do is pass."""
    ask = view.ask
    return isinstance(ask, PlayAsk) and ask.may_pass and scene.seat in scene.wait.awaited and not view.plays


def passing(scene: Scene, view: View, w: Words) -> Row | None:
    """Return the one button of whoever can only pass."""
    said = w("Pass (nothing of yours beats it)") if view.trick.top else w("Pass (you can play nothing now)")
    return row(button(said, Press(scene.where.table, Verb.PASS, scene.moment), ButtonStyle.primary))


def _label(play: Combo, w: Words) -> str:
    """Return the cards of a play, as close together as on a table; or what it is called where that is shorter."""
    shown, name = "".join(map(symbol, play.cards)), w.bare().name(play)
    return shown if _length(shown) <= min(ALONE, max(len(name), ROOM // 3)) else cut(capital(name), ALONE)


def _length(said: str) -> int:
    return len(said.replace(AS_TEXT, ""))
