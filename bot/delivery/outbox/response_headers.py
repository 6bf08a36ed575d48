"""Reads rate limits from the headers of each response, and counts the requests of each write.

Uses a trace of aiohttp, an option of discord.py: neither library is patched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace

import aiohttp
from discord.http import INTERNAL_API_VERSION

from bot.delivery.outbox.discord_limits import LimitResponse, RateLimiter, place_of
from bot.delivery.outbox.write_queue import CURRENT_WRITE

FREE = ("/webhooks/", "/interactions/")  # responses to interactions have separate limits


def trace_responses(limits: RateLimiter, now: Callable[[], float]) -> aiohttp.TraceConfig:
    """Return the trace that passes each response to the limits."""

    async def started(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        path = params.url.path.partition(f"/api/v{INTERNAL_API_VERSION}")[2]
        if not path or path.startswith(FREE):
            return
        turn = CURRENT_WRITE.get()
        if turn is None or turn.requests:
            limits.count_outside_request(now())  # the queue has counted the first request of a write
        if turn is not None:
            turn.requests += 1

    async def ended(
        _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        path = params.url.path.partition(f"/api/v{INTERNAL_API_VERSION}")[2]
        if path and not path.startswith(FREE):
            limits.record_response(answer(path, params.response.status, params.response.headers), now())

    limits.traced = True
    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(started)
    trace.on_request_end.append(ended)
    return trace


def answer(path: str, status: int, headers: Mapping[str, str]) -> LimitResponse:
    """Return the rate limits in a response. path: after the API version."""
    return LimitResponse(
        place_of(path),
        status,
        bucket=headers.get("X-RateLimit-Bucket"),
        limit=int(headers.get("X-RateLimit-Limit", 1)),
        remaining=int(headers.get("X-RateLimit-Remaining", 1)),
        reset_after=float(headers.get("X-RateLimit-Reset-After", 0)),
        retry_after=float(headers.get("Retry-After", 0)),
        everywhere=headers.get("X-RateLimit-Scope") == "global" or "X-RateLimit-Global" in headers,
    )
