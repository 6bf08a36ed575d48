"""The other seats of a hand, from a player's view.

Shows the cards left, and at tables without a board the latest plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.rules.core.game import View
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.layout import brief
from bot.show.kit.row_width import NARROW
from bot.show.kit.small_print import small_width
from bot.show.kit.words import MessageText, Words, join

BOLD = "**"  # around a number, without a width of its own
NAME, SHORT_NAME = 36, 8  # columns of a name, and where whole names do not fit on a line


def cards_left(view: View, order: Sequence[int], w: Words) -> MessageText:
    """Return how many cards the other seats have: "Mei 5 · Otto **2** ⚠ · Rosa 9".

    The text is empty if that is unknown, and before play. order: the order of turns.
    """
    if not view.rules.counted or view.phase_note:
        return MessageText()
    held = [(seat, _held(view, seat, MessageText(view.counts[seat]), w)) for seat in _others(view, order)]
    whole, short = (
        join(join((_name(seat, w, most), count), " ") for seat, count in held) for most in (NAME, SHORT_NAME)
    )
    return whole if small_width(whole.replace(BOLD, "")) <= NARROW else short


def seat_lines(scene: Scene, view: View, w: Words) -> Iterator[MessageText]:
    """Yield a line for each other seat in the order of turns.

    A line has the turn mark, the name, the cards left, and the latest play of the trick.
    """
    for seat in _others(view, scene.order) if not view.phase_note else ():
        name = MessageText(f"{'👉 ' if seat in scene.wait.awaited else ''}{BOLD}{_name(seat, w, NAME)}{BOLD}")
        held = _held(view, seat, w.n("{n} card", "{n} cards", view.counts[seat]), w)
        yield join((name, held if view.rules.counted else "", latest_action(view, seat, w)))


def latest_action(view: View, seat: int, w: Words) -> str:
    """Return the latest action of a seat in this trick, in a word or two; empty without any."""
    move = next((move for move in reversed(view.trick.moves) if move.seat == seat), None)
    if move is None:
        return ""
    if move.combo is None:
        return w("took up") if move.taken else w("passed")
    return phrases.in_short(move.combo, w)


def _others(view: View, order: Sequence[int]) -> tuple[int, ...]:
    """Return the other seats in the order of turns after the viewer."""
    own = order.index(view.seat or 0)
    return (*order[own + 1 :], *order[:own])


def _name(seat: int, w: Words, most: int) -> MessageText:
    """Return a name of at most this many columns, without the sign of a house player."""
    return next((w.person(brief(chair.name, most)) for chair in w.chairs if chair.seat == seat), w.seat(seat))


def _held(view: View, seat: int, count: MessageText, w: Words) -> MessageText:
    """Return the count of a seat's cards, marked if everybody should know; or "out"."""
    if not view.counts[seat]:
        return w("out")
    return MessageText(f"{BOLD}{count}{BOLD} ⚠") if phrases.is_few(view.counts[seat]) else count
