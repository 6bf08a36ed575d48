"""Lost access: the table waits for a late player without access, so nobody wins by hiding the channel. Pure.

The check precedes every timeout, and no player times out before the answer arrives. After a day without access a house
player takes over and the match stops counting.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.domain.chairs import Chair
from bot.domain.effects import ShutOutNotice
from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.pace import Deadline
from bot.rules.matches.match import Match
from bot.table.core import chairs as seating
from bot.table.core.deadlines import due, fresh_move, late_seat
from bot.table.core.facts import Facts
from bot.table.core.play import reseated
from bot.table.core.state import AccessCheck, CheckAccess, Decision, TableState, announcement, shown

STAND_IN = N_(
    "{name} has not been able to see or use {table} for a day, so a house player goes on. Nobody can tell whose "
    "doing that is: the match does not count any more."
)


def start_access_check(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Ask Discord whether the late player can see the table, unless an answer was awaited long enough."""
    chair, late = state.row.chairs[late_seat(state, match)], state.row.deadline
    if match.game.secrecy.together or chair.user is None or late is None or _has_waited(state, late, facts):
        return None
    since = _asked_since(state, late) or facts.now
    until = facts.durations.while_asked(late, facts.now)
    state = replace(due(state, until), access_check=AccessCheck(until, since))
    return Decision(state, signals=(CheckAccess(chair.user),))


def _has_waited(state: TableState, late: Deadline, facts: Facts) -> bool:
    """Tell whether the wait for an answer has lasted as long as a move."""
    asking, most = _asked_since(state, late), facts.durations.move(state.row.pace) or facts.durations.shut_out
    return asking is not None and facts.now - asking >= most


def _asked_since(state: TableState, late: Deadline) -> datetime | None:
    """Return the time of the first check of this deadline's player; None without a check."""
    check = state.access_check
    return check.since if check and check.deadline == late else None


def awaits_answer(state: TableState) -> bool:
    """Tell whether the table waits for an answer about the late player."""
    late = state.row.deadline
    return late is not None and _asked_since(state, late) is not None and state.row.running


def lost_access(state: TableState, chair: Chair, user: UserId, facts: Facts) -> Decision:
    """Wait for a player without access, and check again; after a day a house player takes over."""
    late = state.row.deadline
    assert late is not None
    now, durations, since = facts.now, facts.durations, late.shut_out
    if since and now - since >= durations.shut_out:
        chairs = seating.handed_to_house(state.row.chairs, chair.seat, "late")
        decision = reseated(replace(state, row=replace(state.row, counts=False)), chairs, facts)
        return decision.telling(announcement(STAND_IN, about=[chair], name=chair.name))
    notice = () if since else (ShutOutNotice(user),)
    until = replace(durations.for_retry(since or now, now, durations.shut_out), shut_out=since or now)
    return shown(due(state, until), *notice)


def regained_access(state: TableState, match: Match, facts: Facts) -> Decision | None:
    """Give a player a full move's time after regained access; None without lost access, or if given before.

    A player who loses access again gets another wait, limited to a day in total.
    """
    late = state.row.deadline
    assert late is not None
    if not late.shut_out or late.remind_at:  # the time of a move has its reminder, the wait for access has none
        return None
    fresh = fresh_move(state, match, late_seat(state, match), facts)
    if fresh.row.deadline is None or fresh is state:
        return Decision(state)
    return shown(due(fresh, replace(fresh.row.deadline, shut_out=late.shut_out)))
