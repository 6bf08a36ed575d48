"""Whether all are there at a slow table, so that it could be played live, and who would do so.

Pure: from a row and its match. Refuses to know what comes of it.
"""

from __future__ import annotations

from datetime import timedelta

from bot.rules.match import Match
from bot.store.rows import TableRow

THERE = timedelta(minutes=1)  # in which everybody has acted who is there
STANDS = timedelta(minutes=3)  # from one act to another, for which somebody is taken to agree still


def for_now(row: TableRow) -> bool:
    """Tell whether a table is played live that has another pace of its own."""
    return row.own_pace is not None and row.own_pace != row.pace


def all_there(row: TableRow, match: Match) -> frozenset[int]:
    """Return the seats of the people whose turn may come, if all have acted within a minute; else none.

    What was done by order counts as well: else all could see what was not. What somebody else did on the seat does not.
    """
    if not row.pace.slow or not row.steps or match.game.result or match.game.secrecy.together:
        return frozenset()
    view, since = match.view(None), row.steps[-1].at - THERE
    came = {
        chair.seat: -chair.quick
        for chair in row.chairs
        if chair.user is not None and not chair.house and view.counts[chair.seat]
    }
    acts = (step for step in row.steps[-4 * row.seats :] if step.by in ("person", "order") and step.at >= since)
    lately = {step.seat for step in acts if step.ply >= came.get(step.seat, 0)}
    return frozenset(came) if len(came) > 1 and came.keys() <= lately else frozenset()


def agreeing(row: TableRow, seats: frozenset[int]) -> frozenset[int]:
    """Return which of these agree to play on live; what somebody has agreed to lapses."""
    since = row.steps[-1].at - STANDS if row.steps else row.created
    said = {chair.seat for chair in row.chairs if chair.quick > 0 and row.steps[chair.quick - 1].at >= since}
    return seats & said
