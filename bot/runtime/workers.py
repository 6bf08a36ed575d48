"""Worker processes: what costs more than some milliseconds of a core is done there, and has a price.

A person has one piece of work under way at a time; what they ask for meanwhile is refused in a sentence. Few calls run
at the same time, the others wait in their order, and where many people wait no more are taken. Work that nobody waits
for any more is dropped before it begins. What a table needs to go on waits for none of that: it has a process of its
own. Knows people, processes and time. Refuses to know what is worked out.

What goes to a worker and comes back is pickled on the event loop: small values go there, and the worker makes large
ones of them.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Final, Protocol, TypeVar

from bot.domain.refusals import Refused
from bot.runtime.process_pool import Hung, Lost, Pool
from bot.runtime.tasks import Begun

T = TypeVar("T")
log = logging.getLogger(__name__)

NICE: Final = 15  # after the bot, and after those who think for house players
MAX_PEOPLE: Final = 24  # that are served at the same time or wait for it
LIMIT: Final = 30.0  # seconds that a call may take
TRIES: Final = 2  # of a call whose process ended, for whatever reason

STILL_WORKING = "I'm still working on the last thing you asked me for. Once that's done, ask for the next."
MANY_WAITING = "Many people are asking me for things that take a while. Please try again in a minute."
GIVEN_UP = "That took me too long, so I've stopped. Please ask for it once more."
NOT_NOW = "I couldn't work that out just now. Please try again in a minute."


class Caller(Protocol):
    """Calls functions elsewhere, as a pool of child processes does."""

    async def call(self, limit: float, function: Callable[..., T], *args: object) -> T:
        """Return what a function returns. limit: in seconds. Raises Failed, Lost, Hung."""
        ...

    async def close(self) -> None:
        """End at once."""
        ...


def always() -> bool:
    """Say that work is wanted until it is done."""
    return True


class Turn:
    """The one piece of work that a person has under way: any number of calls, one after the other."""

    def __init__(self, workers: Workers, wanted: Callable[[], bool]) -> None:
        self._workers = workers
        self._wanted = wanted
        self.call_under_way: asyncio.Task[object] | None = None

    async def call(self, function: Callable[..., T], *args: object) -> T:
        """Return what a function of a module returns for these values, all of them picklable.

        Raises Refused where nobody waits for it any more, and where it takes too long; Failed with the traceback of an
        error. A caller that is cancelled drops a call that has not begun; one that runs comes to its end.
        """
        call = await self._workers.begun(self._wanted, function, *args)
        self.call_under_way = call
        return await asyncio.shield(call)


class Workers:
    """All worker processes.

    most: how many calls run at the same time, apart from one for a table; by default as many as cores but one.
    caller: calls the functions; by default child processes.
    """

    def __init__(self, most: int = 0, caller: Caller | None = None) -> None:
        self._caller = caller or Pool("bot.games", nice=NICE)
        self._free = asyncio.Semaphore(most or max(1, (os.cpu_count() or 1) - 1))
        self._free_for_tables = asyncio.Semaphore(1)
        self._busy = set[Hashable]()
        self._calls = Begun()
        self._stopped = False

    async def run(
        self, person: Hashable, function: Callable[..., T], *args: object, wanted: Callable[[], bool] = always
    ) -> T:
        """Return what a function returns, as the one piece of work of a person. As `turn` and `Turn.call`."""
        async with self.turn(person, wanted) as turn:
            return await turn.call(function, *args)

    @asynccontextmanager
    async def turn(self, person: Hashable, wanted: Callable[[], bool] = always) -> AsyncIterator[Turn]:
        """Let a person have work done. wanted: asked before it and before each call whether anybody waits for it.

        Raises Refused where nobody does, where this person has work under way, and where too many others have.
        """
        if not wanted():
            raise Refused(GIVEN_UP)
        if person in self._busy:
            raise Refused(STILL_WORKING)
        if len(self._busy) >= MAX_PEOPLE:
            raise Refused(MANY_WAITING)
        self._busy.add(person)
        turn = Turn(self, wanted)
        try:
            yield turn
        finally:
            if (call := turn.call_under_way) and not call.done():
                call.add_done_callback(lambda _: self._busy.discard(person))
            else:
                self._busy.discard(person)

    async def call(self, function: Callable[..., T], *args: object) -> T:
        """Return what a function returns, for nobody in particular: it waits as long as others are served before it."""
        return await asyncio.shield(await self.begun(always, function, *args))

    async def call_for_table(self, function: Callable[..., T], *args: object) -> T:
        """Return what a function returns that a table cannot go on without: no person's work is served before it."""
        return await asyncio.shield(await self._begun(self._free_for_tables, always, function, *args))

    async def begun(self, wanted: Callable[[], bool], function: Callable[..., T], *args: object) -> asyncio.Task[T]:
        """Wait for a free worker, and begin a call. Raises Refused where it is not wanted any more by then."""
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
        for _ in range(TRIES):
            try:
                return await self._caller.call(LIMIT, function, *args)
            except Hung:
                log.warning("A worker took too long for %s and was killed.", function.__qualname__)
                raise Refused(GIVEN_UP) from None
            except Lost as lost:
                log.warning("A worker %s; another one takes over.", lost)
        raise Refused(NOT_NOW)

    def stop(self) -> None:
        """Cancel the calls under way, and whoever comes with another."""
        self._stopped = True
        self._calls.stop()

    async def ended(self) -> None:
        """Wait until all calls have ended and all processes are gone."""
        await self._calls.ended()
        await self._caller.close()
