"""The change between two rows of a table, as the store writes it. Pure.

The law: ``change.after(before) == after``. Unchanged columns stay out, as do new but equal tuples.
"""

from __future__ import annotations

from datetime import datetime

from bot.domain.effects import PendingEffect
from bot.domain.results import Sitting
from bot.store.rows import NEVER, NO_MESSAGE, TableChange, TableRow
from bot.table.core.chairs import sittings
from bot.table.core.state import NO_WRITES, Writes


def change_between(
    before: TableRow,
    after: TableRow,
    at: datetime,
    *,
    writes: Writes = NO_WRITES,
    effects: tuple[PendingEffect, ...] = (),
) -> TableChange | None:
    """Return the change that makes `after` of `before` and appends these writes and effects.

    None for no change.
    """
    if before == after and writes == NO_WRITES and not effects:
        return None
    rests = (before.paused, before.held, before.suspended_since) != (after.paused, after.held, after.suspended_since)
    return TableChange(
        at=at,
        steps=after.steps[len(before.steps) :],
        phase=None if before.phase == after.phase else after.phase,
        host=None if before.host == after.host else after.host,
        home=None if before.home == after.home else after.home,
        channel=None if before.channel == after.channel else after.channel,
        message=None if before.message == after.message else after.message or NO_MESSAGE,
        preset=None if before.preset == after.preset else after.preset,
        options=None if before.options == after.options else after.options,
        rules=None if before.rules == after.rules else after.rules,
        seats=None if before.seats == after.seats else after.seats,
        seed=None if before.seed == after.seed else after.seed,
        pace=None if before.pace == after.pace else after.pace,
        own_pace=None if before.own_pace == after.own_pace else after.own_pace,
        edition=None if before.edition == after.edition else after.edition,
        revised=None if before.revised == after.revised else after.revised,
        stakes=None if before.stakes == after.stakes else after.stakes,
        duplicate_id=None if before.duplicate_id == after.duplicate_id else after.duplicate_id,
        chairs=() if before.chairs == after.chairs else after.chairs,
        cuts=None if before.cuts == after.cuts else after.cuts,
        counts=None if before.counts == after.counts else after.counts,
        unrated=None if before.unrated == after.unrated else after.unrated,
        place=None if before.place == after.place else after.place,
        votes=None if before.votes == after.votes else after.votes,
        touch_deadline=before.deadline != after.deadline,
        deadline=None if before.deadline == after.deadline else after.deadline,
        times=None if before.times == after.times else after.times,
        premove_at=None if before.premove_at == after.premove_at else after.premove_at or NEVER,
        paused=after.paused if rests else None,
        held=after.held if rests else None,
        suspended_since=after.suspended_since if rests else None,
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


def _new_sittings(before: TableRow, after: TableRow) -> tuple[Sitting, ...]:
    """Return the seats with a new acting user or house player."""
    if "playing" not in (before.phase, after.phase) and after.phase != "over":
        return ()
    return sittings(() if before.phase == "lobby" else before.chairs, after.chairs, len(after.steps))
