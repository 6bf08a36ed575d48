"""Worker processes for work of more than 50 ms or so, with limits per user.

A user has one piece of work at a time; further requests are refused with a sentence. A few calls run at the same time,
the others wait in order, and beyond a number of waiting users requests are refused. The users of one server have three
quarters of the places at most, so an event on a large server leaves room for all others. Work without a waiting caller
is dropped before its start. A table's own work never waits: tables have a separate worker. The functions are arbitrary.

Arguments and results are pickled on the event loop, so only small values go there, and the worker builds large ones
from them.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Final, Protocol, TypeVar

from bot.domain.message_ids import N_
from bot.domain.refusals import Refused
from bot.runtime.process_pool import ChildEnded, ChildHung, Pool
from bot.runtime.tasks import RunningTasks

T = TypeVar("T")
log = logging.getLogger(__name__)

NICENESS: Final = 15  # below the bot, and below the house players' processes
MAX_PEOPLE: Final = 24  # users served or waiting at the same time
MAX_PEOPLE_OF_SERVER: Final = MAX_PEOPLE * 3 // 4  # of them, users of one server
MAX_CALL_SECONDS: Final = 30.0  # the longest call in seconds
MAX_TRIES: Final = 2  # attempts of a call whose process ended

STILL_WORKING = N_("I'm still working on your last request. Try again when it's done.")
MANY_WAITING = N_("Many people are asking me for things that take a while. Please try again in a minute.")
GIVEN_UP = N_("That took too long, so I stopped. Please try again.")
NOT_NOW = N_("I couldn't work that out just now. Please try again in a minute.")


class Caller(Protocol):
    """Calls functions elsewhere, such as a pool of child processes."""

    async def call(self, limit: float, function: Callable[..., T], *args: object) -> T:
        """Return the result of a function.

        limit: in seconds. Raises CallFailed, ChildEnded, ChildHung.
        """
        ...

    async def close(self) -> None:
        """End all calls at once."""
        ...


def always() -> bool:
    """Return True: the work stays wanted until its end."""
    return True


class WorkerTurn:
    """A user's one piece of work: any number of calls, one after the other."""

    def __init__(self, workers: Workers, wanted: Callable[[], bool]) -> None:
        self._workers = workers
        self._wanted = wanted
        self.call_under_way: asyncio.Task[object] | None = None

    async def call(self, function: Callable[..., T], *args: object) -> T:
        """Return the result of a module's function for picklable arguments.

        Raises Refused if no caller waits any more, or after the time limit; CallFailed with the traceback of an error.
        A cancelled caller drops a waiting call; a running call continues to its end.
        """
        call = await self._workers.begun(self._wanted, function, *args)
        self.call_under_way = call
        return await asyncio.shield(call)


class Workers:
    """All worker processes.

    most: the number of concurrent calls, besides one for tables; by default one less than the cores. caller: calls the
    functions; by default child processes.
    """

    def __init__(self, most: int = 0, caller: Caller | None = None) -> None:
        self._caller = caller or Pool("bot.games", nice=NICENESS)
        self._free = asyncio.Semaphore(most or max(1, (os.cpu_count() or 1) - 1))
        self._free_for_tables = asyncio.Semaphore(1)
        self._busy = dict[Hashable, Hashable]()  # the server of each user served or waiting
        self._calls = RunningTasks()
        self._stopped = False

    async def run(
        self,
        person: Hashable,
        function: Callable[..., T],
        *args: object,
        wanted: Callable[[], bool] = always,
        server: Hashable = None,
    ) -> T:
        """Return the result of a function, as a user's one piece of work.

        Raises as `turn` and `WorkerTurn.call`.
        """
        async with self.turn(person, wanted, server) as turn:
            return await turn.call(function, *args)

    @asynccontextmanager
    async def turn(
        self, person: Hashable, wanted: Callable[[], bool] = always, server: Hashable = None
    ) -> AsyncIterator[WorkerTurn]:
        """Enter a user's turn.

        wanted: asked before the turn and before each call whether a caller still waits. server: where the user asks,
        None outside of servers. Raises Refused if no caller waits, if the user has a turn already, or if too many other
        users have, in all or of this server.
        """
        if not wanted():
            raise Refused(GIVEN_UP)
        if person in self._busy:
            raise Refused(STILL_WORKING)
        if len(self._busy) >= MAX_PEOPLE or self._is_full_for(server):
            raise Refused(MANY_WAITING)
        self._busy[person] = server
        turn = WorkerTurn(self, wanted)
        try:
            yield turn
        finally:
            if (call := turn.call_under_way) and not call.done():
                call.add_done_callback(lambda _: self._busy.pop(person, None))
            else:
                self._busy.pop(person, None)

    def _is_full_for(self, server: Hashable) -> bool:
        return server is not None and sum(server == other for other in self._busy.values()) >= MAX_PEOPLE_OF_SERVER

    async def call(self, function: Callable[..., T], *args: object) -> T:
        """Return the result of a function, on behalf of no user; waits for calls queued before."""
        return await asyncio.shield(await self.begun(always, function, *args))

    async def call_for_table(self, function: Callable[..., T], *args: object) -> T:
        """Return the result of a function that a table needs to continue.

        No user's work goes first.
        """
        return await asyncio.shield(await self._begun(self._free_for_tables, always, function, *args))

    async def begun(self, wanted: Callable[[], bool], function: Callable[..., T], *args: object) -> asyncio.Task[T]:
        """Wait for a free worker, and start a call.

        Raises Refused if the call is no longer wanted by then.
        """
        return await self._begun(self._free, wanted, function, *args)

    async def _begun(
        self, free: asyncio.Semaphore, wanted: Callable[[], bool], function: Callable[..., T], *args: object
    ) -> asyncio.Task[T]:
        await free.acquire()
        if self._stopped or not wanted():
            free.release()
            raise asyncio.CancelledError if self._stopped else Refused(GIVEN_UP)
        call = self._calls.begin_awaited(self._called(function, *args))
        call.add_done_callback(lambda _: free.release())
        return call

    async def _called(self, function: Callable[..., T], *args: object) -> T:
        for _ in range(MAX_TRIES):
            try:
                return await self._caller.call(MAX_CALL_SECONDS, function, *args)
            except ChildHung:
                log.warning("A worker took too long for %s and was killed.", function.__qualname__)
                raise Refused(GIVEN_UP) from None
            except ChildEnded as lost:
                log.warning("A worker %s; another one takes over.", lost)
        raise Refused(NOT_NOW)

    def stop(self) -> None:
        """Cancel the running calls, and all later callers."""
        self._stopped = True
        self._calls.stop()

    async def ended(self) -> None:
        """Wait for the end of all calls and processes."""
        await self._calls.ended()
        await self._caller.close()
