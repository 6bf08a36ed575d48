"""The port on which a bot is watched: figures for Prometheus, and whether it is alive and ready.

Knows the paths. It listens on 127.0.0.1 and answers to no other name, so that no page in a browser can be made to read
it. It is served by the bot's own event loop: where that hangs nobody is answered, which is what /healthz is asked for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.client import Bigger
from bot.ops.monitoring.figures import Figures
from bot.ops.monitoring.instrumentation import hear_requests, listening, look_at, store_answers

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
NO_DISCORD = "not connected to Discord"
NO_STORE = "the store does not answer"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Watched:
    """What watches a bot. figures: the Watch that the bot is made with."""

    def __init__(self) -> None:
        self.figures = Figures()
        self._bot: Bigger | None = None

    def look_at(self, bot: Bigger) -> None:
        """Watch this bot, which has not begun to serve yet."""
        self._bot = bot
        hear_requests(bot.trace, self.figures)

    async def told(self, _request: web.Request) -> web.Response:
        """Tell the figures."""
        if self._bot is not None:
            await look_at(self._bot, self.figures)
        return web.Response(body=self.figures.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def alive(self, _request: web.Request) -> web.Response:
        """Say so: that it can be said is all there is to it."""
        return web.Response(text="alive\n")

    async def ready(self, _request: web.Request) -> web.Response:
        """Tell whether people are served, or what is missing for that."""
        missing = [NO_DISCORD] if self._bot is None or not self._bot.there else []
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
async def watched(port: int) -> AsyncIterator[Watched]:
    """Give what watches a bot, and serve on this port meanwhile. Raises OSError where the port is taken."""
    made = Watched()
    app = web.Application(middlewares=[_by_its_own_name])
    app.add_routes([web.get("/metrics", made.told), web.get("/healthz", made.alive), web.get("/readyz", made.ready)])
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.5)
    with listening(made.figures):
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
            yield made
        finally:
            await runner.cleanup()
