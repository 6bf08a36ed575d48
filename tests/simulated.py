"""The simulated Discord as our tests need it: quick to see that the bot is at rest, with locales, slow on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import simcord


class Env(simcord.Env):
    """A simulated Discord that looks more often whether the bot is at rest."""

    async def _settle_internal(self, *, idle: float = 0.005, **how: Any) -> None:
        await super()._settle_internal(idle=min(idle, 0.005), **how)

    def _schedule_timer(self, record: Any, callback: Any, args: tuple[Any, ...], schedule_context: Any) -> None:
        """Leave far timers to ``advance_time``: in a long test they would go off by themselves, in mid-click."""
        if record.when - self._virtual_time <= self.settle_timeout:
            super()._schedule_timer(record, callback, args, schedule_context)

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
