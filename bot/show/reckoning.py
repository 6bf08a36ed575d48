"""After a hand and after a match: what was left, what it costs, who leads, who pays whom.

Draws blocks for the board; refuses to count anything itself.
"""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.rules.game import Public, Result
from bot.rules.sentences import Seat
from bot.scene.scene import Scene
from bot.show import phrases
from bot.show.layout import line, lines, small
from bot.show.rulebook import scoring
from bot.show.words import Said, Words, join

Blocks = tuple["str | ui.Separator[Any] | None", ...]


def between(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return what the board shows while the next hand waits."""
    return (
        *_hand(scene, view, w),
        line(),
        lines(w("**Score so far**"), phrases.standing(scene, w)),
        _settling(scene, w("**To settle so far**"), w),
        line(),
        lines(_readiness(scene, w), phrases.ending(scene, w)),
    )


def over(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return what the board shows when the match has ended."""
    return (
        _winners(scene, w),
        lines(phrases.standing(scene, w), None if scene.terms.counts else small(w("This match does not count."))),
        _settling(scene, w("**To settle**"), w),
        line(),
        *_hand(scene, view, w),
    )


def _hand(scene: Scene, view: Public, w: Words) -> Blocks:
    """The end of the hand: how it ended, the cards left, their points, and remarks."""
    if view.result is None:
        return ()
    return (
        small(phrases.hand_number(scene, w)),
        line(),
        _ending(view, view.result, w),
        _left(scene, view.result, w),
        lines(*(phrases.note(note, w) for note in view.result.notes)),
    )


def _ending(view: Public, result: Result, w: Words) -> Said:
    if not result.order:
        return w("Nobody wins the hand.")
    winner, last = result.order[0], view.trick.top
    if result.declarer is not None and not result.left[winner]:  # sides win, not seats
        return w("**{seat}** is out first.", seat=Seat(winner))
    if result.by_points:
        out = [Seat(seat) for seat, held in enumerate(result.left) if not held]
        return w.n("**{seats}** is out, so the hand is over.", "**{seats}** are out, so the hand is over.",
                   len(out), seats=out)  # fmt: skip
    if last is None or view.trick.owner != winner:
        return w("**{seat}** wins the hand.", seat=Seat(winner))
    return w("**{seat}** goes out with {combo} and wins the hand.", seat=Seat(winner), combo=last)


def _left(scene: Scene, result: Result, w: Words) -> str:
    """The cards each seat still held, on a line of their own, under the points they cost; by place if all have one."""
    placed = None not in result.places
    said = w("**Places and points**") if placed else w("**Cards left and points**")
    title = phrases.cited(said, scoring(scene.terms.game, scene.terms.rules.options), w)
    if placed:
        costs = [phrases.numbered(_place(result, seat), _cost(seat, result, w)) for seat in result.order]
    else:
        costs = [_cost(seat, result, w) for seat, held in enumerate(result.left) if held or result.declarer is not None]
    return "\n".join((title, *costs))


def _place(result: Result, seat: int) -> int | str:
    """Return the place of a seat that has one, or the places that it shares with all who still hold cards."""
    place = result.places[seat]
    assert place is not None
    shared = result.places.count(place)
    return place if result.by_points or shared == 1 else f"{place}\N{EN DASH}{place + shared - 1}"


def _cost(seat: int, result: Result, w: Words) -> Said:
    held = result.left[seat]
    won = result.points[seat]
    points = phrases.gained(won, w) if min(result.points) < 0 else w.n("{n} point", "{n} points", won)
    count = w.n("{n} card", "{n} cards", len(held)) if held else Said()
    said = join((phrases.marked(seat, w), count, points))
    return Said(f"{said}\n{w.faces.show(held)}" if held else said)


def _settling(scene: Scene, title: Said, w: Words) -> str | None:
    if not scene.tally.payments:
        return None
    return lines(
        title, phrases.owed(scene.tally.payments, w), small(w("In units. Nobody pays here, it is a notebook."))
    )


def _readiness(scene: Scene, w: Words) -> Said:
    """Who wants the next hand, and whom it waits for."""
    if scene.wait.paused or scene.deserted:
        return phrases.awaited(scene, w)
    ready = frozenset(range(len(scene.tally.totals))) - scene.wait.awaited
    waiting = w("Waiting for {seats}.", seats=phrases.seats(scene.wait.awaited)) if scene.wait.awaited else Said()
    clock = None if phrases.silence(scene) else scene.wait.deadline
    deal = w("The next hand is dealt {when} at the latest.", when=clock) if clock else Said()
    there = w("Ready: {seats}.", seats=phrases.seats(ready)) if ready else Said()
    return join((join((there, waiting), " "), deal), "\n")


def _winners(scene: Scene, w: Words) -> str:
    """Who has won the match; nobody who has left."""
    first = [seat for seat, place in enumerate(scene.tally.places) if place == 1]
    if any(scene.chairs[seat].left for seat in first):
        return "### " + w("Nobody stayed to the end.")
    return "### " + w("{medal} {seats} wins the match!" if len(first) == 1 else "{medal} {seats} share the match!",
                      medal=Said(phrases.MEDALS[1]), seats=phrases.seats(first))  # fmt: skip
