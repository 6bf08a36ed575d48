"""The HTTP endpoint for monitoring: metrics for Prometheus, liveness and readiness.

Listens on 127.0.0.1 and accepts no other host name, so that no web page can make a browser read the endpoint. The bot's
own event loop serves the requests: a hanging loop answers none, which is the point of /healthz.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.client import Bigger
from bot.ops.monitoring.figures import BotMetrics
from bot.ops.monitoring.instrumentation import hear_requests, listening, look_at, store_answers

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
NO_DISCORD = "not connected to Discord"
NO_STORE = "the store does not answer"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class MonitoringEndpoint:
    """The monitoring of one bot. figures: the MetricsRecorder of the bot."""

    def __init__(self) -> None:
        self.figures = BotMetrics()
        self._bot: Bigger | None = None

    def look_at(self, bot: Bigger) -> None:
        """Monitor a bot that has not started to serve yet."""
        self._bot = bot
        hear_requests(bot.launch.trace, self.figures)

    async def metrics(self, _request: web.Request) -> web.Response:
        """Return the metrics."""
        if self._bot is not None:
            await look_at(self._bot, self.figures)
        return web.Response(body=self.figures.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def alive(self, _request: web.Request) -> web.Response:
        """Answer; any answer proves that the bot is alive."""
        return web.Response(text="alive\n")

    async def ready(self, _request: web.Request) -> web.Response:
        """Report whether the bot serves users, or what is missing."""
        missing = [NO_DISCORD] if self._bot is None or not self._bot.connected_shards else []
        missing += [] if self._bot is not None and await store_answers(self._bot) else [NO_STORE]
        if missing:
            return web.Response(text=f"{', '.join(missing)}\n", status=HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(text="ready\n")


@web.middleware
async def _by_its_own_name(request: web.Request, handler: Handler) -> web.StreamResponse:
    if request.host.partition(":")[0] not in NAMES:
        raise web.HTTPForbidden(text=f"Ask for {HOST}.\n")
    return await handler(request)


@asynccontextmanager
async def watched(port: int) -> AsyncIterator[MonitoringEndpoint]:
    """Return the monitoring, served on a port within the context.

    Raises OSError if the port is taken.
    """
    made = MonitoringEndpoint()
    app = web.Application(middlewares=[_by_its_own_name])
    app.add_routes([web.get("/metrics", made.metrics), web.get("/healthz", made.alive), web.get("/readyz", made.ready)])
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.5)
    with listening(made.figures):
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
            yield made
        finally:
            await runner.cleanup()
