"""``python -m tests.standin.run <module> [arguments]``: run a module as the main program against the stand-in.

Sets the addresses of discord.py from the environment and adds the time of sending to each request, because the stand-in
may read requests late. The bot is otherwise unchanged.
"""

import os
import runpy
import sys
import time
from functools import partialmethod

import aiohttp
import discord
import yarl

from tests.standin.rates import SENT_HEADER


async def stamp(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Send a request with the time of sending in a header."""
    request.headers[SENT_HEADER] = str(time.monotonic())
    return await send(request)


def main() -> None:
    """Point discord.py at the stand-in, then run the module."""
    stamped = partialmethod(aiohttp.ClientSession.__init__, middlewares=(stamp,))
    aiohttp.ClientSession.__init__ = stamped  # type: ignore[method-assign, assignment]
    discord.http.Route.BASE = os.environ["STANDIN_API"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_GATEWAY"])
    discord.asset.Asset.BASE = os.environ["STANDIN_CDN"]
    module, sys.argv = sys.argv[1], sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
