"""``python -m bot``: the only place that wires things together.

With a token the bot serves Discord; without one it opens the sandbox. Whatever is wrong at the start is one clear
message and exit code 2.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
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


class CannotStart(Exception):
    """Why the bot does not start, in a sentence for whoever starts it."""


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
        return 2
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
        except discord.LoginFailure:
            raise CannotStart(REFUSED) from None
        except aiohttp.ClientError:
            raise CannotStart(UNREACHABLE) from None
        say(f"To invite the bot to a server, open {invitation(bot)}")
        try:
            await bot.connect()
        except asyncio.CancelledError:
            say("Stopped. Every table goes on at the next start.")


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
