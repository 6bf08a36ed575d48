"""``python -m bot``: the only place that wires things together.

With a token the bot serves Discord; without one it opens the sandbox. Whatever is wrong is one clear message and exit
code 2, or 1 for what passes by itself, so that whoever watches over the process may start it again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import aiohttp
import discord

from bot import sandbox
from bot.client import PERMISSIONS, Bigger
from bot.settings import Settings, SettingsError
from bot.store.rows import StoreError

ENV_FILE = Path(__file__).parents[1] / ".env"
REFUSED = "Discord refused the token. Copy it again from the Bot tab of your application into .env (DISCORD_TOKEN)."
UNREACHABLE = "Discord cannot be reached. Check the connection and start again."
TROUBLED = "Discord has trouble ({what}). Nothing is lost; start again later."
FORBIDDEN = "Discord does not let the bot start ({what}). Check the application in the Developer Portal."
RESET = "Discord does not accept the token any more. Copy the new one from the Bot tab into .env (DISCORD_TOKEN)."
INTENTS = "Discord refuses an intent the bot asks for. Look at Privileged Gateway Intents in the Bot tab."
ENDED = "Discord has ended the connection for good (code {code}). Check the application in the Developer Portal."
TOKEN_REFUSED = 4004  # the gateway's close code


class CannotStart(Exception):
    """Why the bot does not run (any longer), in a sentence for whoever starts it. passing: it may help to wait."""

    def __init__(self, sentence: str, *, passing: bool = False) -> None:
        super().__init__(sentence)
        self.code = 1 if passing else 2


def say(line: str) -> None:
    """Print a line for whoever started the bot."""
    print(line, flush=True)  # noqa: T201  # the terminal is this program's screen


def main() -> int:
    """Run until stopped; return the exit code."""
    try:
        settings = Settings.load(os.environ, ENV_FILE)
        write_log(settings.log_level)
        asyncio.run(_sandbox(settings) if settings.sandbox else _serve(settings))
    except (SettingsError, StoreError, sandbox.CannotServe, CannotStart) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return error.code if isinstance(error, CannotStart) else 2
    except KeyboardInterrupt:
        pass
    return 0


def write_log(level: str) -> None:
    """Log to the terminal. Of the libraries only warnings: at DEBUG they write down messages, tokens and seeds."""
    logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for loud in ("discord", "alembic", "aiosqlite", "sqlalchemy"):
        logging.getLogger(loud).setLevel(max(logging.WARNING, logging.getLevelName(level)))


async def _sandbox(settings: Settings) -> None:
    await sandbox.serve(lambda now: Bigger(settings, now), port=settings.sandbox_port, announce=say)


async def _serve(settings: Settings) -> None:
    bot = Bigger(settings, lambda: datetime.now(UTC))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _stopper(asyncio.current_task()))
    async with bot:
        try:
            await bot.login(settings.token.reveal())
            say(f"To invite the bot to a server, open {invitation(bot)}")
            await _connect(bot)
        except (discord.DiscordException, aiohttp.ClientError, ConnectionError, TimeoutError) as error:
            why = why_not(error)
            if why is None:
                raise
            raise why from None


async def _connect(bot: Bigger) -> None:
    try:
        await bot.connect()
    except asyncio.CancelledError:
        say("Stopped. Every table goes on at the next start.")


def why_not(error: Exception) -> CannotStart | None:
    """Say in a sentence what keeps Discord and the bot apart; None where it is a fault of the program."""
    match error:
        case discord.LoginFailure():
            return CannotStart(REFUSED)
        case discord.HTTPException():
            return _refusal(error.status)
        case discord.GatewayNotFound() | discord.RateLimited():
            return CannotStart(TROUBLED.format(what=error), passing=True)
        case discord.PrivilegedIntentsRequired():
            return CannotStart(INTENTS)
        case discord.ConnectionClosed():
            return CannotStart(RESET if error.code == TOKEN_REFUSED else ENDED.format(code=error.code))
    return CannotStart(UNREACHABLE, passing=True) if not isinstance(error, discord.DiscordException) else None


def _refusal(status: int) -> CannotStart:
    """Say what an HTTP status means at the start."""
    passing = status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS
    return CannotStart((TROUBLED if passing else FORBIDDEN).format(what=f"error {status}"), passing=passing)


def invitation(bot: Bigger) -> str:
    """Return the link that invites the bot, with the permissions it needs and no others."""
    assert bot.application_id is not None
    return discord.utils.oauth_url(bot.application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))


def _stopper(task: asyncio.Task[None] | None) -> Callable[[], None]:
    def stop() -> None:
        if task is not None:
            task.cancel()

    return stop


if __name__ == "__main__":
    sys.exit(main())
