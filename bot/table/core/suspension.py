"""Suspension: a stopped clock in a channel closed to the bot. Pure.

A suspended table is paused, and resumes by itself as soon as the bot may write again; the retries grow rarer.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.table.core import votes
from bot.table.core.deadlines import resumed, stopped, stopped_clock_deadline, with_deadline
from bot.table.core.ending import broken_off
from bot.table.core.facts import Facts
from bot.table.core.state import CHANGED, ClockResumed, Decision, Suspended, TableState, shown

ASLEEP = N_(
    "I can't post where this table is, so it's suspended and its clock is stopped. It resumes once I "
    "can, or in another channel where its host or a moderator uses /table move."
)
ASLEEP_THERE = N_(
    "I can't post where this table is, so it's suspended and its clock is stopped. It resumes once I can."
)


class StillSuspended(Refused):
    """Raised for a command to a suspended table.

    The shell redraws the table, to resume it if possible.
    """


def check_not_suspended(state: TableState) -> None:
    """Raise StillSuspended at a suspended table."""
    if state.row.suspended_since:
        raise StillSuspended(ASLEEP_THERE if state.row.stays else ASLEEP)


def suspend(state: TableState, facts: Facts) -> Decision:
    """Stop the clock of a table the bot cannot show."""
    if not state.row.running:
        return Decision(state)
    now = facts.now
    until = stopped_clock_deadline(state, facts.durations.for_retry(now, now, _longest(state, facts)))
    state = stopped(state, facts)
    state = with_deadline(replace(state, row=replace(state.row, paused=True, suspended_since=now)), until)
    return Decision(state, signals=(Suspended(),))


def retry(state: TableState, facts: Facts) -> Decision | None:
    """Redraw a suspended table, to resume it if possible.

    After the maximum suspension, end the table.
    """
    if state.row.suspended_since is None:
        return None
    since, most = state.row.suspended_since, _longest(state, facts)
    if facts.now - since >= most:
        return broken_off(state, facts)
    return shown(with_deadline(state, stopped_clock_deadline(state, facts.durations.for_retry(since, facts.now, most))))


def end_suspension(state: TableState, facts: Facts) -> Decision:
    """Resume a suspended table."""
    return resume_clock(state, facts) if state.row.suspended_since and state.row.open else Decision(state)


def resume_clock(state: TableState, facts: Facts) -> Decision:
    """Run the clock on with the remaining time.

    A lobby gets its full time again, and votes end.
    """
    playing = state.row.phase == "playing"
    state = resumed(state, facts) if playing else _reopened(state, facts)
    row = replace(state.row, paused=False, held=None, suspended_since=None, chairs=votes.without_vote(state.row.chairs))
    return Decision(replace(state, row=row), signals=(ClockResumed(), CHANGED))


def _reopened(state: TableState, facts: Facts) -> TableState:
    """Return the lobby with its full time."""
    return with_deadline(state, facts.durations.for_lobby(state.row.pace, facts.now, state.row.deadline))


def _longest(state: TableState, facts: Facts) -> timedelta:
    """Return the maximum suspension, while the bot runs."""
    return facts.durations.sleep if state.row.phase == "lobby" else facts.durations.suspended
