"""The lines for free seats: asks the first in line, and the next after two minutes.

Rows in the store remember the lines, so a restart or a handover of shards loses no place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable
from datetime import datetime
from typing import Any

from bot.delivery.notifications.turn_pings import Pings
from bot.domain.effects import PendingEffect
from bot.domain.ids import GuildId, Share, TableId, UserId
from bot.store.repositories.seat_queue import SeatQueueRepository
from bot.store.rows import SEAT_PING, Waiter
from bot.table.core.chairs import seat_of
from bot.table.core.waiting import next_step
from bot.table.environment import ShownTable


class SeatQueue:
    """Keeps the lines of the tables going; a timed task of the clock.

    find: loads a table. perform: starts effects. run_in_background: runs a coroutine in the background. changed: called
    after a question or a place in line has ended at a table. empty: skipped tables without a line. expected: the number
    of free seats at a table that wait for former players. on_ended: called as `changed`, and after a stop for each
    lobby.
    """

    def __init__(
        self,
        *,
        rows: SeatQueueRepository,
        pings: Pings,
        now: Callable[[], datetime],
        find: Callable[[TableId], Awaitable[ShownTable]],
        perform: Callable[[Iterable[PendingEffect]], None],
        run_in_background: Callable[[Coroutine[Any, Any, None]], None],
        changed: Callable[[ShownTable], None],
    ) -> None:
        self._rows = rows
        self._pings = pings
        self._now = now
        self._find = find
        self._perform = perform
        self._run_in_background = run_in_background
        self._changed = changed
        self.empty: set[TableId] = set()
        self._asking: dict[TableId, GuildId] = {}  # tables with a question whose end has not been followed up
        self.expected: Callable[[ShownTable], Awaitable[int]] = _nobody
        self.on_ended: Callable[[TableId], Coroutine[Any, Any, None]] = _nothing

    async def resume(self, share: Share) -> None:
        """Follow up what may have ended before a stop or in another process.

        These are questions to people in line, and rematches that wait for an answer.
        """
        for number in await self._rows.open_questions(share):
            self._run_in_background(self._expire(number))
        for number in await self._rows.lobbies(share):
            self._run_in_background(self.on_ended(number))

    def drop_cached(self, which: Callable[[GuildId], bool]) -> None:
        """Forget the lines on servers whose rows another process may have changed."""
        self.empty.clear()
        self._asking = {table: guild for table, guild in self._asking.items() if not which(guild)}

    async def join(self, table: ShownTable, user: UserId) -> int:
        """Put a user in line at a table; return the place, from 1."""
        place = await self._rows.join(table.id, user, self._now())
        self.empty.discard(table.id)
        self._run_in_background(self.update(table))
        return place

    async def leave(self, table: ShownTable, user: UserId) -> None:
        """Take a user out of the line of a table, and ask the next one."""
        await self._rows.leave(table.id, user)
        await self.follow_up(table)

    async def follow_up(self, table: ShownTable) -> None:
        """Update the line of a table after the end of a question.

        Then continue the work that has waited for the answer.
        """
        await self.update(table)
        self._changed(table)
        await self.on_ended(table.id)

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

    async def promised(self, table: ShownTable) -> int:
        """Return the number of people in line who have been asked and have not answered."""
        asked = await self._rows.asked(table.id, self._now())
        return sum(seat_of(table.row.chairs, waiter.user) is None for waiter in asked)

    async def is_asked(self, table: ShownTable, user: UserId, seat: int) -> bool:
        """Tell whether a user is asked to take this seat of a table, and has not answered."""
        waiter = await self.place_of(table.id, user)
        return waiter is not None and waiter.seat == seat and seat_of(table.row.chairs, user) is None

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
            self._asking[table.id] = row.guild
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
        self._asking.pop(number, None)
        await self.follow_up(await self._find(number))  # notes the table again while a person is asked


async def _nothing(_table: TableId) -> None:
    """Do nothing after the end of a question."""


async def _nobody(_table: ShownTable) -> int:
    """Expect no former player."""
    return 0
