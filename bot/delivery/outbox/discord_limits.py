"""What may be sent to Discord when: at most so much in all and at one place, and never the last that a bucket has.

Pure: knows rates, what was sent when, and what Discord's headers said of it; times are seconds of one steady clock.
Refuses to know what is sent and how. Discord.py sleeps inside the very call that empties a bucket, and whoever goes on
beside it meets a 429; so one request is always left, and at one place one request is on its way at a time.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from http import HTTPStatus
from math import inf
from random import Random

WORST_WAIT = 60.0  # seconds after failures in a row
MANY = 1000  # places in memory, until those are forgotten at which nothing has been sent for a while
QUIET = 120.0  # seconds after which a place is as good as new
INVALID = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS)
THREADS = re.compile(r"(/channels/\d+)(?:/messages/\d+)?/threads")
PLACE = re.compile(r"(?P<channel>/channels/\d+)(?:/.*)?|(?P<other>(?:/[^/]+)*?)(?:/\d+)?")


@dataclass(frozen=True, slots=True)
class Rate:
    """At most so many in so many seconds."""

    most: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Rates:
    """What is sent at most, a little less than Discord lets pass.

    total: a second, in all. place: in one channel, which has buckets of its own. gap: seconds between two there. old:
    edits of messages older than an hour in one channel. invalid: answers that say no; Discord shuts out who has 10,000
    of them in ten minutes. margin: seconds by which the network may bring two requests closer together.
    """

    total: float = 30.0
    place: Rate = Rate(4, 5.0)
    old: Rate = Rate(2, 6.0)
    invalid: Rate = Rate(3000, 600.0)
    gap: float = 0.4
    margin: float = 0.2

    def hurried(self, factor: float) -> Rates:
        """Return the same for a world in which time goes by so many times as fast."""
        place, old, invalid = (Rate(rate.most, rate.seconds / factor) for rate in (self.place, self.old, self.invalid))
        return Rates(self.total * factor, place, old, invalid, self.gap / factor, self.margin / factor)


@dataclass(frozen=True, slots=True)
class Answer:
    """What Discord has said to a request.

    place: see place_of. bucket, limit, remaining, reset_after: of its headers, None where it names no bucket.
    retry_after: seconds, of a 429. everywhere: that 429 is of the limit for all requests.
    """

    place: str
    status: int
    bucket: str | None = None
    limit: int = 1
    remaining: int = 1
    reset_after: float = 0.0
    retry_after: float = 0.0
    everywhere: bool = False


@dataclass(slots=True)
class Bucket:
    """What is left until when."""

    limit: int
    remaining: int
    until: float

    def free_at(self) -> float:
        """Return from when on a request leaves another one over; of a bucket for one that is when it is full again."""
        return self.until if self.remaining < min(self.limit, 2) else -inf


@dataclass(slots=True)
class Place:
    """A channel, or another thing that has buckets of its own. busy: a request is on its way."""

    sent: deque[float] = field(default_factory=deque)
    old: deque[float] = field(default_factory=deque)
    buckets: dict[str, Bucket] = field(default_factory=dict)
    held: float = -inf
    failures: int = 0
    busy: bool = False


class Limits:
    """What may be sent when.

    rates: None for a simulated Discord, which has none. random: for how much longer one waits after a refusal. began:
    the present.
    """

    def __init__(self, rates: Rates | None, random: Random, began: float) -> None:
        self.rates = rates or Rates()
        self.sharers = 1  # processes that send what one may send in all
        self.traced = False  # whether each request is heard of, see hearing.py
        self._paced = rates is not None
        self._random = random
        self._began = began
        self._next = -inf
        self._held = -inf
        self._invalid = deque[float](maxlen=self.rates.invalid.most)
        self._places: dict[str, Place] = {}

    @property
    def next(self) -> float:
        """From when on anything may be sent at all."""
        return max(self._next, self._held)

    def free_at(self, place: str, *, old: bool = False, rate: Rate | None = None) -> float:
        """Return from when on a request may go there, infinity while one is on its way.

        old: it edits a message older than an hour. rate: of this place, where it is another than that of channels.
        """
        known = self._at(place)
        if known.busy or not self._paced:
            return inf if known.busy else -inf
        times = [self.next, known.held, self._full(known.sent, rate or self.rates.place)]
        times += [known.sent[-1] + self.rates.gap] if known.sent and rate is None else []
        times += [self._full(known.old, self.rates.old)] if old else []
        return max(times + [bucket.free_at() for bucket in known.buckets.values()])

    def sent(self, place: str, now: float, *, old: bool = False) -> None:
        """Note that a request goes there now."""
        known = self._at(place)
        known.busy = True
        if not self._paced:
            return
        known.sent.append(now)
        if old:
            known.old.append(now)
        self.beside(now)

    def unsent(self, place: str, *, old: bool = False) -> None:
        """Note that the request on its way there was none: nothing new had to be sent."""
        if not (self._paced and self.traced):
            return
        known = self._at(place)
        known.sent.pop()
        if old:
            known.old.pop()
        self._next -= self.sharers / self.rates.total

    def beside(self, now: float) -> None:
        """Note that a request is sent which nobody has asked this about: it counts among all."""
        if not self._paced:
            return
        self._next = max(now, self._next) + self.sharers / self.rates.total

    def done(self, place: str) -> None:
        """Note that nothing is on its way there any more."""
        self._at(place).busy = False

    def heard(self, answer: Answer, now: float) -> None:
        """Take to heart what Discord has said."""
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

    def _refused(self, place: Place, answer: Answer, now: float) -> None:
        until = now + self._jittered(answer.retry_after) + self.rates.margin
        if answer.everywhere:
            self._held = max(self._held, until)
        else:
            place.held = max(place.held, until)

    def _jittered(self, seconds: float) -> float:
        """Return at least so many seconds, and up to half as many more, so that not all come back at once."""
        return seconds * self._random.uniform(1.0, 1.5)

    def _full(self, sent: deque[float], rate: Rate) -> float:
        """Return when a further request keeps to a rate, and forget what no rate can ask for any more."""
        while len(sent) > rate.most:
            sent.popleft()
        return sent[-rate.most] + rate.seconds + self.rates.margin if len(sent) >= rate.most else -inf

    def _at(self, place: str) -> Place:
        if place not in self._places:
            self._forget(now=self._next)
            # Of edits just before a start nothing is known, and no header tells of them.
            self._places[place] = Place(old=deque([self._began] * (self.rates.old.most - 1)))
        return self._places[place]

    def _forget(self, now: float) -> None:
        if len(self._places) < MANY:
            return
        for path in [path for path, place in self._places.items() if not place.busy and _latest(place) < now - QUIET]:
            del self._places[path]


def _latest(place: Place) -> float:
    return max([place.held, *list(place.sent)[-1:]])


def place_of(path: str) -> str:
    """Return where Discord counts a request: its channel, or its path without the number at its end.

    Making threads has a limit of its own in each channel, which holds for minutes (219 to 280 s have been seen,
    discord-api-docs #7816) and stops no message there.
    """
    if made := THREADS.fullmatch(path):
        return f"{made[1]}/threads"
    found = PLACE.fullmatch(path)
    return (found["channel"] or found["other"]) if found else path


def channel(number: int) -> str:
    """Return the place that a channel is."""
    return f"/channels/{number}"


def threads(number: int) -> str:
    """Return the place where making the threads of a channel is counted."""
    return f"/channels/{number}/threads"
