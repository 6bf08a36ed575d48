"""Checks that ask Discord: token, application, shards, emoji, commands, and the clock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import aiohttp
import discord

from bot.client import Bigger
from bot.delivery.emoji import CARD_STYLES
from bot.launch import Launch
from bot.ops.checks.finding import CheckResult, note, ok, wrong
from bot.ops.serving import UNREACHABLE, why_not
from bot.settings import Settings

REQUEST_TIMEOUT = 60.0  # seconds for all requests
LOW_SESSION_STARTS = 50  # fewer remaining session starts today deserve a note


async def discords(settings: Settings, trace: aiohttp.TraceConfig) -> AsyncIterator[CheckResult]:
    """Yield the findings of Discord's answers, up to the first failed request.

    trace: receives the responses as well.
    """
    client = discord.Client(intents=discord.Intents.none(), http_trace=trace)
    try:
        async with asyncio.timeout(REQUEST_TIMEOUT), client:
            await client.login(settings.token.reveal())
            for finding in application(client):
                yield finding
            yield await sessions(client)
            yield await emoji(client, settings)
            yield await commands(client, settings)
    except TimeoutError:
        yield wrong("discord", UNREACHABLE)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        why = why_not(error)
        yield wrong("discord", str(why or error))


def application(client: discord.Client) -> list[CheckResult]:
    """Return the findings about the token's application."""
    known = client.application
    assert known is not None
    found = [ok("token", f"accepted, for {known.name} ({known.id})")]
    if known.interactions_endpoint_url:
        found.append(
            wrong(
                "application",
                "Discord sends clicks to a web address instead of the bot. In the Developer Portal, General "
                "Information, empty the Interactions Endpoint URL",
            )
        )
    if not (known.privacy_policy_url and known.terms_of_service_url):
        found.append(note("application", "it names no privacy policy or terms. Enter their addresses in the portal"))
    if known.user_integration_config is None:
        found.append(
            note(
                "installing",
                (
                    "people can't install it for themselves, so they have /desk only where the bot is. In the portal, "
                    "Installation, turn on User Install"
                ),
            )
        )
    return found


async def sessions(client: discord.Client) -> CheckResult:
    """Return the finding about the recommended shards and the remaining session starts."""
    shards, _, limits = await client.http.get_bot_gateway()
    left, total, hours = limits["remaining"], limits["total"], limits["reset_after"] / 3_600_000
    text = f"{shards} recommended; {left:,} of {total:,} starts are left for the next {hours:.1f} hours"
    if left < shards:
        return wrong("shards", f"{text}. Wait until then, and find out what starts the bot so often")
    return (
        note("shards", f"{text}. Something starts the bot often") if left < LOW_SESSION_STARTS else ok("shards", text)
    )


async def emoji(client: discord.Client, settings: Settings) -> CheckResult:
    """Return the finding about the pictures of the cards."""
    if not settings.card_emoji:
        return ok("emoji", "cards are text, as BIGGER_CARD_EMOJI says")
    wanted, there = (
        {name for style in CARD_STYLES for name in style.names().values()},
        {picture.name for picture in await client.fetch_application_emojis()},
    )
    if missing := len(wanted - there):
        return note("emoji", f"{missing} of {len(wanted)} are missing; the bot uploads them while it runs")
    return ok("emoji", f"all {len(wanted)} card pictures are there")


async def commands(client: discord.Client, settings: Settings) -> CheckResult:
    """Return the finding about the registered commands."""
    wanted = await _command_names(settings)
    assert client.application_id is not None
    there = {registered["name"] for registered in await client.http.get_global_commands(client.application_id)}
    if wanted == there:
        return ok("commands", f"all {len(wanted)} are registered")
    odd = ", ".join(f"/{name}" for name in sorted(wanted ^ there))
    return wrong("commands", f"Discord doesn't have this version's ({odd}). Start the bot: it registers them")


async def _command_names(settings: Settings) -> set[str]:
    """Return the names of this version's commands, from a bot with an empty store of its own."""
    with TemporaryDirectory() as folder:
        settings = replace(settings, database=Path(folder) / "bigger.db")
        ours = Bigger(Launch(settings=settings, now=lambda: datetime.now(UTC)))
        try:
            await ours.prepare()
            return {command.name for command in ours.tree.get_commands()}
        finally:
            await ours.shut_down()


NOTABLE, HARMFUL = timedelta(seconds=5), timedelta(minutes=1)
MEND = "Have the network set it: timedatectl set-ntp true"


class ClockCheck:
    """Records the time in responses. trace: for the session that sends the requests."""

    def __init__(self) -> None:
        self._ahead: timedelta | None = None
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._heard)

    async def _heard(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        if date := params.response.headers.get("Date"):
            self._ahead = datetime.now(UTC) - parsedate_to_datetime(date)

    @property
    def finding(self) -> CheckResult | None:
        """The state of the clock; None without a response."""
        return None if self._ahead is None else clock(self._ahead)


def clock(ahead: timedelta) -> CheckResult:
    """Return the finding for a clock ahead of Discord's by a span, negative for behind."""
    off, way = abs(ahead), "ahead of" if ahead > timedelta() else "behind"
    if off < NOTABLE:
        return ok("clock", "it agrees with Discord's")
    text = f"it is {off.total_seconds():,.0f} s {way} Discord's. {MEND}"
    return wrong("clock", text) if off >= HARMFUL else note("clock", text)
