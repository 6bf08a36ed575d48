"""Serving: runs the bot, for Discord or for the sandbox.

Each failure to start is one clear sentence, with the information whether waiting may help.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias

import aiohttp
import discord

from bot.client import Bigger
from bot.delivery.outbox.discord_limits import Rates
from bot.domain.ids import ChannelId
from bot.launch import Launch
from bot.settings import Settings, Token
from bot.store.sqlite.files import move_old_database

if TYPE_CHECKING:
    from bot.ops.monitoring.endpoint import MonitoringEndpoint
    from bot.sandbox.live import World

log = logging.getLogger(__name__)
Built: TypeAlias = Callable[..., Bigger]

REFUSED = "Discord refused the token. Copy it again from the Bot tab of your application into .env (DISCORD_TOKEN)."
UNREACHABLE = "Discord can't be reached. Check the connection and start again."
TROUBLED = "Discord is having trouble ({what}). Nothing is lost; start again later."
FORBIDDEN = "Discord won't let the bot start ({what}). Check the application in the Developer Portal."
RESET = "Discord doesn't accept the token any more. Copy the new one from the Bot tab into .env (DISCORD_TOKEN)."
INTENTS = "Discord refuses an intent the bot asks for. Check Privileged Gateway Intents in the Bot tab."
ENDED = "Discord has ended the connection for good (code {code}). Check the application in the Developer Portal."
NO_STARTS = (
    "Discord allows no more starts today; the next one in {hours:.1f} hours. Something has started it too often."
)
LOADING = "discord.state"  # warns about a client without intents, which SimCord creates on import
NO_SANDBOX = (
    "There's no token, and the sandbox that would open instead isn't installed. Set DISCORD_TOKEN in .env, "
    "or run make run, which installs it."
)
TAKEN = "Port {port} on 127.0.0.1 is taken. BIGGER_METRICS_PORT sets another one for the metrics; 0 turns them off."
FENCED = "Other processes took over this one's work, because it was away too long. Start it again."
RETIRED = "Stopped. Other processes have taken over everything here."
RETIRE = getattr(signal, "SIGUSR1", None)  # the signal for a takeover by other processes, if the system has it
KEPT = "Every table continues at the next start."
MS_PER_HOUR = 3_600_000
COLLECT_AFTER = 10_000  # new objects before the collector searches for cycles
TOKEN_REFUSED = 4004  # the gateway's close code

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    attach_files=True,
)


class CannotStart(Exception):
    """The sentence for the operator about a failed start or an unexpected end.

    passing: waiting may help.
    """

    def __init__(self, sentence: str, *, passing: bool = False) -> None:
        super().__init__(sentence)
        self.passing = passing


def say(line: str) -> None:
    """Print a line for the operator."""
    print(line, flush=True)  # a command prints its messages


async def serve(settings: Settings) -> None:
    """Serve until cancelled. Raises CannotStart, and the errors of opening the store."""
    if settings.earlier_database is not None:
        await asyncio.to_thread(move_old_database, settings.earlier_database, settings.copied)
    async with _watched(settings.metrics_port) as watching:
        await (_sandbox if settings.sandbox else _discord)(settings, partial(_built, settings, watching))


@asynccontextmanager
async def _watched(port: int) -> AsyncIterator[MonitoringEndpoint | None]:
    """Return the monitoring on a port within the context; None for port 0."""
    if not port:
        yield None
        return
    from bot.ops.monitoring.endpoint import watched  # noqa: PLC0415  # its dependencies are loaded only if needed

    async with AsyncExitStack() as stack:
        try:
            watching = await stack.enter_async_context(watched(port))
        except OSError as error:
            raise CannotStart(TAKEN.format(port=port)) from error
        yield watching


def _built(
    settings: Settings, watching: MonitoringEndpoint | None, now: Callable[[], datetime], rates: Rates | None = None
) -> Bigger:
    """Make the bot, watched where that is wanted."""
    watch = watching.figures if watching else None
    bot = Bigger(Launch(settings=settings, now=now, watch=watch, rates=rates))
    if watching:
        watching.look_at(bot)
    return bot


async def _sandbox(settings: Settings, built: Built) -> None:
    logging.getLogger(LOADING).setLevel(logging.ERROR)
    try:
        from bot import sandbox  # noqa: PLC0415  # not needed, and maybe not installed, with a token
    except ModuleNotFoundError as missing:
        raise CannotStart(NO_SANDBOX) from missing
    farewell = f"The sandbox is closing. {KEPT}"
    bots = list[Bigger]()

    def build(now: Callable[[], datetime]) -> Bigger:
        bots.append(built(now))
        return bots[0]

    async def greet(world: World) -> None:
        bots[0].restricted = frozenset({ChannelId(world.channel.id)})  # a channel without permission for threads
        bots[0].dispatch("first_sight", bots[0].get_channel(world.channel.id))

    try:
        await sandbox.serve(build, port=settings.sandbox_port, announce=say, before=greet, farewell=farewell)
    except sandbox.CannotServe as error:
        raise CannotStart(str(error)) from error


async def _discord(settings: Settings, built: Built) -> None:
    try:
        async with built(lambda: datetime.now(UTC), rates=Rates(settings.requests_per_second)) as bot:
            await _connected(bot, settings.token)
    except asyncio.CancelledError:
        say(f"Stopped. {KEPT}")
        raise


async def _connected(bot: Bigger, token: Token) -> None:
    try:
        await bot.login(token.reveal())
        say(f"To invite the bot to a server, open {invitation(bot)}")
        await _check_starts(bot)
        if RETIRE is not None:
            asyncio.get_running_loop().add_signal_handler(RETIRE, _retire, bot)
        spare_collector()
        await bot.connect()
        if bot.parts.lifecycle.fenced:
            raise CannotStart(FENCED, passing=True)
        if bot.parts.lifecycle.retired:
            say(RETIRED)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        why = why_not(error)
        if why is None:
            raise
        raise why from None


def _retire(bot: Bigger) -> None:
    """Hand all shards to other processes, after which this process ends.

    Logs a warning if there are none.
    """
    if bot.shards_shared is None:
        log.warning("Nobody else can take over: this bot is one process. Stop it as usual")
    else:
        bot.shards_shared.retire()


def spare_collector() -> None:
    """Exclude the objects of the start from garbage collection, and collect less often.

    Collecting all of them took a twelfth of the event loop's time, up to an eighth of a second at once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


async def _check_starts(bot: Bigger) -> None:
    """Raise CannotStart if too few session starts are left.

    Beyond the limit, Discord would end all sessions and reset the token.
    """
    shards, _, limits = await bot.http.get_bot_gateway()
    needed = shards if bot.shards_shared is None else min(shards, bot.launch.settings.shards_a_process)
    if limits["remaining"] < needed:
        raise CannotStart(NO_STARTS.format(hours=limits["reset_after"] / MS_PER_HOUR), passing=True)


def why_not(error: Exception) -> CannotStart | None:
    """Return the sentence for a failure between Discord and the bot.

    Returns None for a fault of the program.
    """
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
    """Return the sentence for an HTTP status at the start."""
    passing = status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS
    return CannotStart((TROUBLED if passing else FORBIDDEN).format(what=f"error {status}"), passing=passing)


def invitation(bot: Bigger) -> str:
    """Return the link that invites the bot, with exactly the permissions it needs."""
    assert bot.application_id is not None
    return discord.utils.oauth_url(bot.application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands"))
