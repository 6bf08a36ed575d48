"""After a hand and after a match: who won, what was left, what it costs, how all stand.

Draws blocks for the board; refuses to count anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord import ui

from bot.rules.core.cards import Cards
from bot.rules.core.game import Public, Result
from bot.rules.core.sentences import Seat
from bot.scene import Scene
from bot.show.kit import phrases
from bot.show.kit.layout import line, lines, small
from bot.show.kit.words import Said, Words, join, sentences
from bot.show.table import votes
from bot.show.table.achievements import told
from bot.show.table.highlights import worth
from bot.show.table.scores import as_text, headline, penalty

Blocks = tuple["str | ui.Separator[Any] | None", ...]


def between(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return what a board without a picture shows while the next hand waits."""
    return *_standing(scene, view, w), waiting(scene, w)


def over(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return what a board without a picture shows when the match has ended."""
    return *_standing(scene, view, w), lines(*worth(scene, w))


def _standing(scene: Scene, view: Public, w: Words) -> Blocks:
    """Who won, how all stand, and how the hand ended."""
    return (
        lines(f"### {headline(scene, view.result, w)}", as_text(scene, w, lately=True)),
        line(),
        lines(small(phrases.hand_number(scene, w)), *remarks(scene, view, w)),
        line(),
    )


def remarks(scene: Scene, view: Public, w: Words) -> Iterator[str | None]:
    """Give in small print how the hand ended, what was left, and what is remarkable."""
    if view.result is not None:
        yield small(_ending(view, view.result, w))
        left = view.result.left
        yield from (small(_held(seat, left[seat], w)) for seat in scene.order if left[seat])
        yield from (small(phrases.note(note, w)) for note in view.result.notes)
    yield penalty(scene, w)
    yield phrases.sitting_in(scene, w)
    yield small(told(scene.tally.deeds, w))
    yield small(w("This match does not count.")) if scene.stage == "over" and not scene.terms.counts else None


def _ending(view: Public, result: Result, w: Words) -> Said:
    """Return with what the winner went out, where that ended the hand."""
    last = view.trick.top
    if not result.order or last is None or view.trick.owner != result.order[0]:
        return Said()
    if result.declarer is not None or result.by_points:
        return Said()
    return w("**{seat}** goes out with {combo} and wins the hand.", seat=Seat(result.order[0]), combo=last)


def _held(seat: int, held: Cards, w: Words) -> Said:
    return join((phrases.marked(seat, w), Said(w.faces.show(held))))


def waiting(scene: Scene, w: Words) -> str | None:
    """Return whom the next hand waits for, and who would rather end it."""
    return lines(_readiness(scene, w), votes.asked(scene, w))


def _readiness(scene: Scene, w: Words) -> Said:
    """Who wants the next hand, and whom it waits for."""
    if scene.wait.paused or scene.deserted:
        return phrases.awaited(scene, w)
    ready = {chair.seat for chair in scene.chairs if not chair.house} - scene.wait.awaited
    waiting = w("Waiting for {seats}.", seats=phrases.seats(scene.wait.awaited)) if scene.wait.awaited else Said()
    clock = None if phrases.silence(scene) else scene.wait.deadline
    deal = w("The next hand is dealt {when} at the latest.", when=clock) if clock else Said()
    there = w("Ready: {seats}.", seats=phrases.seats(ready)) if ready else Said()
    return join((sentences((there, waiting)), deal), "\n")
