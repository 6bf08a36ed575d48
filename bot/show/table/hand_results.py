"""The results after a hand or match, as blocks for the board: the winner, the cards left, the cost, the standings."""

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
from bot.show.table.achievements import rarest_achievements
from bot.show.table.highlights import highlights
from bot.show.table.scores import as_text, headline, penalty

Blocks = tuple["str | ui.Separator[Any] | None", ...]


def between(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return the board between two hands, without a picture."""
    return *_standing(scene, view, w), waiting(scene, w)


def over(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return the board after a match, without a picture."""
    return *_standing(scene, view, w), lines(*highlights(scene, w))


def _standing(scene: Scene, view: Public, w: Words) -> Blocks:
    """Return the winner, the standings, and the end of the hand."""
    return (
        lines(f"### {headline(scene, view.result, w)}", as_text(scene, w, lately=True)),
        line(),
        lines(small(phrases.hand_number(scene, w)), *remarks(scene, view, w)),
        line(),
    )


def remarks(scene: Scene, view: Public, w: Words) -> Iterator[str | None]:
    """Yield in small print the end of the hand, the cards left, and remarkable facts."""
    if view.result is not None:
        yield small(_ending(view, view.result, w))
        left = view.result.left
        yield from (small(_held(seat, left[seat], w)) for seat in scene.order if left[seat])
        yield from (small(phrases.note(note, w)) for note in view.result.notes)
    yield penalty(scene, w)
    yield phrases.sitting_in(scene, w)
    yield small(rarest_achievements(scene.tally.deeds, w))
    yield small(w("This match does not count.")) if scene.stage == "over" and not scene.terms.counts else None


def _ending(view: Public, result: Result, w: Words) -> Said:
    """Return the winner's last play, if it ended the hand."""
    last = view.trick.top
    if not result.order or last is None or view.trick.owner != result.order[0]:
        return Said()
    if result.declarer is not None or result.by_points:
        return Said()
    return w("**{seat}** goes out with {combo} and wins the hand.", seat=Seat(result.order[0]), combo=last)


def _held(seat: int, held: Cards, w: Words) -> Said:
    return join((phrases.marked(seat, w), Said(w.faces.show(held))))


def waiting(scene: Scene, w: Words) -> str | None:
    """Return the players awaited before the next hand, and who asks to end the match."""
    return lines(_readiness(scene, w), votes.open_vote(scene, w))


def _readiness(scene: Scene, w: Words) -> Said:
    """Return who is ready for the next hand, and who is awaited."""
    if scene.wait.paused or scene.deserted:
        return phrases.awaited(scene, w)
    ready = {chair.seat for chair in scene.chairs if not chair.house} - scene.wait.awaited
    waiting = w("Waiting for {seats}.", seats=phrases.seats(scene.wait.awaited)) if scene.wait.awaited else Said()
    clock = None if phrases.silence(scene) else scene.wait.deadline
    deal = w("The next hand is dealt {when} at the latest.", when=clock) if clock else Said()
    there = w("Ready: {seats}.", seats=phrases.seats(ready)) if ready else Said()
    return join((sentences((there, waiting)), deal), "\n")
