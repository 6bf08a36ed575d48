"""What Discord's headers say of its limits, heard of every request as it ends; and how many requests a write sends.

Knows the headers' names. By a trace of aiohttp, which discord.py takes as an option: nothing of either is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace

import aiohttp
from discord.http import INTERNAL_API_VERSION

from bot.delivery.outbox.discord_limits import Answer, Limits, place_of
from bot.delivery.outbox.write_queue import TURN

FREE = ("/webhooks/", "/interactions/")  # answers to people, which have limits of their own


def hearing(limits: Limits, now: Callable[[], float]) -> aiohttp.TraceConfig:
    """Return the trace that tells the limits of each answer."""

    async def started(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        path = params.url.path.partition(f"/api/v{INTERNAL_API_VERSION}")[2]
        if not path or path.startswith(FREE):
            return
        turn = TURN.get()
        if turn is None or turn.requests:
            limits.beside(now())  # its turn stands for the first request of a write
        if turn is not None:
            turn.requests += 1

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        path = params.url.path.partition(f"/api/v{INTERNAL_API_VERSION}")[2]
        if path and not path.startswith(FREE):
            limits.heard(answer(path, params.response.status, params.response.headers), now())

    limits.traced = True
    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(started)
    trace.on_request_end.append(ended)
    return trace


def answer(path: str, status: int, headers: Mapping[str, str]) -> Answer:
    """Read what an answer says of the limits. path: behind the version of the interface."""
    return Answer(
        place_of(path),
        status,
        headers.get("X-RateLimit-Bucket"),
        int(headers.get("X-RateLimit-Limit", 1)),
        int(headers.get("X-RateLimit-Remaining", 1)),
        float(headers.get("X-RateLimit-Reset-After", 0)),
        float(headers.get("Retry-After", 0)),
        everywhere=headers.get("X-RateLimit-Scope") == "global" or "X-RateLimit-Global" in headers,
    )
