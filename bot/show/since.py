"""What has happened since somebody's own last move, in a line.

Knows the trick that is played and the one before it. Refuses to know who may see what: all of it was public.
"""

from __future__ import annotations

from bot.rules.game import Public, View
from bot.rules.trick import Move
from bot.show import phrases
from bot.show.words import Said, Words, join

MOST = 8  # moves: a round of the largest table


def since(view: View, w: Words) -> Said:
    """Return what the others have done since the viewer played or passed; nothing where they have not yet."""
    return since_of(view, view.seat, w)


def since_of(view: Public, seat: int | None, w: Words) -> Said:
    """Return the same for whoever has a seat, out of what everybody has seen."""
    moves = _after_own(view, seat)[-MOST:]
    if all(move.combo is view.trick.top for move in moves):
        return Said()  # that lies there large
    told = join(phrases.played(move, w) for move in moves)
    return w("Since your turn: {moves}", moves=told) if _has_moved(view, seat) else w("So far: {moves}", moves=told)


def _has_moved(view: Public, seat: int | None) -> bool:
    """Tell whether somebody has played or passed before in this hand, as far as that is known."""
    return bool(view.tricks) or any(move.seat == seat for move in view.trick.moves)


def _after_own(view: Public, seat: int | None) -> list[Move]:
    moves = [move for trick in (*view.tricks[-1:], view.trick) for move in trick.moves]
    own = [at for at, move in enumerate(moves) if move.seat == seat]
    return moves[own[-1] + 1 :] if own else list(view.trick.moves)
