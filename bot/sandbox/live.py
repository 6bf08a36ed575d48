"""SimCord made live: the simulated Discord runs on real time and keeps no diary.

Knows how SimCord keeps time and which log it writes. It was made for tests: its clock stands still until a test moves
it, an action waits for every timer due within five seconds, and every request is kept for ever. A person plays live,
so here the clock goes as the machine's does, timers fire exactly as asyncio would fire them, and the log is short. Who
does not want to wait for tomorrow moves the clock on.
Refuses to know: the bot, the page, and who sits in the sandbox's server.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

from discord.ext.commands import AutoShardedBot
from discord.utils import time_snowflake
from simcord import Env, HttpLogEntry
from simcord._clock import Clock
from simcord._runtime import _CallbackRecord
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models.message import EPHEMERAL_FLAG

TRANSCRIPT_LINES = 500
LOCALE = "en-US"
ATTACHED = re.compile(rf"{CDN_BASE}/attachments/[^'\"\s]+")
START_PATIENCE = LEAP_PATIENCE = 120.0  # seconds
GLANCE = 0.002  # seconds for which the bot has to be at rest before time moves on
STRIDE = 150.0  # seconds by which it does so at least: a bot that misses three beats takes that for an outage

TOKEN_LIFE = timedelta(minutes=15)
"""How long the bot can edit an ephemeral message after the last interaction on it (Discord's rule)."""


class WallClock(Clock):
    """SimCord's clock on real time. ahead: seconds by which it has been moved on; it is never moved back."""

    def __init__(self) -> None:
        self.ahead = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds on the event loop's own scale, so that a timer means the same instant in both, and those ahead."""
        return monotonic() + self.ahead

    @elapsed.setter
    def elapsed(self, seconds: float) -> None:
        """Real time cannot be set; what SimCord writes here is let go."""

    def now(self) -> datetime:
        """Tell the sandbox's time, which is the bot's as well: aware, in UTC."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    def leap(self, instant: float) -> None:
        """Be at an instant of its scale; one that is over is no reason to go back."""
        self.ahead += max(instant - self.elapsed, 0.0)


class RequestLog(list[HttpLogEntry]):
    """Where SimCord writes down each request of the bot; keeps none but the picture of each new emoji.

    `changed` is True from a request that may have changed what somebody sees until it is set False.
    """

    def __init__(self) -> None:
        super().__init__()
        self.changed = True
        self.pictures: dict[str, str] = {}

    def append(self, entry: HttpLogEntry, /) -> None:
        """Note what the request means for the page, and let it go."""
        self.changed = self.changed or entry.method != "GET"
        if entry.method == "POST" and entry.path.endswith("/emojis") and isinstance(entry.json, dict):
            self.pictures[entry.json["name"]] = entry.json["image"]


def carry_locales(env: Env, locale_of: Callable[[int], str]) -> None:
    """Let what people do carry their locale. locale_of: gives it for the number of a user."""
    emit = env.backend.emit

    def with_locale(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["locale"] = locale_of(int(payload.get("member", payload)["user"]["id"]))
        emit(event, payload)

    env.backend.emit = with_locale  # type: ignore[method-assign]


class LiveEnv(Env):
    """A SimCord environment on real time. Build the world first, then `go_live`, then `start`.

    time: its clock, which the bot goes by as well. locales: what people read, by their numbers, as Discord writes it;
    English where nothing is said.
    """

    requests: RequestLog

    def __init__(self, bot: AutoShardedBot, time: WallClock, **options: Any) -> None:
        super().__init__(bot, shard_count=1, **options)
        self.time = time
        self.locales: dict[int, str] = {}

    def go_live(self) -> None:
        """From here on time is real. The ids given so far come from SimCord's fixed first instant and never differ."""
        self.backend.clock = self.time
        self.requests = self.backend.http_requests = RequestLog()
        self.backend.transcript = deque(maxlen=TRANSCRIPT_LINES)  # type: ignore[assignment]
        carry_locales(self, lambda user: self.locales.get(user, LOCALE))

    async def move_on(self, span: timedelta) -> None:
        """Let so much time pass at once: what is due meanwhile is done in its order, hardly later than it was due.

        As long as the bot can edit what is private it is done in time: panels fall asleep just before that is over.
        """
        begun = self.time.elapsed
        end, dead = begun + span.total_seconds(), begun + TOKEN_LIFE.total_seconds()
        while (due := min(map(_when, self._timers()), default=end)) < end:
            stride = STRIDE if self.time.elapsed > dead else 0.0
            await self._leap(max(due, min(self.time.elapsed + stride, end)))
        await self._leap(end)
        for timer in self._timers():  # each knows an instant at which it would be too late by now
            self._arm(timer)

    async def _leap(self, instant: float) -> None:
        """Be at an instant, and wait until the bot has done what was due by then."""
        self.time.leap(instant)
        await self._settle_internal(timeout=LEAP_PATIENCE, idle=GLANCE)

    def _timers(self) -> list[_CallbackRecord]:
        """Return the timers of the bot that have not fired yet."""
        return [it for it in self._work.callbacks if it.when is not None and it.handle and not it.handle.cancelled()]

    def forget(self) -> None:
        """Let go of what nobody sees or can use any more: a sandbox that runs for days stays as small as it was."""
        since = self.time.now() - TOKEN_LIFE
        self._forget_private(since)
        self._forget_interactions(time_snowflake(since))
        self._forget_files()

    def _forget_private(self, since: datetime) -> None:
        """Forget ephemeral messages that nobody has touched for so long that no token for them lives.

        Discord's own client forgets them at a reload; kept, every private hand of an evening would stay on the page.
        """
        for messages in self.backend.messages.values():
            for message in [one for one in messages.values() if one.flags & EPHEMERAL_FLAG]:
                if datetime.fromisoformat(message.edited_timestamp or message.timestamp) < since:
                    del messages[message.id]

    def _forget_interactions(self, first: int) -> None:
        """Forget interactions older than this number, and which numbers were given at those instants."""
        known = self.backend
        known.interactions = {number: kept for number, kept in known.interactions.items() if number >= first}
        known.interaction_tokens = {token: of for token, of in known.interaction_tokens.items() if of >= first}
        known._reserved_ids = {number for number in known._reserved_ids if number >= first}
        known._sequences = {ms: used for ms, used in known._sequences.items() if ms >= first >> 22}

    def _forget_files(self) -> None:
        """Forget files that no message shows, such as the pictures a board had before."""
        shown = set(ATTACHED.findall(repr(self.backend.messages)))
        blobs = self.backend.cdn._blobs
        for url in [url for url in blobs if ATTACHED.fullmatch(url) and url not in shown]:
            del blobs[url]

    async def _settle_internal(self, *, timeout: float | None = None, **how: Any) -> None:  # noqa: ASYNC109
        """Be patient at the start: every card is drawn then, which takes a slow machine longer than SimCord waits."""
        await super()._settle_internal(timeout=None if timeout is None else max(timeout, START_PATIENCE), **how)

    def _schedule_timer(self, record: _CallbackRecord, *_what_the_record_holds: Any) -> None:
        """Let a timer of the bot fire at its real instant, and let no action wait for it.

        SimCord would move its clock there and hold every action that falls within five seconds before.
        """
        self._arm(record)

    def _arm(self, record: _CallbackRecord) -> None:
        """Let a timer fire when its instant comes, as the clock stands now; once, however often it is armed."""

        def fire() -> None:
            if record in self._work.callbacks and record.handle is not None and not record.handle.cancelled():
                record.handle._run()

        assert self._runtime is not None
        self._runtime.call_at(_when(record) - self.time.ahead, fire, context=Context())


def _when(timer: _CallbackRecord) -> float:
    """Return the instant at which a timer fires, on the clock's scale."""
    assert timer.when is not None
    return timer.when
