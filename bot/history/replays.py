"""Replays: finished matches step by step, replayed once, off the event loop, on demand.

Nothing of an unfinished hand is ever shown.
"""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from bot.domain.ids import NO_GUILD, GuildId, TableId
from bot.rules.core.asks import Action, read_action
from bot.rules.matches.record import MIN_STORED_PLIES, Openings
from bot.rules.matches.replay import Deal, Playback, Snapshot
from bot.runtime.tasks import SingleFlight, start_task
from bot.runtime.workers import Workers
from bot.scene import PublicScene
from bot.store.errors import RecordDeleted, StoreError
from bot.store.rows import MatchStep, TableRow
from bot.table.core.state import record_of, ruleset_of
from bot.table.sight import scene_at
from bot.table.transcripts import MIN_FOR_WORKER, transcript_of, write_openings

if TYPE_CHECKING:  # worker processes import this module, and need no database
    from bot.store.store import Store

log = logging.getLogger(__name__)

CACHE_SIZE = 20  # matches
CACHED_DEALS = 4  # per match, with all their steps
PAGE_STEPS = 250  # steps
PREPARATION_SECONDS = 0.1  # wait for the preparation of a replay; most finish in time

T = TypeVar("T")


class MatchReplay:
    """A match with its replay up to the loaded step, and a cache of the latest deals."""

    def __init__(self, row: TableRow, playback: Playback, store: Store) -> None:
        self.row = row
        self.ruleset = ruleset_of(row)
        self.playback = playback
        self._store = store
        self._lock = asyncio.Lock()
        self._deals: OrderedDict[int, tuple[Snapshot, ...]] = OrderedDict()

    @property
    def is_running(self) -> bool:
        """Whether the match still runs; a running match shows finished hands only."""
        return self.row.open

    async def snapshot(self, step: int) -> Snapshot:
        """Return the nearest existing step.

        Raises LookupError without a finished hand, StoreError.
        """
        await self.reach(max(step, 1))
        if self.playback.empty:
            raise LookupError(step)
        at = min(max(step, 0), self.playback.last)
        snapshots = await self.snapshots(self.playback.deal_of(at))
        return snapshots[bisect_right(snapshots, at, key=lambda snapshot: snapshot.step) - 1]

    async def snapshots(self, deal: int) -> tuple[Snapshot, ...]:
        """Return the known steps of a deal; deal: from 0. Raises StoreError."""
        known = self._deals.get(deal)
        if known is None:
            complete = self.playback.complete(deal)
            known = await asyncio.to_thread((await self.deal(deal)).snapshots)
            if complete:
                self._deals[deal] = known
        if deal in self._deals:
            self._deals.move_to_end(deal)
        while len(self._deals) > CACHED_DEALS:
            self._deals.popitem(last=False)
        return known

    async def deal(self, deal: int) -> Deal:
        """Return the known part of a deal for another process to replay; deal: from 0.

        Raises StoreError.
        """
        done = await self._store.records.steps(self.row.id, *self.playback.plies(deal))
        return self.playback.deal(deal, list(_read(done)))

    async def persons(self, deal: int) -> tuple[bool, ...]:
        """Tell for each action of a deal whether a person chose the action. Raises StoreError."""
        steps = await self._store.records.steps(self.row.id, *self.playback.plies(deal))
        return tuple(step.by == "person" for step in steps)

    def scene(self, snapshot: Snapshot) -> PublicScene:
        """Return the public scene of the table at a step."""
        return scene_at(self.row, snapshot.match, self.ruleset)

    async def reach(self, step: int) -> None:
        """Extend the replay to this step, and to the end of the loaded page. Raises StoreError."""
        while not self.playback.whole and self.playback.last < step:
            async with self._lock:
                first = self.playback.ply
                done = await self._store.records.steps(
                    self.row.id, first, min(first + PAGE_STEPS, self.playback.length)
                )
                await asyncio.to_thread(lambda: self.playback.feed(_read(done)))  # noqa: B023  # finishes before the next iteration

    async def make(self) -> None:
        """Complete the replay; steps missing after a failed query get loaded on demand.

        For a long match, save the openings of the hands, to spare later viewers the full replay.
        """
        if self.playback.whole:
            return
        try:
            await self.reach(self.playback.length)
            if self.playback.length >= MIN_STORED_PLIES:
                await self._store.records.keep_openings(
                    self.row.id, await asyncio.to_thread(self.playback.known.written)
                )
        except RecordDeleted:
            return  # the next request reports the loss
        except StoreError as error:
            log.warning("The replay of table %s waits: %s", self.row.id, error)


class ReplayCache:
    """The latest replays. workers: replay long matches without saved openings."""

    def __init__(self, store: Callable[[], Store], workers: Workers) -> None:
        self._store, self._workers = store, workers
        self._replays: OrderedDict[TableId, MatchReplay] = OrderedDict()
        self._making: set[asyncio.Task[None]] = set()
        self._beginning = SingleFlight[MatchReplay | None]("start of the replay of table")

    async def of(self, table: TableId, guild: GuildId | None) -> MatchReplay | None:
        """Return a finished match of this server, or of a solo table.

        None for other and running matches. Raises StoreError.
        """
        replay = self._known(table, is_running=False) or await self._beginning.do(table, partial(self._begin, table))
        if replay is None or replay.row.guild not in (guild, NO_GUILD):
            return None
        self._replays.move_to_end(table)
        return replay

    async def so_far(self, row: TableRow, known: Openings) -> MatchReplay:
        """Return the finished hands of a running match. known: the openings of its hands."""
        row, replay = replace(row, steps=()), self._known(row.id, is_running=True)
        if replay is None or replay.playback.last != known.last:
            playback = await asyncio.to_thread(Playback, record_of(row), known.ply, known)
            replay = self._keep(MatchReplay(row, playback, self._store()))
        replay.row = row
        self._replays.move_to_end(row.id)
        return replay

    def has(self, table: TableId) -> bool:
        """Whether a finished match is cached."""
        return self._known(table, is_running=False) is not None

    def _known(self, table: TableId, *, is_running: bool) -> MatchReplay | None:
        """Return a cached match in its present state, never the state before its end."""
        replay = self._replays.get(table)
        return replay if replay and replay.is_running is is_running else None

    def _keep(self, replay: MatchReplay) -> MatchReplay:
        self._replays[replay.row.id] = replay
        while len(self._replays) > CACHE_SIZE:
            self._replays.popitem(last=False)
        return replay

    async def _begin(self, table: TableId) -> MatchReplay | None:
        found = await self._store().tables.head(table)
        if found is None or found[0].phase != "over":
            return None
        row, length = found
        text = await self._store().records.openings(table)
        if not text and length >= MIN_FOR_WORKER:
            text = await self._workers.call(write_openings, await transcript_of(self._store().records, row, length))
            if length >= MIN_STORED_PLIES:
                await self._store().records.keep_openings(table, text)
        kept = await asyncio.to_thread(Openings.read, text) if text else None
        playback = await asyncio.to_thread(Playback, record_of(row), length, kept)
        replay = self._keep(MatchReplay(row, playback, self._store()))
        making = start_task(replay.make(), name=f"replay of table {table}")
        self._making.add(making)
        making.add_done_callback(self._making.discard)
        await asyncio.wait({making}, timeout=PREPARATION_SECONDS)
        return replay

    def clear(self) -> None:
        """Drop every match from the cache."""
        self.stop()
        self._replays.clear()

    def stop(self) -> None:
        """Cancel the completion of all replays."""
        for making in self._making:
            making.cancel()


def _read(steps: Iterable[MatchStep]) -> Iterable[tuple[int, Action]]:
    return ((step.seat, read_action(step.action)) for step in steps)
