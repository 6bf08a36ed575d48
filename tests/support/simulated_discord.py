"""Adjustments of the simulated Discord.

Fast copies and fast detection of rest; delays and failures on demand.
"""

from __future__ import annotations

import asyncio
import copy
import json
import marshal
from contextlib import suppress
from fnmatch import fnmatch
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord
import simcord
from discord import RateLimited
from discord.http import INTERNAL_API_VERSION
from simcord import _dpy_internals, _runtime, _settlement, components, gateway, results
from simcord import env as simcord_env
from simcord.backend import serializers
from simcord.http import router

MAX_NEAR_SECONDS = 5.0  # seconds
POLL_SECONDS = 0.002  # real seconds after which to look again at what other threads do
# Screens; one is sent, stored and edited in turn, and each time asked whether Discord would take it
MAX_VALIDATED_SCREENS = 1024
TURNS_PER_POLL = 64  # of the turns in which there is something to do, one asks the computer what has arrived meanwhile
INTERNAL_MODULES = ("asyncio.tasks", "asyncio.futures", "simcord._runtime")

_validated = set[bytes]()
_validate = components.validate_components
_track = _runtime._track_callback
_waits_for_listener = _dpy_internals.is_wait_for_listener


def fast_copy(thing: Any) -> Any:
    """Return a deep copy at a tenth of the cost of ``copy.deepcopy``.

    Used for payloads in transit.
    """
    with suppress(ValueError):  # plain values, which is most there is
        return marshal.loads(marshal.dumps(thing))
    with suppress(TypeError):  # what becomes plain by being sent, such as members of an enum
        return json.loads(json.dumps(thing))
    return copy.deepcopy(thing)


def _validated_once(sent: Any, *, flags: int = 0) -> Any:
    """Return SimCord's validated components, or raise its error.

    SimCord validates each screen twice; the second result is cached.
    """
    with suppress(ValueError):  # what has come from the bot is not always plain
        made = marshal.dumps((sent, int(flags)), 2)
        if made in _validated:
            return marshal.loads(made)[0]
    valid = _validate(sent, flags=flags)
    if len(_validated) >= MAX_VALIDATED_SCREENS:
        _validated.clear()
    _validated.add(marshal.dumps((valid, int(flags)), 2))
    return valid


def _walk_components(roots: Any) -> list[dict[str, Any]]:
    """Return every component in payload order, parents first."""
    found: list[dict[str, Any]] = []
    rest = [roots] if isinstance(roots, dict) else list(roots)[::-1]
    while rest:
        if isinstance(part := rest.pop(), dict):
            found.append(part)
            if "component" in part:
                rest.append(part["component"])
            if "accessory" in part:
                rest.append(part["accessory"])
            if within := part.get("components"):
                rest += within[::-1]
    return found


def _monotonic() -> float:
    """Return the simulated seconds of the calling bot, or the real ones."""
    env = _runtime._selected_env(driver=False)
    return env._virtual_time if env is not None else _dpy_internals._REAL_MONOTONIC()


def _is_plumbing(callback: Any) -> bool:
    """Tell whether a callback is a task step or internal to Python or SimCord."""
    return (
        isinstance(getattr(callback, "__self__", None), asyncio.Task)
        or getattr(callback, "__module__", None) in INTERNAL_MODULES
    )


def _is_wait_for_listener(client: Any, task: Any) -> bool:
    """Tell whether a task waits for an event, without a search if no listener exists."""
    return bool(_dpy_internals.listener_futures(client)) and _waits_for_listener(client, task)


def _ignore_timer(*_: Any) -> None:
    """Ignore wall-clock timers, which do not exist here (``Env._schedule_timer``)."""


def _poll_sockets_rarely(loop: Any) -> None:
    """Make a busy loop poll sockets only occasionally."""
    select, turns = loop._selector.select, count(1)

    def seldom(timeout: float | None = None) -> Any:
        return [] if timeout == 0 and next(turns) % TURNS_PER_POLL else select(timeout)

    loop._selector.select = seldom


def _track_own_callback(
    work: Any, schedule: Any, callback: Any, args: Any, *, schedule_args: Any = (), **how: Any
) -> Any:
    """Schedule and track a callback of the bot.

    Task steps and callbacks internal to Python and SimCord are not tracked:
    no code of the bot can fail there.
    """
    if how["when"] is None and _is_plumbing(callback):
        return schedule(*schedule_args, callback, *args, context=how["context"])
    return _track(work, schedule, callback, args, schedule_args=schedule_args, **how)


def install_fast_simulation() -> None:
    """Make the simulated Discords of this process copy and check messages cheaply."""
    components.validate_components = _validated_once  # type: ignore[assignment]
    components.walk_components = _walk_components  # type: ignore[assignment]
    _dpy_internals._clock_monotonic = _monotonic
    _dpy_internals.is_wait_for_listener = _is_wait_for_listener
    simcord_env._virtualize_recognized_waits = _ignore_timer  # type: ignore[assignment, attr-defined]
    _runtime._track_callback = _track_own_callback  # type: ignore[assignment]
    _runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign]
    for module in (components, results, serializers):
        module.deepcopy = fast_copy  # type: ignore[attr-defined]
    for module in (gateway, router):
        module.copy = SimpleNamespace(deepcopy=fast_copy)  # type: ignore[attr-defined]


class Env(simcord.Env):
    """A simulated Discord in which no time passes but its own.

    Waiting until the bot is at rest takes none.

    No timer runs by the wall clock. When all that the bot does is sleep, the time has come at once of each timer that
    was set for the next ``NEAR`` seconds; the others are left to ``advance_time``.
    """

    def __init__(self, *bot: Any, **how: Any) -> None:
        super().__init__(*bot, **how)
        self._near: list[Any] = []
        self._lost = 0
        self._seen = SimpleNamespace(work=self._work)

    async def start(self) -> None:
        """Start, and have the loop look seldom for what no test sends.

        Idle tasks are woken anyway.
        """
        _poll_sockets_rarely(asyncio.get_running_loop())
        await super().start()

    def _capture_errors(self) -> None:
        """Have the callbacks of which no account is kept scheduled without further ado."""
        super()._capture_errors()
        loop: Any = asyncio.get_running_loop()
        tracked, ready = loop.call_soon, loop._ready

        def call_soon(callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
            if not _is_plumbing(callback):
                handle: asyncio.Handle = tracked(callback, *args, context=context)
                return handle
            ready.append(handle := asyncio.Handle(callback, args, loop, context))
            return handle

        loop.call_soon = call_soon

    def _settlement_state(self) -> Any:
        """The current state; SimCord builds a new object for each access."""
        seen = self._seen
        seen.bot, seen.loop, seen.virtual_time = self.bot, self._loop, self._virtual_time
        seen.advancing, seen.generation, seen.last_dispatch = self._advancing, self._generation, self._last_dispatch
        return seen

    async def _settle_internal(self, *, idle: float = 0.005, **how: Any) -> None:
        if how.get("timeout") is not None:
            how["timeout"] = max(how["timeout"], self.settle_timeout)
        deadline = asyncio.get_running_loop().time() + self.settle_timeout
        if self._advance_task is None:
            await self._let_pass(deadline)
        await super()._settle_internal(idle=min(idle, 0.005), **how)
        if self._advance_task is not None:
            return
        while (when := self._next_near()) is not None:
            await self._advance_to(when, deadline)

    async def _let_pass(self, deadline: float) -> None:
        """Run all ready callbacks, and those of other threads.

        SimCord would scan all work each time.
        """
        loop: Any = asyncio.get_running_loop()
        while loop.time() < deadline:
            _settlement._run_due_virtual_callbacks(self._settlement_state(), deadline)
            await asyncio.sleep(0)
            if self._work.executors and not loop._ready:
                await asyncio.wait(tuple(self._work.executors), timeout=POLL_SECONDS)
            elif not loop._ready:
                return

    def _next_near(self) -> float | None:
        """Return the time of the next active near timer."""
        self._near = [each for each in self._work.callbacks if any(each is near for near in self._near)]
        return min((each.when for each in self._near if each.handle and not each.handle.cancelled()), default=None)

    def _schedule_timer(self, record: Any, *_: Any) -> None:
        """Record near timers; simulated time fires all of them."""
        if record.when - self._virtual_time <= MAX_NEAR_SECONDS:
            self._near.append(record)

    def lose_answers(self, method: str, path: str, times: int = 1) -> None:
        """Carry out the next requests, and lose their responses.

        times: number of requests, 0 to stop. path: as discord.py names it.
        """
        request, self._lost = self.bot.http.request, times

        async def lost(route: Any, **how: Any) -> Any:
            answer = await request(route, **how)
            if (route.method, route.path) != (method, path) or self._lost <= 0:
                return answer
            self._lost -= 1
            raise OSError("nobody answers")

        self.bot.http.request = lost  # type: ignore[method-assign]

    @staticmethod
    def cut_off(bot: discord.Client) -> None:
        """Block every message of a bot except responses to clicks.

        Used before a kill.
        """
        request = bot.http.request

        async def cut(route: Any, **how: Any) -> Any:
            sends = route.method != "GET" and not route.path.endswith("/threads")
            if sends and route.path.startswith(("/channels/", "/users/@me/channels")):
                raise ConnectionResetError
            return await request(route, **how)

        bot.http.request = cut  # type: ignore[method-assign]

    def slow_edits(self, seconds: float) -> None:
        """Delay every edit of a public message from now on."""
        request = self.bot.http.request

        async def slow(route: Any, **how: Any) -> Any:
            if route.method == "PATCH":
                await asyncio.sleep(seconds)
            return await request(route, **how)

        self.bot.http.request = slow  # type: ignore[method-assign]

    def limit(self, method: str, path: str, seconds: float) -> None:
        """Rate-limit matching requests (429) for a number of seconds. path: a pattern.

        As discord.py 2.7.1 has it (``HTTPClient.request``): it sleeps for as long as Discord says and asks again, or
        raises ``RateLimited``, which is no HTTPException, where that is longer than the client's
        ``max_ratelimit_timeout``. Discord says 219 to 280 s for making threads (discord-api-docs #7816).
        """
        http, request, until = self.bot.http, self.bot.http.request, self._virtual_time + seconds

        async def limited(route: Any, **how: Any) -> Any:
            left = until - self._virtual_time
            if (
                left > 0
                and route.method == method
                and fnmatch(route.url.partition(f"/v{INTERNAL_API_VERSION}")[2], path)
            ):
                if http.max_ratelimit_timeout and left > http.max_ratelimit_timeout:
                    raise RateLimited(left)
                await asyncio.sleep(left)
            return await request(route, **how)

        http.request = limited  # type: ignore[method-assign]

    def slow_answers(self, seconds: float, *, arrived: bool = False) -> None:
        """Delay responses to clicks and commands from now on.

        arrived: whether the response arrives at once, with only its confirmation delayed.
        """
        adapter = self._webhook_adapter
        request = adapter.request

        async def slow(route: Any, *rest: Any, **how: Any) -> Any:
            done = await request(route, *rest, **how) if arrived else None
            if "callback" in route.path:
                await asyncio.sleep(seconds)
            return done if arrived else await request(route, *rest, **how)

        adapter.request = slow
