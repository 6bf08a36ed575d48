"""The plays that stand ready under a hand, one tap each, the weakest first, and the one button where there are none.

Knows how many fit into a row on a phone. Refuses to know what can be played: it asks ``view.plays``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle, ui

from bot.rules.core.asks import PlayAsk
from bot.rules.core.game import View
from bot.rules.core.trick import Combo
from bot.scene import Scene
from bot.show.kit.card_symbols import SUITS, ranks, symbol
from bot.show.kit.custom_ids import Press, Verb
from bot.show.kit.layout import Row, button, row
from bot.show.kit.text_width import brief, columns
from bot.show.kit.words import Words, capital

MOST = 4
SIGNS = "".join(sign[:1] for sign in SUITS.values())
ROOM = 197  # pixels of a row that does not wrap on a phone of 360 and has the dots at its end
AROUND, COLUMN, SUIT = 32, 8, 14  # pixels of a button without its label, of a column of that, of the sign of a suit
SIGN = 52  # pixels of a button with a sign alone
SHORT, ALONE = 9, 20  # columns: of cards that always stand side by side, and of one label at most


def offered(view: View, w: Words, most: int = MOST, room: int = ROOM) -> list[tuple[int, str]]:
    """Return the plays that stand ready, as many as fit into a row: their places among all, and their labels.

    As many as can be find room by their short labels; what is left of the row goes to the first ones.
    Of those that nothing tells apart the first stands there.
    """
    if not isinstance(view.ask, PlayAsk):
        return []
    labels = _labelled(view.plays.ready(most), w)
    ready, taken = list[int](), set[str]()
    for at, (whole, short) in enumerate(labels):
        if not ready or (_width(short) <= room and not taken & {whole, short}):
            ready.append(at)
            taken |= {whole, short}
            room -= _width(short)
    shown = list[tuple[int, str]]()
    for at, (whole, short) in ((at, labels[at]) for at in ready):
        more = _width(whole) - _width(short)
        shown.append((at, whole if more <= room else short))
        room -= more if more <= room else 0
    return shown


def _width(label: str) -> int:
    """Return about how many pixels a button takes."""
    suits = sum(sign in SIGNS for sign in label)
    return AROUND + COLUMN * (columns(label) - suits) + SUIT * suits


def offers(scene: Scene, view: View, w: Words, most: int = MOST) -> list[ui.Button[Any]]:
    """Return a button for each of them, made for this moment; one fewer at most where the way back stands beside."""
    beside = scene.where.alone == "practice"
    ready = offered(view, w, min(most, MOST - 1) if beside else most, ROOM - SIGN if beside else ROOM)
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


def _labelled(plays: Sequence[Combo], w: Words) -> list[tuple[str, str]]:
    """Return what each button says with room, and with little: only what tells it from the others, if there is that."""
    labels = [(_whole(play, w), ranks(play.cards)) for play in plays]
    wholes, shorts = (Counter(said) for said in zip(*labels, strict=True)) if labels else (Counter(), Counter())
    pairs = (
        (whole if wholes[whole] == 1 else short, short if shorts[short] == 1 else whole) for whole, short in labels
    )
    return [(first, min(first, second, key=_width)) for first, second in pairs]


def _whole(play: Combo, w: Words) -> str:
    """Return the cards side by side, or a shorter name of them."""
    shown, name = "".join(map(symbol, play.cards)), w.bare().name(play)
    return shown if columns(shown) <= min(ALONE, max(columns(name), SHORT)) else brief(capital(name), ALONE)
