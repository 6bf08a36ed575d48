"""The simulated Discord as our tests need it: quick, in copying and to see that the bot is at rest; slow on demand."""

from __future__ import annotations

import asyncio
import copy
import json
import marshal
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import simcord
from simcord import components, gateway, results
from simcord.backend import serializers
from simcord.http import router

NEAR = 5.0  # seconds


def _copied(thing: Any) -> Any:
    """Return a copy of all of it, at a tenth of the cost of ``copy.deepcopy``: of what is sent, as it is on its way."""
    with suppress(ValueError):  # plain values, which is most there is
        return marshal.loads(marshal.dumps(thing))
    with suppress(TypeError):  # what becomes plain by being sent, such as members of an enum
        return json.loads(json.dumps(thing))
    return copy.deepcopy(thing)


def make_quick() -> None:
    """Let every simulated Discord of this process copy what it sends and keeps at little cost."""
    for module in (components, results, serializers):
        module.deepcopy = _copied  # type: ignore[attr-defined]
    for module in (gateway, router):
        module.copy = SimpleNamespace(deepcopy=_copied)  # type: ignore[attr-defined]


class Env(simcord.Env):
    """A simulated Discord in which no time passes but its own: waiting until the bot is at rest takes none.

    No timer runs by the wall clock. When all that the bot does is sleep, the time has come at once of each timer that
    was set for the next ``NEAR`` seconds; the others are left to ``advance_time``.
    """

    def __init__(self, *bot: Any, **how: Any) -> None:
        super().__init__(*bot, **how)
        self._near: list[Any] = []

    async def _settle_internal(self, *, idle: float = 0.005, **how: Any) -> None:
        if how.get("timeout") is not None:
            how["timeout"] = max(how["timeout"], self.settle_timeout)
        await super()._settle_internal(idle=min(idle, 0.005), **how)
        if self._advance_task is not None:
            return
        deadline = asyncio.get_running_loop().time() + self.settle_timeout
        while (when := self._next_near()) is not None:
            await self._advance_to(when, deadline)

    def _next_near(self) -> float | None:
        """Return when the next of the near timers goes off that are still set."""
        self._near = [each for each in self._work.callbacks if any(each is near for near in self._near)]
        return min((each.when for each in self._near if each.handle and not each.handle.cancelled()), default=None)

    def _schedule_timer(self, record: Any, *_: Any) -> None:
        """Leave every timer to the simulated time."""
        if record.when - self._virtual_time <= NEAR:
            self._near.append(record)

    def slow_edits(self, seconds: float) -> None:
        """Take so long from now on for every edit of a public message."""
        request = self.bot.http.request

        async def slow(route: Any, **how: Any) -> Any:
            if route.method == "PATCH":
                await asyncio.sleep(seconds)
            return await request(route, **how)

        self.bot.http.request = slow  # type: ignore[method-assign]

    def slow_answers(self, seconds: float) -> None:
        """Take so long from now on until an answer to a click or command has arrived."""
        adapter = self._webhook_adapter
        request = adapter.request

        async def slow(route: Any, *rest: Any, **how: Any) -> Any:
            if "callback" in route.path:
                await asyncio.sleep(seconds)
            return await request(route, *rest, **how)

        adapter.request = slow


def carry_locales(env: simcord.Env, locale_of: Callable[[int], str]) -> None:
    """Let what people do carry their locale. locale_of: gives it for the number of a user."""
    emit = env.backend.emit

    def with_locale(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["locale"] = locale_of(int(payload.get("member", payload)["user"]["id"]))
        emit(event, payload)

    env.backend.emit = with_locale  # type: ignore[method-assign]
