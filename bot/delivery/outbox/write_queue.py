"""The one paced queue for everything the bot writes to Discord of its own accord.

Every write that is no answer to an interaction stands in it until its turn has come. One with the same key takes the
place of the one that waits, and what is written is drawn only when it is sent, so that the newest state wins. Urgent
writes, for which a person waits with nothing on the screen, go before all others, but not always: see ``Queue._rank``.
Knows whose turn it is; what Discord lets pass is for Limits to know, and what is written for whoever writes it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypeVar

import discord

from bot.delivery.outbox.discord_limits import Limits, Rate
from bot.runtime.discord_failures import MAX_WAIT
from bot.runtime.log_context import CAUSE
from bot.runtime.tasks import start_task

log = logging.getLogger(__name__)

# Patience: the seconds after which a write goes before everything that comes later, whatever that is.
AT_ONCE = 0.0
SOON = 2.0
USUAL = 20.0
LATER = 60.0
SOME_DAY = 600.0

MAX_AHEAD = 3  # urgent writes in a row that go before another write whose patience is over
ALL_PLACES = ""

T = TypeVar("T")


@dataclass(slots=True)
class Turn:
    """The turn of a write. requests: how many it has sent to Discord so far, as far as they are heard of."""

    requests: int = 0


TURN: ContextVar[Turn | None] = ContextVar("turn", default=None)  # of the write that sends what is sent here


@dataclass(frozen=True, slots=True)
class Write:
    """One request to come.

    key: of two that wait with the same the newer one is sent. place: where Discord counts it, see Limits. work: sends
    it. urgent: a person waits for it with nothing on the screen. old: it edits a message older than an hour. rate: of
    this place, where it is another than that of channels. refused: called with the seconds, in place of the work, where
    its place is free only after MAX_WAIT.
    """

    key: Hashable
    place: str
    work: Callable[[], Awaitable[object]]
    patience: float = USUAL
    urgent: bool = False
    old: bool = False
    rate: Rate | None = None
    refused: Callable[[float], None] | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A write that waits.

    due: when its patience ends; of two that are equally urgent the one that is due first is sent first. since: when the
    first write with this key began to wait.
    """

    write: Write
    due: float
    since: float


class Queue:
    """Sends what waits when it may be sent. now: seconds of the clock that the limits are told of."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._waiting: dict[Hashable, Waiting] = {}
        self._running: dict[Hashable, asyncio.Task[None]] = {}
        self._ahead = Counter[str]()  # urgent writes that went before one that is overdue, in a row, by their place
        self._awaited: set[asyncio.Future[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Handle | None = None
        self._stopped = False

    @property
    def waits(self) -> int:
        """How much waits."""
        return len(self._waiting)

    def waits_at(self, place: str) -> bool:
        """Tell whether anything waits to be sent to a place."""
        return any(waiting.write.place == place for waiting in self._waiting.values())

    @property
    def oldest(self) -> float:
        """For how many seconds the longest of it has waited."""
        first = min((waiting.since for waiting in self._waiting.values()), default=None)
        return 0.0 if first is None else self._now() - first

    def put(self, write: Write) -> None:
        """Send this when its turn has come; nothing after a stop."""
        now = self._now()
        self._add(Waiting(write, now + write.patience, now))

    def again(self, place: str, work: Callable[[], Awaitable[object]], seconds: float) -> None:
        """Send this in so many seconds, because Discord has said so, and as often as it does."""
        now = self._now()
        self._later(Waiting(Write(object(), place, work, SOON), now + SOON, now), seconds)

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
        """Send this when its turn has come, and return what comes of it. Raises what the work raises.

        After a stop the caller is cancelled: what follows from a refusal must not follow from a stop.
        urgent, rate: see ``Write``. in_person: discord.RateLimited is raised rather than let a person wait longer than
        MAX_WAIT.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def refused(seconds: float) -> None:
            _failed(done, discord.RateLimited(seconds))

        async def told() -> None:
            try:
                result = await work()
            except Exception as error:  # noqa: BLE001  # it is raised below
                _failed(done, error)
            else:
                if not done.done():
                    done.set_result(result)

        if self._stopped:
            raise asyncio.CancelledError
        limited = refused if in_person else None
        self.put(Write(done, place, told, patience, urgent=urgent, rate=rate, refused=limited))
        self._awaited.add(done)
        try:
            return await done
        finally:
            self._awaited.discard(done)
            self._waiting.pop(done, None)

    def hurry(self, key: Hashable) -> None:
        """Let what waits under this key be the next, because somebody is looking."""
        if waiting := self._waiting.get(key):
            self._waiting[key] = replace(waiting, due=min(waiting.due, self._now()))
            self._look()

    def stop(self) -> None:
        """Send nothing any more, and cancel all callers that wait for an answer."""
        self._stopped = True
        self._waiting.clear()
        if self._looking:
            self._looking.cancel()
            self._looking = None
        self._set(inf)
        for task in self._running.values():
            task.cancel()
        for future in self._awaited:
            future.cancel()

    async def ended(self) -> None:
        """Wait until what was on its way when the queue was stopped has ended."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    @property
    def busy(self) -> bool:
        """Whether anything is on its way."""
        return bool(self._running or self._looking)

    async def settled(self) -> None:
        """Wait until nothing is on its way."""
        while self.busy:
            await asyncio.wait([*self._running.values(), start_task(asyncio.sleep(0))])

    def _add(self, waiting: Waiting) -> None:
        """Let a write wait, in place of the one with its key, whose age it takes over; nothing after a stop."""
        if self._stopped:
            return
        key = waiting.write.key
        if before := self._waiting.get(key):
            due, since = min(waiting.due, before.due), min(waiting.since, before.since)
            waiting = replace(waiting, due=due, since=since)
        self._waiting[key] = waiting
        self._look()

    def _look(self) -> None:
        """See soon what may be sent: once, however much has just come."""
        if self._waiting and not self._looking and not self._stopped:
            self._looking = asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        """Start all that may be sent now, and come back when there is more."""
        soon, self._looking = inf, None
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

    def _in_order(self) -> list[Waiting]:
        """Return the writes that wait, the next one to be sent first."""
        now, queued = self._now(), self._waiting.values()
        late = {waiting.write.place for waiting in queued if not waiting.write.urgent and waiting.due <= now}
        counted = {*late, ALL_PLACES} if late else set[str]()
        self._ahead = Counter({place: self._ahead[place] for place in counted})
        return sorted(queued, key=lambda waiting: (self._rank(waiting, now), waiting.due))

    def _rank(self, waiting: Waiting, now: float) -> int:
        """Return which of three lines a write stands in; those of the first are sent first.

        Urgent writes are in the second and all others in the third. After MAX_AHEAD urgent writes in a row, at one
        place or in all, the others there whose patience is over are in the first, until one of them is sent.
        """
        if waiting.write.urgent:
            return 2
        passed_over = max(self._ahead[waiting.write.place], self._ahead[ALL_PLACES])
        return 1 if waiting.due <= now and passed_over >= MAX_AHEAD else 3

    def _start(self, waiting: Waiting, now: float) -> None:
        write = waiting.write
        del self._waiting[write.key]
        self._limits.sent(write.place, now, old=write.old)
        for place in (write.place, ALL_PLACES):
            self._ahead[place] = self._ahead[place] + 1 if write.urgent else 0
        self._running[write.key] = start_task(self._send(waiting), name=f"write to {write.place}")

    async def _send(self, waiting: Waiting) -> None:
        write = waiting.write
        TURN.set(turn := Turn())  # for this task alone
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
            self._look()

    def _later(self, waiting: Waiting, seconds: float) -> None:
        """Let a write wait again in so many seconds, as old as it is by then."""
        asyncio.get_running_loop().call_later(seconds, self._put_back, waiting)

    def _put_back(self, waiting: Waiting) -> None:
        """Let a write wait again; or the one with its key that has come meanwhile, with the age of both."""
        newer = self._waiting.get(waiting.write.key)
        self._add(replace(waiting, write=newer.write) if newer else waiting)

    def _set(self, at: float) -> None:
        """Come back at this time, and not before; infinity is never."""
        if self._timer:
            self._timer.cancel()
        self._timer = None if at == inf else asyncio.get_running_loop().call_later(at - self._now(), self._go_on)


def _failed(done: asyncio.Future[Any], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
