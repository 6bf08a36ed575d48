"""The content of the picture of a table, and the same in words for people who cannot see it.

Only public values of a public scene enter a picture.
"""

from __future__ import annotations

from dataclasses import replace

from bot.rules.core.cards import CARD_NAMES
from bot.rules.core.game import Public
from bot.rules.core.sentences import From, Of, Seat
from bot.rules.core.trick import Move
from bot.scene import PublicScene
from bot.show.kit import phrases
from bot.show.kit.card_symbols import symbol, symbols
from bot.show.kit.layout import cut
from bot.show.kit.words import STARS, Said, Words, capital, join, starred
from bot.show.pictures.picture import ALT, Picture
from bot.show.pictures.table import Plate, TableDrawing
from bot.show.table.ending_picture import ended
from bot.show.table.lobby_picture import filling
from bot.show.table.sides import banner, sign

SHOWN = 2  # cards of a play that fit on a plate
LAST_CARDS = 1  # a count to highlight for everybody


def picture(scene: PublicScene, w: Words) -> Picture | None:
    """Return the picture of a table at any stage; None for a closed table."""
    if scene.stage == "lobby":
        return filling(scene, w)
    if not isinstance(scene.view, Public) or scene.stage == "closed":
        return None
    if scene.stage != "playing":
        return ended(scene, scene.view, w)
    bare = w.at(scene).bare()
    named = bare.among((replace(chair, house=False) for chair in scene.chairs), scene.terms.rules)
    look = TableDrawing(
        tuple(_plate(scene, scene.view, seat, bare) for seat in range(len(scene.chairs))),
        cards=tuple(map(CARD_NAMES.__getitem__, scene.view.trick.top.cards)) if scene.view.trick.top else (),
        title=_title(scene.view, named),
        progress=scene.view.progress,
        clockwise=scene.terms.rules.clockwise,
    )
    return Picture(look, cut(_told(scene, scene.view, look, bare), ALT))


def _plate(scene: PublicScene, view: Public, seat: int, w: Words) -> Plate:
    count, chair = view.counts[seat], scene.chairs[seat]
    return Plate(
        starred(chair) if chair.level in STARS else chair.name,
        held=str(count) if view.rules.counted and (count or view.phase_note) else "",
        does=_did(view, seat, w),
        house=chair.house,
        leads=seat == view.trick.owner,
        turn=not scene.together and not scene.wait.paused and seat in scene.wait.awaited,
        few=view.rules.counted and count == LAST_CARDS,
        side=sign(view.teams, seat) if view.teams else "",
    )


def _did(view: Public, seat: int, w: Words) -> str:
    """Return the latest action of a seat in this trick, or before play, in a word or two."""
    if view.phase_note:
        return _said(view, seat, w)
    if not view.counts[seat]:
        return w("out")
    move = next((move for move in reversed(view.trick.moves) if move.seat == seat), None)
    if move is None:
        return ""
    return w("on top") if seat == view.trick.owner and move.combo else _briefly(move, w)


def _said(view: Public, seat: int, w: Words) -> str:
    """Return the cards that a seat has publicly shown or named, or "passed"."""
    facts = {name: value for name, value in view.facts if name in view.rules.facts}
    heard = (each for value in facts.values() if isinstance(value, tuple) for each in value)
    named = [each.amount for each in heard if isinstance(each, Of | From) and each.seat == seat]
    shown = [symbols(cards) for cards in named if isinstance(cards, tuple)]
    return shown[-1] if shown else w("passed") if seat in facts.get("passed", ()) else ""


def _briefly(move: Move, w: Words) -> str:
    if move.combo is None:
        return w("took up") if move.taken else w("passed")
    held = move.combo.cards
    return symbols(held) if len(held) <= SHOWN else f"{symbol(held[0])} … {symbol(held[-1])}"


def _title(view: Public, w: Words) -> str:
    """Return the name of the top play, or the current event."""
    if view.phase_note:
        return phrases.note(view.phase_note, w)
    if view.trick.top is None:
        return w("A new trick begins.")
    return capital(w.name(view.trick.top))


def _told(scene: PublicScene, view: Public, look: TableDrawing, w: Words) -> str:
    """Return the content in lines: the top play and its player, then each seat in the order of turns."""
    top, owner = view.trick.top, view.trick.owner
    lies = look.title if top is None or owner is None else w("On top: {combo}, by {seat}.", combo=top, seat=Seat(owner))
    seats = (_line(view, look.plates[seat], seat, w) for seat in scene.order)
    return "\n".join(filter(None, (lies, banner(view, w) if view.teams else None, *seats)))


def _line(view: Public, plate: Plate, seat: int, w: Words) -> Said:
    held = w.n("{n} card", "{n} cards", view.counts[seat]) if plate.held else Said()
    turn = w("on turn") if plate.turn else Said()
    name = f"{plate.side} {w.seat(seat)}" if plate.side else w.seat(seat)
    return join((name, held, plate.does, turn))
