"""Connects the metrics to their sources, and only observes the bot.

The sources are requests to Discord, the event loop, the log, and the state at a scrape. The metrics themselves are
defined elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import SimpleNamespace

import aiohttp
from discord.http import INTERNAL_API_VERSION

from bot.client import Bigger
from bot.ops.monitoring.figures import UNREACHED, BotMetrics, LogLineCounter, route_of, status_of
from bot.store.engine.gate import time_statements
from bot.store.errors import StoreError

LAG_INTERVAL = 0.5  # seconds between two measurements of the event loop
STORE_TIMEOUT = 2.0  # seconds for the store to answer
BEHIND = f"/api/v{INTERNAL_API_VERSION}"


@contextmanager
def listening(figures: BotMetrics) -> Iterator[None]:
    """Measure the log, newly opened stores and the running event loop within the context."""
    lines, over = LogLineCounter(figures), threading.Event()
    logging.getLogger().addHandler(lines)
    watcher = threading.Thread(
        target=_measure_lag, args=(asyncio.get_running_loop(), figures, over), name="event loop watched", daemon=True
    )
    watcher.start()
    try:
        with time_statements(figures.record_statement):
            yield
    finally:
        over.set()
        logging.getLogger().removeHandler(lines)


def _measure_lag(loop: asyncio.AbstractEventLoop, figures: BotMetrics, over: threading.Event) -> None:
    """Measure repeatedly how long the event loop takes to run an empty callback."""
    while not over.wait(LAG_INTERVAL):
        begun, done = perf_counter(), threading.Event()
        try:
            loop.call_soon_threadsafe(done.set)
        except RuntimeError:  # the loop is closed
            return
        done.wait()
        figures.lag.observe(perf_counter() - begun)


def hear_requests(trace: aiohttp.TraceConfig, figures: BotMetrics) -> None:
    """Count each request of sessions with this trace."""

    async def started(
        _session: aiohttp.ClientSession, context: SimpleNamespace, _params: aiohttp.TraceRequestStartParams
    ) -> None:
        context.bigger_begun = perf_counter()

    async def ended(
        _session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        report(context, params.method, params.url.path, status_of(params.response.status))

    async def failed(
        _session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
    ) -> None:
        report(context, params.method, params.url.path, UNREACHED)

    def report(context: SimpleNamespace, method: str, path: str, status: str) -> None:
        _, version, behind = path.partition(BEHIND)
        if version:
            figures.record_request(route_of(method, behind), status, perf_counter() - context.bigger_begun)

    trace.on_request_start.append(started)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)


async def look_at(bot: Bigger, figures: BotMetrics) -> None:
    """Update the metrics of the current state."""
    figures.shards.set(len(bot.connected_shards))
    figures.servers.set(len(bot.guilds))
    figures.store.set(await store_answers(bot))
    if not bot.serving:
        return
    figures.waiting.set(bot.parts.delivery.queue.waits)
    figures.oldest.set(bot.parts.delivery.queue.oldest)
    figures.loaded.set(len(bot.parts.tables))
    try:
        counted, due = await bot.parts.store.tables.states(), await bot.parts.store.clock.next_due()
    except StoreError:
        return
    for state, count in counted.items():
        figures.tables.labels(state).set(count)
    figures.overdue.set(max((bot.parts.now() - due).total_seconds(), 0.0) if due else 0.0)


async def store_answers(bot: Bigger) -> bool:
    """Tell whether the store answers in time."""
    if not bot.serving:
        return False
    try:
        async with asyncio.timeout(STORE_TIMEOUT):
            await bot.parts.store.clock.last_beat()
    except (StoreError, TimeoutError):
        return False
    return True
