"""The offered plays under a hand, one tap each, the weakest first; and the single button for a player without a play.

Offers as many plays as fit into a row on a phone.
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

MAX_OFFERS = 4
SIGNS = "".join(sign[:1] for sign in SUITS.values())
ROOM = 197  # pixels of a row on a phone of 360 pixels, beside the menu button
AROUND, COLUMN, SUIT = 32, 8, 14  # pixels of a button without its label, of a column, of a suit's symbol
SIGN = 52  # pixels of a button with a single symbol
SHORT, ALONE = 9, 20  # columns: cards up to SHORT always appear side by side; a label has at most ALONE


def offered(view: View, w: Words, most: int = MAX_OFFERS, room: int = ROOM) -> list[tuple[int, str]]:
    """Return the offered plays that fit into a row, as pairs of number and label.

    Short labels make room for as many plays as possible; the rest of the row lengthens the first labels. Of plays with
    equal labels only the first is offered.
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
    """Return the approximate width of a button in pixels."""
    suits = sum(sign in SIGNS for sign in label)
    return AROUND + COLUMN * (columns(label) - suits) + SUIT * suits


def offers(scene: Scene, view: View, w: Words, most: int = MAX_OFFERS) -> list[ui.Button[Any]]:
    """Return a button for each offered play, valid for this moment; one fewer beside practice's take-back button."""
    beside = scene.where.alone == "practice"
    ready = offered(view, w, min(most, MAX_OFFERS - 1) if beside else most, ROOM - SIGN if beside else ROOM)
    return [button(said, Press(scene.where.table, Verb.OFFER, at=scene.moment, part=at)) for at, said in ready]


def can_only_pass(scene: Scene, view: View) -> bool:
    """Tell whether passing is the viewer's only option."""
    ask = view.ask
    return isinstance(ask, PlayAsk) and ask.may_pass and scene.seat in scene.wait.awaited and not view.plays


def passing(scene: Scene, view: View, w: Words) -> Row | None:
    """Return the button of a viewer who can only pass."""
    said = w("Pass (nothing of yours beats it)") if view.trick.top else w("Pass (you can play nothing now)")
    return row(button(said, Press(scene.where.table, Verb.PASS, at=scene.moment), ButtonStyle.primary))


def pass_on(scene: Scene, w: Words) -> ui.Button[Any]:
    """Return the button that starts or stops passing until able to play."""
    said = w("Stop passing") if scene.passing else w("Pass until I can play")
    return button(said, Press(scene.where.table, Verb.PASS_ON, at=scene.tally.deal, part=int(scene.passing)))


def _labelled(plays: Sequence[Combo], w: Words) -> list[tuple[str, str]]:
    """Return a long and a short label for each button; the short one only if it is unambiguous."""
    labels = [(_whole(play, w), ranks(play.cards)) for play in plays]
    wholes, shorts = (Counter(said) for said in zip(*labels, strict=True)) if labels else (Counter(), Counter())
    pairs = (
        (whole if wholes[whole] == 1 else short, short if shorts[short] == 1 else whole) for whole, short in labels
    )
    return [(first, min(first, second, key=_width)) for first, second in pairs]


def _whole(play: Combo, w: Words) -> str:
    """Return the cards side by side, or their name if shorter."""
    shown, name = "".join(map(symbol, play.cards)), w.bare().name(play)
    return shown if columns(shown) <= min(ALONE, max(columns(name), SHORT)) else brief(capital(name), ALONE)
