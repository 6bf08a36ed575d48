"""The paced queue for all requests to Discord, and the rate limits in the responses."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, replace
from math import inf
from types import SimpleNamespace
from typing import Any, TypeVar

import aiohttp
import discord
from discord.http import INTERNAL_API_VERSION

from bot.delivery.outbox.discord_limits import LimitResponse, Rate, RateLimiter, place_of
from bot.runtime.discord_requests import MAX_WAIT
from bot.runtime.metrics import CAUSE
from bot.runtime.tasks import start_task

log = logging.getLogger(__name__)

# Patience: seconds after which a write precedes all later writes.
AT_ONCE = 0.0
SOON = 2.0
USUAL = 20.0
LATER = 60.0
SOME_DAY = 600.0

MAX_AHEAD = 3  # consecutive urgent writes that may precede an overdue write
ALL_PLACES = ""

T = TypeVar("T")


@dataclass(slots=True)
class WriteTrace:
    """The turn of a write. requests: the number of its traced requests to Discord so far."""

    requests: int = 0


CURRENT_WRITE: ContextVar[WriteTrace | None] = ContextVar(
    "turn", default=None
)  # the turn of the write that the current task performs


@dataclass(frozen=True, slots=True)
class Write:
    """A request to be sent.

    key: a new write replaces a waiting write with the same key. place: the place of its rate limit, see Limits. work:
    sends the request. urgent: a user waits with nothing on the screen. old: edits a message older than an hour. rate:
    the place's own rate instead of a channel's. refused: called with the pause in seconds, instead of the work, if the
    place is blocked for longer than MAX_WAIT.
    """

    key: Hashable
    place: str
    work: Callable[[], Awaitable[object]]
    _: KW_ONLY
    patience: float = USUAL
    urgent: bool = False
    old: bool = False
    rate: Rate | None = None
    refused: Callable[[float], None] | None = None


@dataclass(frozen=True, slots=True)
class QueuedWrite:
    """A waiting write.

    due: the end of its patience; among equally urgent writes the earliest due goes first. since: the start of the wait
    of the first write with this key.
    """

    write: Write
    due: float
    since: float


class WriteQueue:
    """Sends waiting writes as the limits permit. now: the limits' clock in seconds."""

    def __init__(self, limits: RateLimiter, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._waiting: dict[Hashable, QueuedWrite] = {}
        self._running: dict[Hashable, asyncio.Task[None]] = {}
        self._ahead = Counter[str]()  # consecutive urgent writes that preceded an overdue write, by place
        self._awaited: set[asyncio.Future[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._scheduled: asyncio.Handle | None = None
        self._stopped = False

    @property
    def waits(self) -> int:
        """The number of waiting writes."""
        return len(self._waiting)

    def waits_at(self, place: str) -> bool:
        """Tell whether a write to a place is waiting."""
        return any(waiting.write.place == place for waiting in self._waiting.values())

    @property
    def oldest(self) -> float:
        """The longest wait of a waiting write in seconds."""
        first = min((waiting.since for waiting in self._waiting.values()), default=None)
        return 0.0 if first is None else self._now() - first

    def put(self, write: Write) -> None:
        """Queue a write; ignored after a stop."""
        now = self._now()
        self._add(QueuedWrite(write, now + write.patience, now))

    def queue_after_pause(self, place: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
        """Queue work after a pause that Discord requires, in seconds.

        The work is tried again for as long as Discord requires another pause.
        """
        now = self._now()
        self._later(QueuedWrite(Write(object(), place, work, patience=SOON), now + SOON, now), seconds)

    async def do(
        self,
        place: str,
        work: Callable[[], Awaitable[T]],
        patience: float = SOON,
        *,
        urgent: bool = False,
        in_person: bool = False,
        rate: Rate | None = None,
    ) -> T:
        """Queue work and return its result. Raises the errors of the work.

        After a stop the caller is cancelled: a stop must not look like a refusal. urgent, rate: see ``Write``.
        in_person: raises discord.RateLimited instead of making a user wait longer than MAX_WAIT.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def refused(seconds: float) -> None:
            _failed(done, discord.RateLimited(seconds))

        async def report() -> None:
            try:
                result = await work()
            except Exception as error:  # noqa: BLE001  # raised below from the future
                _failed(done, error)
            else:
                if not done.done():
                    done.set_result(result)

        if self._stopped:
            raise asyncio.CancelledError
        limited = refused if in_person else None
        self.put(Write(done, place, report, patience=patience, urgent=urgent, rate=rate, refused=limited))
        self._awaited.add(done)
        try:
            return await done
        finally:
            self._awaited.discard(done)
            self._waiting.pop(done, None)

    def prioritize(self, key: Hashable) -> None:
        """Move the waiting write with this key forward: a player is looking at its message."""
        if waiting := self._waiting.get(key):
            self._waiting[key] = replace(waiting, due=min(waiting.due, self._now()))
            self._schedule_send()

    def stop(self) -> None:
        """Send nothing more, and cancel all callers waiting for a result."""
        self._stopped = True
        self._waiting.clear()
        if self._scheduled:
            self._scheduled.cancel()
            self._scheduled = None
        self._set(inf)
        for task in self._running.values():
            task.cancel()
        for future in self._awaited:
            future.cancel()

    async def ended(self) -> None:
        """Wait for the end of the writes cancelled by a stop."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    @property
    def busy(self) -> bool:
        """Whether a write is on its way."""
        return bool(self._running or self._scheduled)

    async def settled(self) -> None:
        """Wait until no write is on its way."""
        while self.busy:
            await asyncio.wait([*self._running.values(), start_task(asyncio.sleep(0))])

    def _add(self, waiting: QueuedWrite) -> None:
        """Add a waiting write, or replace the one with the same key and keep its age.

        After a stop, nothing is added.
        """
        if self._stopped:
            return
        key = waiting.write.key
        if before := self._waiting.get(key):
            due, since = min(waiting.due, before.due), min(waiting.since, before.since)
            waiting = replace(waiting, due=due, since=since)
        self._waiting[key] = waiting
        self._schedule_send()

    def _schedule_send(self) -> None:
        """Schedule one look at the queue, however many writes arrive meanwhile."""
        if self._waiting and not self._scheduled and not self._stopped:
            self._scheduled = asyncio.get_running_loop().call_soon(self._send_permitted)

    def _send_permitted(self) -> None:
        """Start all writes permitted now, and schedule the next look."""
        soon, self._scheduled = inf, None
        for waiting in self._in_order():
            now, write = self._now(), waiting.write
            at = self._limits.free_at(write.place, old=write.old, rate=write.rate)
            if write.refused and now + MAX_WAIT < at < inf:
                del self._waiting[write.key]
                write.refused(at - now)
                continue
            if self._limits.next > now:
                soon = min(soon, self._limits.next)
                break
            if at <= now and write.key not in self._running:
                self._start(waiting, now)
            elif at > now:
                soon = min(soon, at)
        self._set(soon)

    def _in_order(self) -> list[QueuedWrite]:
        """Return the waiting writes in the order of sending."""
        now, queued = self._now(), self._waiting.values()
        late = {waiting.write.place for waiting in queued if not waiting.write.urgent and waiting.due <= now}
        counted = {*late, ALL_PLACES} if late else set[str]()
        self._ahead = Counter({place: self._ahead[place] for place in counted})
        return sorted(queued, key=lambda waiting: (self._rank(waiting, now), waiting.due))

    def _rank(self, waiting: QueuedWrite, now: float) -> int:
        """Return a write's rank; a lower rank is sent earlier.

        Urgent writes have rank 2, others rank 3. After MAX_AHEAD consecutive urgent writes, at one place or globally,
        overdue other writes there have rank 1 until one of them is sent.
        """
        if waiting.write.urgent:
            return 2
        passed_over = max(self._ahead[waiting.write.place], self._ahead[ALL_PLACES])
        return 1 if waiting.due <= now and passed_over >= MAX_AHEAD else 3

    def _start(self, waiting: QueuedWrite, now: float) -> None:
        write = waiting.write
        del self._waiting[write.key]
        self._limits.sent(write.place, now, old=write.old)
        for place in (write.place, ALL_PLACES):
            self._ahead[place] = self._ahead[place] + 1 if write.urgent else 0
        self._running[write.key] = start_task(self._send(waiting), name=f"write to {write.place}")

    async def _send(self, waiting: QueuedWrite) -> None:
        write = waiting.write
        CURRENT_WRITE.set(turn := WriteTrace())  # set in this task only
        CAUSE.set(None)
        try:
            await write.work()
        except discord.RateLimited as error:
            self._later(waiting, error.retry_after)
        except Exception:
            log.exception("Something could not be written to Discord")
        finally:
            del self._running[write.key]
            if not turn.requests:
                self._limits.unsent(write.place, old=write.old)
            self._limits.done(write.place)
            self._schedule_send()

    def _later(self, waiting: QueuedWrite, seconds: float) -> None:
        """Put a write back after a number of seconds, with its full age."""
        asyncio.get_running_loop().call_later(seconds, self._requeue, waiting)

    def _requeue(self, waiting: QueuedWrite) -> None:
        """Put a write back; a newer write with the same key replaces it and keeps the age of both."""
        newer = self._waiting.get(waiting.write.key)
        self._add(replace(waiting, write=newer.write) if newer else waiting)

    def _set(self, at: float) -> None:
        """Schedule the next look at a time; infinity for none."""
        if self._timer:
            self._timer.cancel()
        self._timer = (
            None if at == inf else asyncio.get_running_loop().call_later(at - self._now(), self._send_permitted)
        )


def _failed(done: asyncio.Future[Any], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)


FREE = ("/webhooks/", "/interactions/")  # responses to interactions have separate limits


def trace_responses(limits: RateLimiter, now: Callable[[], float]) -> aiohttp.TraceConfig:
    """Return the trace that passes each response to the limits."""

    async def started(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        path = params.url.path.partition(f"/api/v{INTERNAL_API_VERSION}")[2]
        if not path or path.startswith(FREE):
            return
        turn = CURRENT_WRITE.get()
        if turn is None or turn.requests:
            limits.count_outside_request(now())  # the queue has counted the first request of a write
        if turn is not None:
            turn.requests += 1

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        path = params.url.path.partition(f"/api/v{INTERNAL_API_VERSION}")[2]
        if path and not path.startswith(FREE):
            limits.record_response(answer(path, params.response.status, params.response.headers), now())

    limits.traced = True
    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(started)
    trace.on_request_end.append(ended)
    return trace


def answer(path: str, status: int, headers: Mapping[str, str]) -> LimitResponse:
    """Return the rate limits in a response. path: after the API version."""
    return LimitResponse(
        place_of(path),
        status,
        bucket=headers.get("X-RateLimit-Bucket"),
        limit=int(headers.get("X-RateLimit-Limit", 1)),
        remaining=int(headers.get("X-RateLimit-Remaining", 1)),
        reset_after=float(headers.get("X-RateLimit-Reset-After", 0)),
        retry_after=float(headers.get("Retry-After", 0)),
        everywhere=headers.get("X-RateLimit-Scope") == "global" or "X-RateLimit-Global" in headers,
    )
