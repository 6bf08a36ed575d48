"""The lines for a seat.

Asks the first in line for each free seat, and the next after two minutes without an answer.

Rows in the store remember the lines, so a restart or a handover of shards loses no place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import datetime
from typing import Any

from bot.delivery.notifications.turn_pings import Pings
from bot.domain.effects import Pending
from bot.domain.ids import TableId, UserId
from bot.store.repositories.seat_queue import SeatQueueRepository
from bot.store.rows import SEAT_PING, Waiter
from bot.table.core.chairs import seat_of
from bot.table.core.waiting import next_step
from bot.table.environment import ShownTable


class SeatQueue:
    """Keeps the lines of the tables going; a timed task of the clock.

    find: loads a table. perform: starts effects. run_in_background: runs a coroutine in the background.
    empty: skipped tables without a line. expected: the number of free seats at a table that wait for former players.
    on_expired: called after a question, or a place in line, has expired at a table.
    """

    def __init__(
        self,
        *,
        rows: SeatQueueRepository,
        pings: Pings,
        now: Callable[[], datetime],
        find: Callable[[TableId], Awaitable[ShownTable]],
        perform: Callable[[Iterable[Pending]], None],
        run_in_background: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._rows = rows
        self._pings = pings
        self._now = now
        self._find = find
        self._perform = perform
        self._run_in_background = run_in_background
        self.empty: set[TableId] = set()
        self._asking: set[TableId] = set()  # with a question whose end has not been followed up
        self.expected: Callable[[ShownTable], Awaitable[int]] = _nobody
        self.on_expired: Callable[[TableId], Awaitable[None]] = _nothing

    async def join(self, table: ShownTable, user: UserId) -> int:
        """Put a user in line at a table; return the place, from 1."""
        place = await self._rows.join(table.id, user, self._now())
        self.empty.discard(table.id)
        self._run_in_background(self.update(table))
        return place

    async def leave(self, table: ShownTable, user: UserId) -> None:
        """Take a user out of the line of a table, and ask the next one."""
        await self._rows.leave(table.id, user)
        await self.update(table)

    async def move(self, table: TableId, to: ShownTable) -> None:
        """Move the line of a finished match to its rematch."""
        await self._rows.move(table, to.id)
        self.empty.discard(to.id)
        self._run_in_background(self.update(to))

    async def place_of(self, table: TableId, user: UserId) -> Waiter | None:
        """Return a user's place in line at a table; None without one."""
        return next((waiter for waiter in await self._rows.of_table(table) if waiter.user == user), None)

    async def length(self, table: TableId) -> int:
        """Return the number of people in line at a table."""
        return len(await self._rows.of_table(table))

    async def is_asking(self, table: ShownTable) -> bool:
        """Tell whether a person in line is asked to take a seat of a table, and has not answered."""
        asked = await self._rows.asked(table.id, self._now())
        return any(seat_of(table.row.chairs, waiter.user) is None for waiter in asked)

    async def update(self, table: ShownTable) -> None:
        """Ask the next person in line, and delete the ping once all asked people have answered."""
        line, row = await self._rows.of_table(table.id), table.row
        if not line:
            self.empty.add(table.id)
        elif row.phase == "closed":
            await self._rows.end(table.id)
        elif step := next_step(line, row, self._now(), await self.expected(table)):
            calls = await self._rows.ask(
                table.id, gone=step.gone, waiting=step.waiting, asked=step.asked, now=self._now()
            )
            self._perform(calls)
            line = await self._rows.of_table(table.id)
        if any(waiter.asked_at for waiter in line):
            self._asking.add(table.id)
        else:
            await self._pings.withdraw(table.id, SEAT_PING)

    async def next(self) -> datetime | None:
        """Return the time at which the next question, or place in line, expires."""
        return await self._rows.next_due()

    async def ring(self) -> None:
        """Update the lines with an expired question or place, in the background."""
        for number in {*await self._rows.due(self._now()), *self._asking}:
            self._run_in_background(self._expire(number))

    async def _expire(self, number: TableId) -> None:
        self._asking.discard(number)
        await self.update(await self._find(number))  # noted again while a person is asked
        await self.on_expired(number)


async def _nothing(_table: TableId) -> None:
    """Do nothing after an expired question."""


async def _nobody(_table: ShownTable) -> int:
    """Expect no former player."""
    return 0
