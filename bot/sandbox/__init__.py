"""The sandbox: the whole bot against a simulated Discord in a local browser.

Uses the real discord.py and the real store. Starts the simulated server, the bot and the page together, and stops them
in order. Building the bot, and the end of the command line, belong elsewhere.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from discord.ext import commands
from simcord import SetupError

from bot.sandbox.errors import tell_errors
from bot.sandbox.live import CHANNEL, GUILD, PEOPLE, LiveEnv, WallClock, World, settle_in
from bot.sandbox.page import LivePreview

__all__ = ["CannotServe", "serve"]

LOOPBACK = frozenset({"127.0.0.1", "localhost"})
SETTLE_TIMEOUT = 20.0
"""Seconds that an action on the page waits for the bot before the page shows an uncertain outcome."""


class CannotServe(Exception):
    """The sandbox cannot be opened, and nothing was started or changed.

    `str` is the sentence for the user.
    """


async def serve(
    build: Callable[[Callable[[], datetime]], commands.AutoShardedBot],
    *,
    host: str = "127.0.0.1",
    port: int,
    announce: Callable[[str], None],
    before: Callable[[World], Awaitable[object]] | None = None,
    farewell: str = "The sandbox is closing.",
) -> None:
    """Run the bot in the sandbox until cancelled, or until a user closes it on the page.

    `build` makes the unstarted bot, given the clock (aware UTC; real time unless moved on); the bot is closed here.
    `announce` receives the lines to print, the address first, and `farewell` last; `port` 0 takes any free port.
    `before` runs on the server before the first viewer comes, with the bot ready.

    Raises `CannotServe`, before `build` is called, for a host other than this machine's own or a taken port.
    """
    _must_be_free(host, port)
    time = WallClock()
    env = LiveEnv(build(time.now), time, settle_timeout=SETTLE_TIMEOUT)
    world = settle_in(env)
    env.go_live()
    async with _running(env):
        if before is not None:
            await before(world)
        async with _shown(env, world, port) as preview:
            for line in _welcome(preview.url):
                announce(line)
            try:
                await preview.wait_closed()
            finally:
                announce(farewell)


def _must_be_free(host: str, port: int) -> None:
    """Check the port before the bot starts.

    A second sandbox on the same store would play the first one's tables.
    """
    if host not in LOOPBACK:
        raise CannotServe(f"The sandbox serves only this machine: use 127.0.0.1, not {host}.")
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        raise CannotServe(
            f"Port {port} on 127.0.0.1 is taken: is the sandbox already running? BIGGER_SANDBOX_PORT sets another port."
        ) from None


@asynccontextmanager
async def _running(env: LiveEnv) -> AsyncIterator[None]:
    """Log the bot in to the simulated Discord.

    At the end close the bot first, then the simulation.
    """
    telling = asyncio.create_task(tell_errors(env))
    try:
        await env.start()
        try:
            yield
        finally:
            await env.bot.close()
            await env.shutdown()
    finally:
        telling.cancel()


@asynccontextmanager
async def _shown(env: LiveEnv, world: World, port: int) -> AsyncIterator[LivePreview]:
    """Serve the page within the context."""
    preview = LivePreview.of(env, world, port)
    try:
        await preview.__aenter__()
    except SetupError as error:
        raise CannotServe(str(error)) from error
    following = asyncio.create_task(preview.follow())
    try:
        yield preview
    finally:
        following.cancel()
        await preview.close()


def _welcome(address: str) -> tuple[str, ...]:
    """Return the introductory lines for the user."""
    people = ", ".join(PEOPLE.values())
    return (
        f"The sandbox is open: {address}",
        f'You are in #{CHANNEL} of "{GUILD}", as {people}. Choose at the top who you are, the language and the place.',
        "There you can also let time pass: an hour, a day, or until morning in Manila.",
        "To start, press a game or type /deal, press Play now, then one of the ready-made plays.",
        "Then try /turn, /desk, /learn rules, /standings and /matches list. Type / to see every command.",
        "Open the address in several tabs to be several people at once. It changes at every start.",
        "Press Ctrl-C here to stop.",
    )
