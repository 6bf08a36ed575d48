"""SimCord in real time: the simulated Discord, its server and members."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from contextvars import Context
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, NamedTuple

import discord
from discord.ext.commands import AutoShardedBot
from discord.utils import time_snowflake
from simcord import ChannelHandle, Env, HttpLogEntry, MemberActor, UserHandle
from simcord._clock import Clock
from simcord._runtime import _CallbackRecord
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models.message import EPHEMERAL_FLAG

from bot.domain.languages import ENGLISH

TRANSCRIPT_LINES = 500
LOCALE = ENGLISH.locales[0]
ATTACHED = re.compile(rf"{CDN_BASE}/attachments/[^'\"\s]+")
START_PATIENCE = LEAP_PATIENCE = 120.0  # seconds
GLANCE = 0.002  # seconds without work of the bot before time moves on
STRIDE = 150.0  # the shortest step in seconds: below the three missed heartbeats that the bot takes for an outage

TOKEN_LIFE = timedelta(minutes=15)
"""How long the bot can edit an ephemeral message after its latest interaction (Discord's rule)."""


class WallClock(Clock):
    """SimCord's clock on real time.

    ahead: seconds that the clock was moved forward; never moved back.
    """

    def __init__(self) -> None:
        self.ahead = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds on the event loop's own scale, plus those ahead.

        So a timer means the same instant in both.
        """
        return monotonic() + self.ahead

    @elapsed.setter
    def elapsed(self, seconds: float) -> None:
        """Ignore SimCord's attempts to set the time."""

    def now(self) -> datetime:
        """Return the sandbox's time, shared with the bot: aware, in UTC."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    def leap(self, instant: float) -> None:
        """Move forward to an instant of this scale; a past instant changes nothing."""
        self.ahead += max(instant - self.elapsed, 0.0)


class RequestLog(list[HttpLogEntry]):
    """SimCord's list of the bot's requests; keeps only the picture of each new emoji.

    `changed` is set by each request that may have changed a viewer's screen, until reset by the reader.
    """

    def __init__(self) -> None:
        super().__init__()
        self.changed = True
        self.pictures: dict[str, str] = {}

    def append(self, entry: HttpLogEntry, /) -> None:
        """Record the effect of a request on the page, and drop the request."""
        self.changed = self.changed or entry.method != "GET"
        if entry.method == "POST" and entry.path.endswith("/emojis") and isinstance(entry.json, dict):
            self.pictures[entry.json["name"]] = entry.json["image"]


def carry_locales(env: Env, locale_of: Callable[[int], str]) -> None:
    """Add the users' locales to interactions. locale_of: returns a user's locale."""
    emit = env.backend.emit

    def with_locale(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["locale"] = locale_of(int(payload.get("member", payload)["user"]["id"]))
        emit(event, payload)

    env.backend.emit = with_locale  # type: ignore[method-assign]


class LiveEnv(Env):
    """A SimCord environment in real time.

    Build the world first, then call `go_live`, then `start`. time: the clock, shared with the bot. locales: the users'
    locales by id; English by default.
    """

    requests: RequestLog

    def __init__(self, bot: AutoShardedBot, time: WallClock, **options: Any) -> None:
        super().__init__(bot, shard_count=1, **options)
        self.time = time
        self.locales: dict[int, str] = {}

    def go_live(self) -> None:
        """Switch to real time.

        Ids given before come from SimCord's fixed first instant and never differ.
        """
        self.backend.clock = self.time
        self.requests = self.backend.http_requests = RequestLog()
        self.backend.transcript = deque(maxlen=TRANSCRIPT_LINES)  # type: ignore[assignment]
        carry_locales(self, lambda user: self.locales.get(user, LOCALE))

    async def move_on(self, span: timedelta) -> None:
        """Move the clock forward by a span, and run due work in order and hardly late.

        While the bot can still edit private messages, each timer runs on time: panels expire just before the end.
        """
        begun = self.time.elapsed
        end, dead = begun + span.total_seconds(), begun + TOKEN_LIFE.total_seconds()
        while (due := min(map(_when, self._timers()), default=end)) < end:
            stride = STRIDE if self.time.elapsed > dead else 0.0
            await self._leap(max(due, min(self.time.elapsed + stride, end)))
        await self._leap(end)
        for timer in self._timers():  # each was armed for an instant of the old clock
            self._arm(timer)

    async def _leap(self, instant: float) -> None:
        """Move the clock to an instant, and wait until the bot has done its due work."""
        self.time.leap(instant)
        await self._settle_internal(timeout=LEAP_PATIENCE, idle=GLANCE)

    def _timers(self) -> list[_CallbackRecord]:
        """Return the bot's pending timers."""
        return [it for it in self._work.callbacks if it.when is not None and it.handle and not it.handle.cancelled()]

    def forget(self) -> None:
        """Drop data that is invisible or unusable by now.

        So a sandbox that runs for days stays small.
        """
        since = self.time.now() - TOKEN_LIFE
        self._forget_private(since)
        self._forget_interactions(time_snowflake(since))
        self._forget_files()

    def _forget_private(self, since: datetime) -> None:
        """Drop ephemeral messages without a recent interaction, whose tokens have expired.

        Discord's own client drops them at a reload; otherwise each private hand of an evening would stay on the page.
        """
        for messages in self.backend.messages.values():
            for message in [one for one in messages.values() if one.flags & EPHEMERAL_FLAG]:
                if datetime.fromisoformat(message.edited_timestamp or message.timestamp) < since:
                    del messages[message.id]

    def _forget_interactions(self, first: int) -> None:
        """Drop interactions with ids below the first, and the reserved ids of their time."""
        known = self.backend
        known.interactions = {number: kept for number, kept in known.interactions.items() if number >= first}
        known.interaction_tokens = {token: of for token, of in known.interaction_tokens.items() if of >= first}
        known._reserved_ids = {number for number in known._reserved_ids if number >= first}
        known._sequences = {ms: used for ms, used in known._sequences.items() if ms >= first >> 22}

    def _forget_files(self) -> None:
        """Drop files that no message shows, such as a board's earlier pictures."""
        shown = set(ATTACHED.findall(repr(self.backend.messages)))
        blobs = self.backend.cdn._blobs
        for url in [url for url in blobs if ATTACHED.fullmatch(url) and url not in shown]:
            del blobs[url]

    async def _settle_internal(self, *, timeout: float | None = None, **how: Any) -> None:  # noqa: ASYNC109
        """Wait longer at the start.

        Drawing all cards then takes slow machines longer than SimCord waits.
        """
        await super()._settle_internal(timeout=None if timeout is None else max(timeout, START_PATIENCE), **how)

    def _schedule_timer(self, record: _CallbackRecord, *_what_the_record_holds: Any) -> None:
        """Fire a timer of the bot at its real instant, without an action waiting for it.

        SimCord would move its clock to the instant, and hold each action within the five seconds before.
        """
        self._arm(record)

    def _arm(self, record: _CallbackRecord) -> None:
        """Fire a timer once at its instant by the current clock, however often armed."""

        def fire() -> None:
            if record in self._work.callbacks and record.handle is not None and not record.handle.cancelled():
                record.handle._run()

        assert self._runtime is not None
        self._runtime.call_at(_when(record) - self.time.ahead, fire, context=Context())


def _when(timer: _CallbackRecord) -> float:
    """Return the instant of a timer on the clock's scale."""
    assert timer.when is not None
    return timer.when


GUILD = "Bigger's kitchen table"
CHANNEL = "big-two"
TOPIC = "A simulated Discord for trying the bot. Nothing here leaves this machine."
THREADED, THREADED_TOPIC = "with-threads", "Here each match is played in a thread of its own: look for it under Place."
PEOPLE = {"ann": "Ann", "ben": "Ben", "cleo": "Cleo", "dev": "Dev"}


class World(NamedTuple):
    """The page's first channel, and its users; the first is Ann, who owns the server."""

    channel: ChannelHandle
    people: tuple[MemberActor, ...]


def settle_in(env: Env) -> World:
    """Build the server in a new environment, before the bot starts."""
    env.backend.bot_user.name = "Bigger"
    users = [env.create_user(name, global_name=shown) for name, shown in PEOPLE.items()]
    guild = env.create_guild(GUILD, owner=users[0])
    people = (MemberActor(env, guild, users[0]), *(guild.add_member(user) for user in users[1:]))
    bot = UserHandle(env, env.backend.bot_user)
    channel = guild.create_text_channel(CHANNEL, topic=TOPIC, overwrites={bot: _no_threads()})
    guild.create_text_channel(THREADED, topic=THREADED_TOPIC)
    for user in users:
        env.backend.get_dm_channel(user.id)
    return World(channel, people)


def _no_threads() -> discord.PermissionOverwrite:
    """Return overwrites that deny threads, so that all messages of a match appear together.

    The page shows one channel at a time, the first one.
    """
    return discord.PermissionOverwrite(create_public_threads=False, create_private_threads=False)
