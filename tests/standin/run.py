"""``python -m tests.standin.run <module> [arguments]``: the module as the main program, its Discord being the stand-in.

Knows the addresses discord.py has to be told, out of the environment, and stamps each request with the time at which
it is sent: the stand-in may be late itself. Changes nothing else of the bot.
"""

import os
import runpy
import sys
import time
from functools import partialmethod

import aiohttp
import discord
import yarl

from tests.standin.rates import SENT


async def stamp(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Send a request with the time at which that is done."""
    request.headers[SENT] = str(time.monotonic())
    return await send(request)


def main() -> None:
    """Point discord.py at the stand-in, then become the program."""
    stamping = partialmethod(aiohttp.ClientSession.__init__, middlewares=(stamp,))
    aiohttp.ClientSession.__init__ = stamping  # type: ignore[method-assign, assignment]
    discord.http.Route.BASE = os.environ["STANDIN_API"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["STANDIN_GATEWAY"])
    discord.asset.Asset.BASE = os.environ["STANDIN_CDN"]
    module, sys.argv = sys.argv[1], sys.argv[1:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
