"""Discord's limits on how often it is asked: buckets of channels, edits of old messages, all requests, invalid ones.

Knows Discord's headers and refusals; commonly observed numbers fill gaps. Answers to interactions are not bound to
them. What counts is when a request was sent: this Discord runs on the machine of those who ask, and hears of many at
once where it was late. Refuses to know what a request does.
"""

import re
import time
from bisect import bisect, insort
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.standin.models import EPOCH

_CHANNEL = re.compile(r"/channels/(\d+)(/.*)?")
_MESSAGE = re.compile(r"/channels/\d+/messages/(\d+)")
_FREE = ("/interactions/", "/webhooks/")
OLD = 3600.0  # seconds after which Discord slows edits of a message
TOO_OLD = 30046
SENT = "X-Sent"  # a header of the stand-in's own: when a request is sent, on the machine's monotonic clock
KEPT = 60.0  # seconds for which times are kept: longer than any request is on its way
MOST_INVALID, INVALID_WITHIN = 10_000, 600.0
INVALID = {401, 403, 429}


@dataclass(repr=False)
class Window:
    """So many requests from the first one on, until it is over."""

    most: int
    seconds: float
    used: int = 0
    until: float = 0.0

    def take(self, now: float) -> bool:
        """Count a request; return False if the limit is reached."""
        if now >= self.until:
            self.used, self.until = 0, now + self.seconds
        self.used += 1
        return self.used <= self.most

    def headers(self, name: str, now: float) -> dict[str, str]:
        """What Discord says of it."""
        after = max(self.until - now, 0.0)
        found = {"X-RateLimit-Bucket": name, "X-RateLimit-Limit": str(self.most)}
        found |= {
            "X-RateLimit-Remaining": str(max(self.most - self.used, 0)),
            "X-RateLimit-Reset-After": f"{after:.3f}",
        }
        return {**found, "X-RateLimit-Reset": f"{time.time() + after:.3f}"}


@dataclass(frozen=True)
class Refusal:
    """A 429. ``scope`` is user, shared or global."""

    retry_after: float
    scope: str = "user"
    code: int = 0

    def body(self) -> dict[str, Any]:
        """Its JSON."""
        found = {"message": "You are being rate limited.", "retry_after": self.retry_after}
        return {**found, "global": self.scope == "global", "code": self.code}

    def headers(self) -> dict[str, str]:
        """Its headers; without Via discord.py takes it for a ban."""
        return {"Via": "1.1 google", "Retry-After": f"{self.retry_after:.3f}", "X-RateLimit-Scope": self.scope}


@dataclass(repr=False)
class Rates:
    """The limits in force. ``speed`` lets time go by so many times as fast; ``channel``, ``old`` are (most, seconds).

    ``refused`` counts what was refused, ``invalid`` when there was a 401, 403 or 429; ``clock`` tells seconds.
    """

    channel: tuple[int, float] = (5, 5.0)
    old: tuple[int, float] = (3, 6.0)
    total: int = 50
    speed: float = 1.0
    clock: Callable[[], float] = time.monotonic
    refused: int = 0
    invalid: deque[float] = field(default_factory=deque)
    _channels: dict[int, Window] = field(default_factory=dict)
    _olds: dict[int, Window] = field(default_factory=dict)
    _all: list[float] = field(default_factory=list)  # when the latest were sent, in this order

    def refusal(self, method: str, path: str, sent: float | None = None) -> Refusal | None:
        """Count a request; return the refusal, if any. sent: on the clock; None for now."""
        if path.startswith(_FREE):
            return None
        at = self.clock() if sent is None else sent
        found = self._banned() or self._everywhere(at) or self._in_channel(method, path, at)
        self.refused += found is not None
        return found

    def headers(self, path: str) -> dict[str, str]:
        """What Discord says about the limits in its answer to a request."""
        found = _CHANNEL.fullmatch(path)
        if not found:
            return {}
        window = self._channels.get(int(found[1]))  # none where nothing has been counted there yet
        return window.headers("abcd1234", self.clock()) if window else {}

    def answered(self, status: int) -> None:
        """Count an answer that says no."""
        if status in INVALID:
            self.invalid.append(self.clock())

    def _banned(self) -> Refusal | None:
        while self.invalid and self.invalid[0] < self.clock() - INVALID_WITHIN / self.speed:
            self.invalid.popleft()
        return Refusal(INVALID_WITHIN / self.speed, "global") if len(self.invalid) > MOST_INVALID else None

    def _everywhere(self, sent: float) -> Refusal | None:
        second = 1.0 / self.speed
        del self._all[: bisect(self._all, self.clock() - KEPT)]
        insort(self._all, sent)
        before = bisect(self._all, sent) - bisect(self._all, sent - second)
        return Refusal(second, "global") if before > self.total else None

    def _in_channel(self, method: str, path: str, sent: float) -> Refusal | None:
        found = _CHANNEL.fullmatch(path)
        if not found:
            return None
        number = int(found[1])
        window = self._channels.setdefault(number, self._window(self.channel))
        if not window.take(sent):
            return Refusal(window.until - sent)
        message = _MESSAGE.fullmatch(path)
        if method == "PATCH" and message and _age(int(message[1])) > OLD:
            old = self._olds.setdefault(number, self._window(self.old))
            return None if old.take(sent) else Refusal(old.until - sent, "shared", TOO_OLD)
        return None

    def _window(self, rate: tuple[int, float]) -> Window:
        return Window(rate[0], rate[1] / self.speed)


def _age(snowflake: int) -> float:
    """Seconds since the moment in an id."""
    return time.time() - ((snowflake >> 22) + EPOCH) / 1000
