"""Discord's rate limits: channel buckets, edits of old messages, the global limit, invalid requests.

Undocumented numbers are commonly observed values. Answers to interactions are exempt. Requests are counted by the time
of sending, because this stand-in shares the bot's machine and may read a backlog all at once.
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
_UNLIMITED = ("/interactions/", "/webhooks/")
OLD_MESSAGE_AGE = 3600.0  # seconds, from which edits have their own limit
TOO_OLD = 30046
SENT_HEADER = "X-Sent"  # the stand-in's own header: the time of sending, by the monotonic clock
MAX_TRANSIT = 60.0  # seconds between sending and reading a request, at most
MAX_INVALID, INVALID_WINDOW = 10_000, 600.0
INVALID_STATUSES = {401, 403, 429}


@dataclass(repr=False)
class Window:
    """A fixed window: ``most`` requests in ``seconds`` from the first request on."""

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
        """Return Discord's headers about the window."""
        after = max(self.until - now, 0.0)
        found = {"X-RateLimit-Bucket": name, "X-RateLimit-Limit": str(self.most)}
        found |= {
            "X-RateLimit-Remaining": str(max(self.most - self.used, 0)),
            "X-RateLimit-Reset-After": f"{after:.3f}",
        }
        return {**found, "X-RateLimit-Reset": f"{time.time() + after:.3f}"}


@dataclass(frozen=True)
class Refusal:
    """An answer with status 429. ``scope`` is user, shared or global."""

    retry_after: float
    scope: str = "user"
    code: int = 0

    def body(self) -> dict[str, Any]:
        """Return the JSON."""
        found = {"message": "You are being rate limited.", "retry_after": self.retry_after}
        return {**found, "global": self.scope == "global", "code": self.code}

    def headers(self) -> dict[str, str]:
        """Return the headers; without Via discord.py takes the answer for a ban."""
        return {"Via": "1.1 google", "Retry-After": f"{self.retry_after:.3f}", "X-RateLimit-Scope": self.scope}


@dataclass(repr=False)
class Rates:
    """The rate limits in force. ``channel``, ``old``: (most, seconds). ``speed``: by which windows are shorter.

    ``refused`` counts refusals; ``invalid`` holds the times of answers with 401, 403 or 429; ``clock`` is in seconds.
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
    _all: list[float] = field(default_factory=list)  # times of sending, sorted

    def refusal(self, method: str, path: str, sent: float | None = None) -> Refusal | None:
        """Count a request; return the refusal, if any. sent: time of sending; None for now."""
        if path.startswith(_UNLIMITED):
            return None
        at = self.clock() if sent is None else sent
        found = self._ban() or self._global_refusal(at) or self._channel_refusal(method, path, at)
        self.refused += found is not None
        return found

    def headers(self, path: str) -> dict[str, str]:
        """Return the rate limit headers of the answer to a request."""
        found = _CHANNEL.fullmatch(path)
        if not found:
            return {}
        window = self._channels.get(int(found[1]))  # None before the first request
        return window.headers("abcd1234", self.clock()) if window else {}

    def count_status(self, status: int) -> None:
        """Count an answer with this status, if invalid."""
        if status in INVALID_STATUSES:
            self.invalid.append(self.clock())

    def _ban(self) -> Refusal | None:
        while self.invalid and self.invalid[0] < self.clock() - INVALID_WINDOW / self.speed:
            self.invalid.popleft()
        return Refusal(INVALID_WINDOW / self.speed, "global") if len(self.invalid) > MAX_INVALID else None

    def _global_refusal(self, sent: float) -> Refusal | None:
        second = 1.0 / self.speed
        del self._all[: bisect(self._all, self.clock() - MAX_TRANSIT)]
        insort(self._all, sent)
        before = bisect(self._all, sent) - bisect(self._all, sent - second)
        return Refusal(second, "global") if before > self.total else None

    def _channel_refusal(self, method: str, path: str, sent: float) -> Refusal | None:
        found = _CHANNEL.fullmatch(path)
        if not found:
            return None
        number = int(found[1])
        window = self._channels.setdefault(number, self._window(self.channel))
        if not window.take(sent):
            return Refusal(window.until - sent)
        message = _MESSAGE.fullmatch(path)
        if method == "PATCH" and message and _age(int(message[1])) > OLD_MESSAGE_AGE:
            old = self._olds.setdefault(number, self._window(self.old))
            return None if old.take(sent) else Refusal(old.until - sent, "shared", TOO_OLD)
        return None

    def _window(self, rate: tuple[int, float]) -> Window:
        return Window(rate[0], rate[1] / self.speed)


def _age(snowflake: int) -> float:
    """Return the seconds since the time in a snowflake."""
    return time.time() - ((snowflake >> 22) + EPOCH) / 1000
