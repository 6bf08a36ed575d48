"""The public moves since a player's own last move, in a line. Covers the current trick and the one before."""

from __future__ import annotations

from collections.abc import Sequence

from bot.rules.core.game import Public, View
from bot.rules.core.trick import Move
from bot.show.kit import phrases
from bot.show.kit.words import Said, Words, join

MAX_MOVES_LISTED = 8  # moves: a round of the largest table


def moves_since_own(view: View, w: Words) -> Said:
    """Return the moves since the viewer's own, up to the top play, which the screen shows large."""
    moves = _after_own(view, view.seat)
    large = [at for at, move in enumerate(moves) if move.combo and move.combo is view.trick.top]
    return _told(view, view.seat, moves[: large[-1]] if large else moves, w)


def moves_since_seat(view: Public, seat: int | None, w: Words) -> Said:
    """Return all public moves since this seat's own."""
    moves = _after_own(view, seat)
    return Said() if all(move.combo is view.trick.top for move in moves) else _told(view, seat, moves, w)


def _told(view: Public, seat: int | None, moves: Sequence[Move], w: Words) -> Said:
    if not moves:
        return Said()
    told = join(phrases.played(move, w) for move in moves[-MAX_MOVES_LISTED:])
    return w("Since your turn: {moves}", moves=told) if _has_moved(view, seat) else w("So far: {moves}", moves=told)


def _has_moved(view: Public, seat: int | None) -> bool:
    """Tell whether the seat has played or passed before in this hand, as far as known."""
    return bool(view.tricks) or any(move.seat == seat for move in view.trick.moves)


def _after_own(view: Public, seat: int | None) -> list[Move]:
    moves = [move for trick in (*view.tricks[-1:], view.trick) for move in trick.moves]
    own = [at for at, move in enumerate(moves) if move.seat == seat]
    return moves[own[-1] + 1 :] if own else list(view.trick.moves)
