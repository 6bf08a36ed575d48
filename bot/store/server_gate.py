"""The way through to a database on a PostgreSQL server: several transactions at once, each as if it were alone.

Knows how transactions stand in each other's way, and when one may be begun again. All run at SERIALIZABLE: what they
read and write comes out as if one had followed the other, as in a file. The server ends one of two that cannot; it has
written nothing, and is begun again. So is one whose connection was lost before its COMMIT was sent. Where it was lost
after that, nobody knows whether it was done: that is told and never done again, and whoever asked looks what is there.

Where processes share a database, each transaction of a member first looks for the row that makes it one
(bot/store/processes.py); it is gone where others took the process for gone, and then nothing is written (Fenced). That
is tight whenever the process was held up, be it between this look and its COMMIT. For its transaction W has read the
row that the transaction T of whoever took its shards deletes, so W comes before T; a transaction R of theirs has read
their own row, which T wrote, so it comes after T; and if R did not see what W wrote, R comes before W. These three have
no order, so the server ends one of them: W, which is the last to be kept, or it was seen.

In the same look it sees whether somebody has been deleted by another process. What is in memory here may hold them, so
nothing is done (Behind) before it has been read again; of one who is deleted just then the server ends W as above.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.ground.address import Server
from bot.store import processes
from bot.store.errors import Behind, Fenced, StoreError
from bot.store.gate import CLOSED, Gate
from bot.store.server_faults import AGAIN, UNKNOWN, UNREACHED, is_lost, sentence, state_of
from bot.store.server_line import Line

P = ParamSpec("P")
T = TypeVar("T")
AT_ONCE: Final = 4  # transactions, and so connections, of one process
PATIENCE: Final = 1.0  # seconds in which a transaction is begun again; then whoever waits is told
FEWEST: Final = 4  # tries of one that others stood in the way of, however long they take
FENCED = "This process was away from the database {name} for so long that others have taken its place. It starts anew."
BEHIND = "Somebody was deleted from {name} a moment ago. What is in memory is read again; nothing was written."
PAUSE, LONGEST_PAUSE = 0.01, 0.2  # seconds between two tries at most: more each time, and spread by chance


async def whole(doing: Coroutine[Any, Any, T]) -> T:
    """Do something to its end, also where whoever waits for it is cancelled; then nobody hears what becomes of it."""
    task = asyncio.get_running_loop().create_task(doing)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise


class ServerGate(Gate):
    """Lets so many transactions through at once as there are connections.

    line: holds the right to use the database. member: the number of this process among those that share the database,
    None for one that does not. behind: told where others have deleted somebody since.
    """

    _whole = staticmethod(whole)

    def __init__(self, server: Server, engine: AsyncEngine, line: Line) -> None:
        self.line = line
        self.member: int | None = None
        self.behind: Callable[[], None] = lambda: None
        self._server = server
        self._engine = engine
        self._room = asyncio.Semaphore(AT_ONCE)
        self._dice = random.Random()  # noqa: S311  # only spreads tries
        self._one_alone = asyncio.Lock()
        self._one_among = (
            asyncio.Lock()
        )  # with a connection of its own: a lease must not wait for what is done under it
        self._closed = False

    async def run_among(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do what is about the processes themselves, and about nobody who may have been deleted; else as `run`."""
        return await whole(self._beside(work, *args, **kwargs))

    async def _beside(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self._one_among:
            return await self._tried(self._among, work, *args, **kwargs)

    async def run_alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do work that reads nearly everything, and would stand in all ways, while no process does anything else."""
        return await whole(self._alone(work, *args, **kwargs))

    async def _alone(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            async with self._one_alone, self._room, self._engine.connect() as connection:
                await connection.execute(select(func.pg_advisory_lock(processes.ALONE)))
                await connection.commit()
                try:
                    async with self._room:
                        return await self._tried(self._following_alone, work, *args, **kwargs)
                finally:
                    await connection.execute(select(func.pg_advisory_unlock(processes.ALONE)))
                    await connection.commit()
        except UNREACHED as error:
            raise StoreError(sentence(self._server, error)) from error

    async def _through(
        self, work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async with self._room:
            return await self._tried(self._following, work, *args, **kwargs)

    async def _among(self, connection: AsyncConnection, *, beside_others: bool = False) -> int:
        """Return how many deletions there have been; Fenced where this process is no member any more."""
        if self.member is None:
            return self.forgotten
        there, deletions = await processes.look(connection, self.member, beside_others=beside_others)
        if not there:
            raise Fenced(FENCED.format(name=self._server))
        return deletions

    async def _following(self, connection: AsyncConnection) -> int:
        """Do the same; Behind where not all of the deletions have been followed here."""
        return self._followed(await self._among(connection, beside_others=True))

    async def _following_alone(self, connection: AsyncConnection) -> int:
        return self._followed(await self._among(connection))

    def _followed(self, deletions: int) -> int:
        if deletions != self.forgotten:
            self.behind()
            raise Behind(BEHIND.format(name=self._server))
        return deletions

    async def _tried(
        self,
        look: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        clock = asyncio.get_running_loop().time
        until, pause, tries = clock() + PATIENCE, PAUSE, 0
        while not self._closed:
            try:
                return await self._done(look, work, *args, **kwargs)
            except _Again as again:
                tries += 1
                if clock() > until and (tries > FEWEST or is_lost(again.error)):
                    raise StoreError(sentence(self._server, again.error)) from again.error
            await asyncio.sleep(pause * self._dice.random())
            pause = min(2 * pause, LONGEST_PAUSE)
        raise StoreError(CLOSED.format(name=self._server))

    async def _done(
        self,
        look: Callable[[AsyncConnection], Awaitable[int]],
        work: Callable[Concatenate[AsyncConnection, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do the work once. Raises _Again where it may be begun again: nothing of it was done."""
        sent = False
        try:
            async with self._engine.connect() as connection:
                await look(connection)
                answer = await work(connection, *args, **kwargs)
                sent = True
                await connection.commit()
                return answer
        except UNREACHED as error:
            if sent and is_lost(error):
                raise StoreError(UNKNOWN.format(name=self._server)) from error
            if state_of(error) in AGAIN or is_lost(error):
                raise _Again(error) from error
            raise StoreError(sentence(self._server, error)) from error

    async def empty(self) -> None:
        """Leave it to the server, which overwrites what was deleted in its own time (VACUUM)."""

    async def close(self) -> None:
        """Let those inside finish, then let go of all connections."""
        if self._closed:
            return
        async with self._one_among:
            for _ in range(AT_ONCE):
                await self._room.acquire()
            self._closed = True
            for _ in range(AT_ONCE):
                self._room.release()
        await self.line.close()
        await self._engine.dispose()


class _Again(Exception):
    """A transaction that may be begun again. error: what ended it."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error
