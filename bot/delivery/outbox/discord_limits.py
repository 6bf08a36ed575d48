"""Rate limits of Discord: the earliest time for each request, globally and per place.

Pure: computes with rates, the times of requests and Discord's headers; times are seconds of one monotonic clock. The
content of requests is unknown here. Discord.py sleeps inside the very call that empties a bucket, and a parallel
request meets a 429; so one request always remains in each bucket, and each place has at most one request on its way.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import KW_ONLY, dataclass, field
from http import HTTPStatus
from math import inf
from random import Random

WORST_WAIT = 60.0  # the longest pause in seconds after consecutive failures
MAX_PLACES = 1000  # places in memory before quiet places are dropped
QUIET_AFTER = 120.0  # seconds without a request after which a place is quiet
INVALID = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
THREADS = re.compile(r"(/channels/\d+)(?:/messages/\d+)?/threads")
PLACE = re.compile(r"(?P<channel>/channels/\d+)(?:/.*)?|(?P<other>(?:/[^/]+)*?)(?:/\d+)?")


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds."""

    most: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Rates:
    """The highest rates of requests, slightly below Discord's limits.

    total: requests per second, globally. place: in one channel, which has its own buckets. gap: seconds between two
    requests in a channel. old: edits of messages older than an hour, per channel. invalid: responses with a refusal;
    Discord blocks an address after 10,000 of them in ten minutes. margin: seconds by which the network may shorten the
    gap between two requests.
    """

    total: float = 30.0
    _: KW_ONLY
    place: Rate = Rate(4, 5.0)
    old: Rate = Rate(2, 6.0)
    invalid: Rate = Rate(3000, 600.0)
    gap: float = 0.4
    margin: float = 0.2

    def hurried(self, factor: float) -> Rates:
        """Return the same rates for a clock faster by a factor."""
        place, old, invalid = (Rate(rate.most, rate.seconds / factor) for rate in (self.place, self.old, self.invalid))
        return Rates(
            total=self.total * factor,
            place=place,
            old=old,
            invalid=invalid,
            gap=self.gap / factor,
            margin=self.margin / factor,
        )


@dataclass(frozen=True, slots=True)
class LimitResponse:
    """The rate limits in a response of Discord.

    place: see place_of. bucket, limit, remaining, reset_after: from the headers; bucket is None if the headers name
    none. retry_after: seconds, of a 429. everywhere: the 429 is about the global limit.
    """

    place: str
    status: int
    _: KW_ONLY
    bucket: str | None = None
    limit: int = 1
    remaining: int = 1
    reset_after: float = 0.0
    retry_after: float = 0.0
    everywhere: bool = False


@dataclass(slots=True)
class Bucket:
    """The remaining requests of a bucket until a time."""

    limit: int
    remaining: int
    until: float

    def free_at(self) -> float:
        """Return the earliest time of a request that leaves another.

        For a bucket of one, this is the time of the bucket's reset.
        """
        return self.until if self.remaining < min(self.limit, 2) else -inf


@dataclass(slots=True, kw_only=True)
class LimitedResource:
    """A channel, or another resource with its own buckets. busy: a request is on its way."""

    sent: deque[float] = field(default_factory=deque)
    old: deque[float] = field(default_factory=deque)
    buckets: dict[str, Bucket] = field(default_factory=dict)
    held: float = -inf
    failures: int = 0
    busy: bool = False


class RateLimiter:
    """The earliest times of requests.

    rates: None for a simulated Discord without limits. random: for the jitter of pauses after a refusal. began: the
    current time.
    """

    def __init__(self, rates: Rates | None, random: Random, began: float) -> None:
        self.rates = rates or Rates()
        self.sharers = 1  # processes that share the global limit
        self.traced = False  # whether each request is traced, see response_headers.py
        self._paced = rates is not None
        self._random = random
        self._began = began
        self._next = -inf
        self._held = -inf
        self._invalid = deque[float](maxlen=self.rates.invalid.most)
        self._places: dict[str, LimitedResource] = {}

    @property
    def next(self) -> float:
        """The earliest time of a request by the global limits."""
        return max(self._next, self._held)

    def free_at(self, place: str, *, old: bool = False, rate: Rate | None = None) -> float:
        """Return the earliest time of a request to a place; infinity while one is on its way.

        old: the request edits a message older than an hour. rate: the place's own rate instead of a channel's.
        """
        known = self._at(place)
        if known.busy or not self._paced:
            return inf if known.busy else -inf
        times = [self.next, known.held, self._full(known.sent, rate or self.rates.place)]
        times += [known.sent[-1] + self.rates.gap] if known.sent and rate is None else []
        times += [self._full(known.old, self.rates.old)] if old else []
        return max(times + [bucket.free_at() for bucket in known.buckets.values()])

    def sent(self, place: str, now: float, *, old: bool = False) -> None:
        """Record that a request is sent to a place now."""
        known = self._at(place)
        known.busy = True
        if not self._paced:
            return
        known.sent.append(now)
        if old:
            known.old.append(now)
        self.count_outside_request(now)

    def unsent(self, place: str, *, old: bool = False) -> None:
        """Take back the record of a write that sent no request.

        The message was already up to date.
        """
        if not (self._paced and self.traced):
            return
        known = self._at(place)
        known.sent.pop()
        if old:
            known.old.pop()
        self._next -= self.sharers / self.rates.total

    def count_outside_request(self, now: float) -> None:
        """Record a request outside of the queue: it counts towards the global limit."""
        if not self._paced:
            return
        self._next = max(now, self._next) + self.sharers / self.rates.total

    def done(self, place: str) -> None:
        """Record that no request is on its way to a place."""
        self._at(place).busy = False

    def record_response(self, answer: LimitResponse, now: float) -> None:
        """Record the rate limits in a response."""
        known, margin = self._at(answer.place), self.rates.margin
        if answer.bucket is not None:
            until = now + answer.reset_after + margin
            known.buckets[answer.bucket] = Bucket(answer.limit, answer.remaining, until)
        known.failures = known.failures + 1 if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR else 0
        if known.failures:
            known.held = now + self._jittered(min(2.0 ** (known.failures - 1), WORST_WAIT))
        if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            self._refused(known, answer, now)
        if answer.status in INVALID:
            self._invalid.append(now)
            if len(self._invalid) == self.rates.invalid.most:
                self._held = max(self._held, self._invalid[0] + self.rates.invalid.seconds)

    def _refused(self, place: LimitedResource, answer: LimitResponse, now: float) -> None:
        until = now + self._jittered(answer.retry_after) + self.rates.margin
        if answer.everywhere:
            self._held = max(self._held, until)
        else:
            place.held = max(place.held, until)

    def _jittered(self, seconds: float) -> float:
        """Return a pause lengthened by up to half, to spread retries over time."""
        return seconds * self._random.uniform(1.0, 1.5)

    def _full(self, sent: deque[float], rate: Rate) -> float:
        """Return the earliest time within a rate, and drop times that no longer matter."""
        while len(sent) > rate.most:
            sent.popleft()
        return sent[-rate.most] + rate.seconds + self.rates.margin if len(sent) >= rate.most else -inf

    def _at(self, place: str) -> LimitedResource:
        if place not in self._places:
            self._forget(now=self._next)
            # Edits just before a start are unknown, and no header reports them: assume the limit is almost used up.
            self._places[place] = LimitedResource(old=deque([self._began] * (self.rates.old.most - 1)))
        return self._places[place]

    def _forget(self, now: float) -> None:
        if len(self._places) < MAX_PLACES:
            return
        for path in [
            path for path, place in self._places.items() if not place.busy and _latest(place) < now - QUIET_AFTER
        ]:
            del self._places[path]


def _latest(place: LimitedResource) -> float:
    return max([place.held, *list(place.sent)[-1:]])


def place_of(path: str) -> str:
    """Return the place of a rate limit: the request's channel, or its path without the id.

    Creating threads has a separate limit in each channel, which lasts for minutes (219 to 280 s were observed,
    discord-api-docs #7816) and blocks no message in the channel.
    """
    if made := THREADS.fullmatch(path):
        return f"{made[1]}/threads"
    found = PLACE.fullmatch(path)
    return (found["channel"] or found["other"]) if found else path


def channel(number: int) -> str:
    """Return the place of a channel."""
    return f"/channels/{number}"


def threads(number: int) -> str:
    """Return the place for creating threads in a channel."""
    return f"/channels/{number}/threads"
