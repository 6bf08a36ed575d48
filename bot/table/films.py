"""Finished matches that somebody steps through: each is read and played out once, off the event loop, as it is needed.

Knows how to come by a step. Refuses to show anything of a match that is not over.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from bot.ground.ids import NO_GUILD, GuildId, TableId
from bot.rules.actions import Action, read_action
from bot.rules.film import Film, Shot
from bot.store.errors import StoreError
from bot.store.rows import Step, TableRow
from bot.table.kept import record_of

log = logging.getLogger(__name__)

KEPT = 20  # matches
PAGE = 250  # steps
AT_FIRST = 0.1  # seconds in which a match is made ready before anything of it is shown; most are by then

T = TypeVar("T")


class FilmStore(Protocol):
    """What films need of a store."""

    async def head(self, table: TableId) -> tuple[TableRow, int] | None:
        """Return a table without its steps, and how many those are; None if there never was one."""
        ...

    async def steps(self, table: TableId, first: int, end: int) -> tuple[Step, ...]:
        """Return the steps from one ply up to another."""
        ...


class Reel:
    """A finished match, and its film as far as it has been made."""

    def __init__(self, row: TableRow, film: Film, store: FilmStore) -> None:
        self.row = row
        self.film = film
        self._store = store
        self._lock = asyncio.Lock()

    async def shot(self, step: int) -> Shot:
        """Return a step, the nearest there is. Raises LookupError where no hand is over, StoreError."""
        await self.reach(max(step, 1))
        if self.film.empty:
            raise LookupError(step)
        at = min(max(step, 0), self.film.last)
        first, end = self.film.plies(at)
        done = await self._store.steps(self.row.id, first, end) if at else ()
        return await asyncio.to_thread(lambda: self.film.shot(at, list(_read(done))))

    async def reach(self, step: int) -> None:
        """Make the film up to this step, and then up to the end of what has been read. Raises StoreError."""
        while not self.film.whole and self.film.last < step:
            async with self._lock:
                first = self.film.ply
                done = await self._store.steps(self.row.id, first, min(first + PAGE, self.film.length))
                await asyncio.to_thread(lambda: self.film.take(_read(done)))  # noqa: B023  # done before the next

    async def make(self) -> None:
        """Make the whole film; what the store cannot give now is read when it is asked for."""
        try:
            await self.reach(self.film.length)
        except StoreError as error:
            log.warning("The film of table %s waits: %s", self.row.id, error)


class Films:
    """The matches that were looked at last."""

    def __init__(self, store: Callable[[], FilmStore]) -> None:
        self._store = store
        self._reels: OrderedDict[TableId, Reel] = OrderedDict()
        self._making: set[asyncio.Task[None]] = set()

    async def of(self, table: TableId, guild: GuildId | None) -> Reel | None:
        """Return a finished match of this server, or of a private table; None of others and of running matches.

        Raises StoreError.
        """
        reel = self._reels.get(table) or await self._begin(table)
        if reel is None or reel.row.guild not in (guild, NO_GUILD):
            return None
        self._reels.move_to_end(table)
        return reel

    async def _begin(self, table: TableId) -> Reel | None:
        found = await self._store().head(table)
        if found is None or found[0].phase != "over":
            return None
        row, length = found
        film = await asyncio.to_thread(Film, record_of(row), length)
        reel = self._reels.setdefault(table, Reel(row, film, self._store()))
        while len(self._reels) > KEPT:
            self._reels.popitem(last=False)
        making = asyncio.create_task(reel.make(), name=f"film of table {table}")
        self._making.add(making)
        making.add_done_callback(self._making.discard)
        await asyncio.wait({making}, timeout=AT_FIRST)
        return reel

    def clear(self) -> None:
        """Forget every match; each is read again when somebody looks at it."""
        self.stop()
        self._reels.clear()

    def stop(self) -> None:
        """Make nothing any more."""
        for making in self._making:
            making.cancel()


def _read(steps: Iterable[Step]) -> Iterable[tuple[int, Action]]:
    return ((step.seat, read_action(step.action)) for step in steps)
