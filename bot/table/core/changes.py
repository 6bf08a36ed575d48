"""The change between two rows of a table, as the store writes it. Pure.

The law: ``change.after(before) == after``. Only what differs is written; tuples that are equal but new are not.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from bot.ground.effects import Pending
from bot.ground.results import Sitting
from bot.store.rows import NEVER, NO_MESSAGE, Change, TableRow
from bot.table.core.chairs import sittings
from bot.table.core.state import NO_WRITES, Writes

T = TypeVar("T")


def change_between(
    before: TableRow, after: TableRow, at: datetime, writes: Writes = NO_WRITES, effects: tuple[Pending, ...] = ()
) -> Change | None:
    """Return the change that makes `after` of `before` and appends these writes and effects; None for no change."""
    if before == after and writes == NO_WRITES and not effects:
        return None
    rests = (before.paused, before.held, before.asleep) != (after.paused, after.held, after.asleep)
    return Change(
        at=at,
        steps=after.steps[len(before.steps) :],
        phase=_new(before.phase, after.phase),
        host=_new(before.host, after.host),
        home=_new(before.home, after.home),
        channel=_new(before.channel, after.channel),
        message=None if before.message == after.message else after.message or NO_MESSAGE,
        preset=_new(before.preset, after.preset),
        options=_new(before.options, after.options),
        rules=_new(before.rules, after.rules),
        seats=_new(before.seats, after.seats),
        seed=_new(before.seed, after.seed),
        pace=_new(before.pace, after.pace),
        own_pace=_new(before.own_pace, after.own_pace),
        edition=_new(before.edition, after.edition),
        revised=_new(before.revised, after.revised),
        stakes=_new(before.stakes, after.stakes),
        duplicate_id=_new(before.duplicate_id, after.duplicate_id),
        chairs=() if before.chairs == after.chairs else after.chairs,
        cuts=_new(before.cuts, after.cuts),
        counts=_new(before.counts, after.counts),
        unrated=_new(before.unrated, after.unrated),
        place=_new(before.place, after.place),
        votes=_new(before.votes, after.votes),
        touch_deadline=before.deadline != after.deadline,
        deadline=_new(before.deadline, after.deadline),
        times=_new(before.times, after.times),
        answers=None if before.answers == after.answers else after.answers or NEVER,
        paused=after.paused if rests else None,
        held=after.held if rests else None,
        asleep=after.asleep if rests else None,
        ended=None if before.ended == after.ended else after.ended,
        sittings=_new_sittings(before, after),
        outcome=writes.outcome,
        score=writes.score,
        openings=writes.openings,
        moderation=writes.moderation,
        sits_in=writes.substitute,
        parts=writes.parts,
        sent=writes.sent,
        effects=effects,
    )


def _new(before: T, after: T) -> T | None:
    """Return a value that has changed; None for one that has not."""
    return None if before == after else after


def _new_sittings(before: TableRow, after: TableRow) -> tuple[Sitting, ...]:
    """Return who acts from now on for seats for which another user acted before, or nobody yet."""
    if after.phase not in ("playing", "over"):
        return ()
    return sittings(() if before.phase == "lobby" else before.chairs, after.chairs, len(after.steps))
