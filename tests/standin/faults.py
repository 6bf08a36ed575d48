"""Faults of network and Discord on demand, selected by request; and the log of all requests."""

import asyncio
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.standin.components import emojis
from tests.standin.errors import ApiError, invalid_emoji

MAX_BODIES = 10_000  # latest requests logged with their bodies: some hundred megabytes


@dataclass(eq=False, repr=False)
class LoggedRequest:
    """A request and its answer. ``path`` begins after the API version; ``generation`` tells which bot process sent it.

    ``at`` is ``time.monotonic()``; ``status`` 0 means a dropped connection; ``code`` is Discord's error code;
    ``forgotten`` means that both bodies have been dropped from the log.
    """

    method: str
    path: str
    json: Any
    at: float
    generation: int
    files: tuple[str, ...] = ()
    status: int | None = None
    code: int | None = None
    answer: Any = None
    forgotten: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path} -> {self.status} {self.code or ''}".rstrip()


class Log(list[LoggedRequest]):
    """All requests in order of arrival; only the latest MAX_BODIES include their bodies."""

    def append(self, entry: LoggedRequest, /) -> None:
        """Add a request."""
        super().append(entry)
        if len(self) > MAX_BODIES:
            old = self[-MAX_BODIES - 1]
            old.json, old.answer, old.forgotten = None, None, True

    def matching(self, method: str = "", path: str = "", *, generation: int | None = None) -> list[LoggedRequest]:
        """Return requests with this method whose whole path matches the regular expression; empty matches any."""
        wanted = re.compile(path or ".*")
        found = [entry for entry in self if method in {"", entry.method} and wanted.fullmatch(entry.path)]
        return [entry for entry in found if generation is None or entry.generation == generation]

    def triples(self) -> Iterator[tuple[str, str, Any]]:
        """Yield (method, path, body) of each request whose body is still logged."""
        return ((entry.method, entry.path, entry.json) for entry in self if not entry.forgotten)


@dataclass(eq=False, repr=False)
class Fault:
    """A fault for matching requests. ``times``: how often, None for ever; ``after``: after the request's effect.

    ``of``: only requests with "emoji" on components, or with "files". ``released``: answers wait for this event.
    """

    method: str
    path: re.Pattern[str]
    times: int | None
    error: ApiError | None = None
    retry_after: float | None = None
    scope: str = "user"
    is_global: bool = False
    via: bool = True
    drop: bool = False
    delay: float = 0.0
    after: bool = False
    generation: int | None = None
    of: str = ""
    released: asyncio.Event | None = None
    hits: list[float] = field(default_factory=list)

    def matches(self, entry: LoggedRequest) -> bool:
        """Whether the fault applies to this request."""
        if self.times is not None and len(self.hits) >= self.times:
            return False
        right = self.generation in {None, entry.generation} and self.method in {"", entry.method}
        return right and self.path.fullmatch(entry.path) is not None and self._concerns(entry)

    def _concerns(self, entry: LoggedRequest) -> bool:
        if self.of == "emoji":
            return any(emojis(entry.json))
        return bool(entry.files) if self.of == "files" else True

    def end(self) -> None:
        """Stop applying the fault."""
        self.times = 0

    async def wait(self) -> None:
        """Wait until the answer may be sent."""
        await asyncio.sleep(self.delay)
        if self.released is not None:
            await self.released.wait()

    def release(self) -> None:
        """Answer the held requests."""
        assert self.released is not None
        self.released.set()

    def headers(self) -> dict[str, str]:
        """Return the headers of the answer: without Via discord.py takes a 429 for a ban."""
        found = {"Via": "1.1 google"} if self.via else {}
        if self.retry_after is not None:
            found |= {
                "Retry-After": str(self.retry_after),
                "X-RateLimit-Scope": "global" if self.is_global else self.scope,
            }
        return found

    def body(self) -> dict[str, Any]:
        """Return the JSON of the answer."""
        if self.retry_after is not None:
            return {
                "message": "You are being rate limited.",
                "retry_after": self.retry_after,
                "global": self.is_global,
            }
        return self.error.body() if self.error else {}


class Faults(list[Fault]):
    """The faults in force. ``path`` is a regular expression for the whole path after the API version; empty is any."""

    def fail(self, method: str = "", path: str = "", *, status: int, code: int = 0, **more: Any) -> Fault:
        """Answer with an error. ``times`` (1; None for ever), ``after``, ``generation``, ``message``."""
        error = ApiError(code, status=status, message=more.pop("message", "Injected"))
        return self._add(method, path, error=error, **more)

    def limit(self, method: str = "", path: str = "", *, retry_after: float, **more: Any) -> Fault:
        """Answer 429. ``is_global``: of the global limit; ``via=False``: of a ban by Cloudflare; ``times``, ``scope``.

        For making threads Discord's limit has the scope ``shared``, and 219 to 280 seconds (discord-api-docs #7816).
        """
        return self._add(method, path, error=ApiError(0, status=429), retry_after=retry_after, **more)

    def refuse_emoji(self, method: str = "", path: str = "", **more: Any) -> Fault:
        """Refuse good emojis on components, as Discord did with 2 to 4 of 100 requests (discord-api-docs #7128)."""
        error = invalid_emoji([("data", "components", "0", "components", "0", "emoji", "id")])
        return self._add(method, path, error=error, of="emoji", **more)

    def refuse_files(self, method: str = "", path: str = "", **more: Any) -> Fault:
        """Refuse files as too large: 413, code 40005 of Discord's list of JSON error codes."""
        return self._add(method, path, error=ApiError(40005), of="files", **more)

    def drop(self, method: str = "", path: str = "", **more: Any) -> Fault:
        """Close the connection without an answer. ``after=True``: after the request has taken effect."""
        return self._add(method, path, drop=True, **more)

    def delay(self, method: str = "", path: str = "", *, seconds: float, **more: Any) -> Fault:
        """Answer late. ``after=True``: the effect is immediate, only the answer is late."""
        return self._add(method, path, delay=seconds, **more)

    def hold(self, method: str = "", path: str = "", **more: Any) -> Fault:
        """Answer only after ``release``. ``after=True``: the effect is immediate, only the answer is late."""
        return self._add(method, path, released=asyncio.Event(), **more)

    def first_match(self, entry: LoggedRequest) -> Fault | None:
        """Return the first fault that applies to this request, with its hit counted."""
        found = next((fault for fault in self if fault.matches(entry)), None)
        if found:
            found.hits.append(time.monotonic())
        return found

    def _add(self, method: str, path: str, *, times: int | None = 1, **more: Any) -> Fault:
        fault = Fault(method=method, path=re.compile(path or ".*"), times=times, **more)
        self.append(fault)
        return fault
