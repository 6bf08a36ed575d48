"""The line for a seat: eligibility, free seats, and the next person to ask. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.ids import UserId
from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.store.rows import TableRow, Waiter
from bot.table.core.agreements import OVER
from bot.table.core.chairs import SEATED, is_vacant, seat_of
from bot.table.core.facts import Facts
from bot.table.core.lobby import check_newcomer, check_welcome
from bot.table.core.seats import HAS_SEEN, has_sat_here
from bot.table.core.state import TableState

CLOSED = N_("This table is closed.")


@dataclass(frozen=True, slots=True)
class LineChange:
    """The next step of a line.

    gone: people without a place any more. waiting: people no longer asked, as the seat is taken. asked: the seat of
    each person asked now.
    """

    gone: tuple[UserId, ...] = ()
    waiting: tuple[UserId, ...] = ()
    asked: Mapping[UserId, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.gone or self.waiting or self.asked)


def check_may_wait(state: TableState, facts: Facts, user: UserId) -> None:
    """Raise Refused for a user who could not take a seat of this table, now or later."""
    row = state.row
    if row.phase == "closed":
        raise Refused(CLOSED)
    if row.phase == "over":
        raise Refused(OVER)
    if seat_of(row.chairs, user) is not None:
        raise Refused(SEATED)
    if row.phase == "playing" and has_sat_here(state, user, facts):
        raise Refused(HAS_SEEN)
    check_welcome(row.channel, user, facts)
    check_newcomer(state, user, facts)


def free_seats(row: TableRow) -> tuple[int, ...]:
    """Return the seats that a person in line can take now.

    These are chairs of nobody, offered chairs, and chairs given up.
    """
    if row.paused:
        return ()
    if row.phase == "lobby":
        taken = {chair.seat for chair in row.chairs}
        return tuple(seat for seat in range(row.seats) if seat not in taken)
    return tuple(chair.seat for chair in row.chairs if is_vacant(chair)) if row.phase == "playing" else ()


def next_step(line: Sequence[Waiter], row: TableRow, now: datetime, expected: int = 0) -> LineChange:
    """Return the people to ask next, and the people whose place in line has ended.

    The first in line are asked, one for each free seat. expected: the number of free seats that wait for the players of
    the former match.
    """
    gone = tuple(waiter.user for waiter in line if waiter.until <= now or seat_of(row.chairs, waiter.user) is not None)
    free, staying = list(free_seats(row)), [waiter for waiter in line if waiter.user not in gone]
    free = free[expected:]
    waiting = list[UserId]()
    for waiter in (waiter for waiter in staying if waiter.asked_at is not None):
        if waiter.seat in free:
            free.remove(waiter.seat)
        elif row.phase == "lobby" and free:  # in a lobby, any chair will do
            free.pop()
        else:
            waiting.append(waiter.user)
    next_users = (waiter.user for waiter in staying if waiter.asked_at is None)
    return LineChange(gone, tuple(waiting), dict(zip(next_users, free, strict=False)))
